package view_test

import (
	"fmt"
	"strings"
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/internal/view"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
)

// legends are the entries of the two pictures by their signs.
var legends = map[string]map[string]func(view.Signs) string{
	"barriers": {
		"record":     func(s view.Signs) string { return s.Fates[view.OnTime] },
		"barrier":    func(s view.Signs) string { return s.Bar + "n" + s.Bar },
		"blocked":    func(s view.Signs) string { return s.Hatch },
		"taken":      func(s view.Signs) string { return s.Fired },
		"in-flight":  func(s view.Signs) string { return s.Fates[view.Aside] },
		"collecting": func(s view.Signs) string { return s.Double },
		"down":       func(s view.Signs) string { return s.Part },
	},
	"recovery": {
		"running":    func(s view.Signs) string { return s.Fill },
		"restarting": func(s view.Signs) string { return s.Hatch },
		"part":       func(s view.Signs) string { return s.Part },
		"failed":     func(s view.Signs) string { return s.Fates[view.Dropped] },
		"restored":   func(s view.Signs) string { return s.Rise },
		"completed":  func(s view.Signs) string { return s.Fired },
		"fault":      func(s view.Signs) string { return s.Missing },
		"ended":      func(s view.Signs) string { return s.Cross },
	},
}

// In every picture of channels and of attempts, at every step and on every screen
// from 40×15 on, the legend explains each sign that is to be seen; and no failure
// is hidden by what falls into its cell.
func TestLegendsExplainWhatIsThere(t *testing.T) {
	job := `sources:
  clicks: {splits: 2, parallelism: 2, watermark: {strategy: none}}
operators:
  - name: totals
    process: count
sinks:
  - name: out
parallelism: 2
flinkConfiguration:
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 30
  restart-strategy.fixed-delay.delay: 5s
  execution.checkpointing.timeout: 10s
  execution.checkpointing.tolerable-failed-checkpoints: 3
`
	run := `produce clicks/0 1 ana 1
fault checkpoint.trigger at=clicks[1]
checkpoint
produce clicks/0 2 ana 1
produce clicks/0 3 blas 1
produce clicks/1 3 ana 1
advance 11s
resume clicks[1]
advance 1s
savepoint
crash totals
advance 6s
crash out
advance 6s
fault task.snapshot at=totals[0] with=delay for=5s
checkpoint
produce clicks/0 4 ana 1
crash totals
advance 2h
checkpoint
freeze taskmanager-1 10s
advance 1d
stop
restore sp1
advance 1h
crash out
advance 1m
cancel
`
	regions := strings.Replace(job, "sinks:\n", "sinks:\n  - name: raw\n    inputs: [clicks]\n", 1)
	regions = strings.Replace(regions, "    process: count\n", "    process: count\n    inputs: [orders]\n", 1)
	regions = strings.Replace(regions, "sources:\n", "sources:\n  orders: {watermark: {strategy: none}}\n", 1)
	for _, text := range []string{job, job + "  execution.checkpointing.unaligned.enabled: true\n", regions} {
		e := sessiontest.Experiment(t, text, run)
		r, err := session.Batch(e, func(tt script.Times) ([]*script.Line, error) { return script.Parse("story", "", tt) }, session.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		trace, n := r.World.Trace(), 0
		for step := 3; step <= trace.Len(); step += 2 {
			channels, attempts := view.BuildBarriers(trace.Prefix(step)), view.BuildRecovery(trace.Prefix(step))
			for _, size := range [][2]int{{38, 9}, {38, 10}, {38, 12}, {78, 10}, {78, 18}, {118, 34}} {
				n++
				p := view.Picture{Loc: locale.New(locale.Langs[n%2]), Width: size[0], Height: size[1], Signs: view.Unicode}
				explained(t, p, "barriers", step, channels.DrawBarriers(p))
				lines := attempts.DrawRecovery(p)
				explained(t, p, "recovery", step, lines)
				if len(attempts.Fold.Failures) > 0 {
					name := p.Loc.Text("scene.recovery.failures", nil)
					i := len(lines) - 1 // the summary begins with the word, too
					for i > 0 && !strings.HasPrefix(lines[i], name) {
						i--
					}
					if i == 0 || !strings.ContainsAny(strings.TrimPrefix(lines[i], name), "✗23456789*") {
						t.Fatalf("step %d, %v: no failure in\n%s", step, size, strings.Join(lines, "\n"))
					}
				}
			}
		}
	}
}

// explained demands that what a legend does not say of the lines is not in them.
func explained(t *testing.T, p view.Picture, picture string, step int, lines []string) {
	t.Helper()
	all := strings.Join(lines, "\n")
	rest := all
	said := map[string]bool{}
	for id, sign := range legends[picture] {
		for _, form := range []string{"legend", "legend-short"} {
			text := p.Loc.Text(fmt.Sprintf("scene.%s.%s.%s", picture, form, id), locale.Args{"Sign": sign(p.Signs)})
			if strings.Contains(all, text) {
				said[id], rest = true, strings.ReplaceAll(rest, text, "")
			}
		}
	}
	for id, sign := range legends[picture] {
		if !said[id] && strings.Contains(rest, string([]rune(sign(p.Signs))[:1])) {
			t.Fatalf("%s, step %d, %d×%d: %q is not explained in\n%s", picture, step, p.Width, p.Height, sign(p.Signs), all)
		}
	}
}
