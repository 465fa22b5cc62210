package world_test

import (
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/world"
)

// An edit of a job file is the fewest settings that make one file of the other.
func TestEditsOfAJobFile(t *testing.T) {
	const was = `# comments are not part of the job
sources:
  clicks:
    splits: 1
    watermark: {strategy: bounded-out-of-orderness, bound: 2s}
operators:
  - name: totals
    window: {assign: tumbling 5s, reduce: sum}
sinks:
  - name: results
`
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"a comment", "# comments are not part of the job\n", "", ""},
		{"one value", "bound: 2s", "bound: 20s", "sources.clicks.watermark.bound=20s"},
		{"two values", "splits: 1\n    watermark: {strategy: bounded-out-of-orderness, bound: 2s}", "splits: 2\n    watermark: {strategy: bounded-out-of-orderness, bound: 1s}",
			"sources.clicks.splits=2 sources.clicks.watermark.bound=1s"},
		{"a new key", "reduce: sum}", "reduce: sum}\n    lateness: 4s", "operators.totals.lateness=4s"},
		{"a key less", ", bound: 2s}", ", bound: 2s, idleness: 5s}", "sources.clicks.watermark.idleness=5s"},
		{"another kind", "{strategy: bounded-out-of-orderness, bound: 2s}", "{strategy: monotonous}", "sources.clicks.watermark={strategy: monotonous}"},
		{"another operator", "  - name: totals\n", "  - name: sums\n", "operators=[{name: sums, window: {assign: tumbling 5s, reduce: sum}}]"},
		{"an option with dots", "sinks:", "flinkConfiguration: {pipeline.auto-watermark-interval: 100ms}\nsinks:", "flinkConfiguration={pipeline.auto-watermark-interval: 100ms}"},
		{"no job", "bound: 2s", "bond: 2s", "! clicks.yaml:5:53: job.unknown-key Key=bond Nearest=bound"},
		{"a part less", "sinks:\n  - name: results\n", "", "! job.edit-removed Key=sinks"},
	} {
		edited := strings.Replace(was, c.old, c.new, 1)
		got, err := world.Edits("clicks.yaml", []byte(was), nil, []byte(edited), sim.DefaultBounds)
		var words []string
		for _, s := range got {
			words = append(words, s.Path+"="+s.Value)
		}
		text := strings.Join(words, " ")
		if err != nil {
			text = "! " + err.Error()
		}
		if text != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, text, c.want)
		}
	}
}
