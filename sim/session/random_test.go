package session_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// A learner who types anything at any moment. What holds whatever they type:
//
//   - a command that is refused leaves list, trace and cursor as they were;
//   - the printed list, pasted into a fresh session, makes the same trace, and
//     so does the token;
//   - redo takes an undo back, undo takes a reset back;
//   - a list that was kept under a name is there again after a switch;
//   - the session log only grows;
//   - no command takes long.
func TestAnythingAtAnyMoment(t *testing.T) {
	for seed := range uint64(*rounds) {
		m := &monkey{t: t, seed: seed}
		m.open()
		for range 60 {
			m.step()
			if t.Failed() {
				t.Fatalf("seed %d, typed:\n%s\nlist:\n%s", seed, strings.Join(m.typed, "\n"), strings.Join(m.s.Commands(), "\n"))
			}
		}
	}
}

var rounds = flag.Int("rounds", 12, "sessions that a learner who types anything begins")

type monkey struct {
	t     *testing.T
	seed  uint64
	n     uint64
	s     *session.Session
	typed []string
	forks int
	kept  map[string][]string
}

func (m *monkey) below(n int) int {
	m.n++
	return int(sim.Draw(m.seed, "random", "", m.n) % uint64(n))
}

func (m *monkey) one(of ...string) string { return of[m.below(len(of))] }

// jobs are job files that between them have every kind of operator.
var jobs = []string{`
sources:
  clicks:
    splits: [0, 1]
    watermark: {strategy: bounded-out-of-orderness, bound: 1s, idleness: 2s}
operators:
  - name: totals
    window: {assign: tumbling 5s, reduce: sum}
    lateness: 2s
`, `
parallelism: 2
sources:
  clicks:
    splits: [0, 1, 2]
    watermark: {strategy: scripted}
operators:
  - name: totals
    window: {assign: session 2s, process: list}
    trigger: continuous 1s
    late-output: late
flinkConfiguration:
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 3
  restart-strategy.fixed-delay.delay: 1s
`, `
sources:
  clicks:
    splits: [0, 1]
    watermark: {strategy: monotonous, alignment: {group: g, max-drift: 2s}}
  views:
    watermark: {strategy: punctuated}
operators:
  - name: pairs
    inputs: [clicks, views]
    interval-join: {lower: -2s, upper: 2s}
  - name: totals
    window: {assign: sliding 4s 2s, reduce: sum}
    trigger: purging count 2
  - name: counts
    process: count-on-timer 3s
sinks:
  - {name: out, inputs: [totals, counts]}
flinkConfiguration:
  restart-strategy.type: fixed-delay
`, `
parallelism: 2
sources:
  clicks:
    splits: [0, 1]
    watermark: {strategy: sql, delay: 1s}
operators:
  - name: totals
    sql-window: cumulate 6s 2s
    zone: Europe/Madrid
`, `
sources:
  clicks:
operators:
  - name: stamped
    assign-timestamps: {strategy: bounded-out-of-orderness, bound: 1s, timestamps: event}
  - name: totals
    window: {assign: session dynamic, reduce: sum}
    evictor: count 1
`}

func (m *monkey) open() {
	text := "job job.yaml\nproduce clicks/0 1s ana 1\nadvance 400ms\n-- job.yaml --" + jobs[m.below(len(jobs))]
	if m.below(4) == 0 {
		text = strings.Replace(text, "produce clicks/0", "produce clicks", 1)
		text = strings.Replace(text, "splits: [0, 1]", "splits: 0", 1)
	}
	e, err := session.ParseExperiment("any", "any.txtar", []byte(text))
	if err != nil {
		m.t.Fatal(err)
	}
	if m.s, err = session.Open(e, m.seed, nil, session.Observer{}); err != nil {
		m.t.Fatal(err)
	}
	m.kept = map[string][]string{}
}

func (m *monkey) step() {
	before, hash, cursor, logged := m.s.Commands(), m.s.Trace().Hash(), m.s.Cursor(), len(m.s.Log())
	began := time.Now()
	var err error
	line := m.line()
	m.typed = append(m.typed, line)
	defer func() {
		if r := recover(); r != nil {
			m.t.Errorf("%s: panic: %v", line, r)
		}
	}()
	err = do(m.s, 1, line)
	if left := (leftOut{}); errors.As(err, &left) {
		err = nil
	}
	if took := time.Since(began); took > 20*time.Second {
		m.t.Errorf("%s took %v", line, took)
	}
	if err != nil && (!slices.Equal(m.s.Commands(), before) || m.s.Trace().Hash() != hash || m.s.Cursor() != cursor) {
		m.t.Errorf("%s was refused and changed something: %v", line, err)
	}
	if err != nil {
		m.checkError(line, err)
	}
	if len(m.s.Log()) < logged {
		m.t.Errorf("%s: the log lost entries", line)
	}
	for n := range m.kept {
		if !slices.Contains(m.s.Forks(), n) {
			m.t.Errorf("%s: the list %s is lost", line, n)
		}
	}
	for _, n := range m.s.Forks() {
		m.kept[n] = nil
	}
	if m.below(6) == 0 {
		m.replays(line)
		m.undoes(line)
	}
}

// replays holds the printed list and the token against the trace.
func (m *monkey) replays(line string) {
	text, err := m.s.Token(false).Encode()
	if err != nil {
		m.t.Errorf("%s: token: %v", line, err)
		return
	}
	k, err := session.DecodeToken(text)
	if err != nil {
		m.t.Errorf("%s: token: %v", line, err)
		return
	}
	e, err := session.ParseExperiment("token", "token", []byte(k.Source))
	if err != nil {
		m.t.Errorf("%s: token: %v", line, err)
		return
	}
	lines, err := script.Parse("paste", strings.Join(k.Commands, "\n"), e.Times())
	if err != nil {
		m.t.Errorf("%s: the printed list is refused: %v", line, err)
		return
	}
	s, err := session.Open(e, k.Seed, lines, session.Observer{})
	if err != nil {
		m.t.Errorf("%s: the printed list cannot be replayed: %v", line, err)
		return
	}
	if s.Trace().Hash() != k.Trace || !slices.Equal(s.Commands(), m.s.Commands()) {
		m.t.Errorf("%s: the printed list makes another trace", line)
	}
}

// undoes takes an undo back at once.
func (m *monkey) undoes(line string) {
	before, hash := m.s.Commands(), m.s.Trace().Hash()
	if m.s.Undo() != nil {
		return
	}
	if err := m.s.Redo(); err != nil {
		m.t.Errorf("%s: redo: %v", line, err)
		return
	}
	if !slices.Equal(before, m.s.Commands()) || hash != m.s.Trace().Hash() {
		m.t.Errorf("%s: undo and redo is another list", line)
	}
}

func (m *monkey) checkError(line string, err error) {
	var fork *session.NeedsFork
	if errors.As(err, &fork) {
		return
	}
	var p *sim.Problem
	if !errors.As(err, &p) {
		m.t.Errorf("%s: the error is none of the user's: %v", line, err)
	}
}

func (m *monkey) time() string {
	return m.one("0", "1s", "2s", "5s", "7500ms", "12s", "-3s", "00:00:09", "MIN", "MAX", "9223372036854775806", "-9223372036854775807", "1000000000000000000", "-1000000000000000000", "none")
}

func (m *monkey) duration() string {
	return m.one("1ms", "200ms", "1s", "1s", "3s", "10s", "0s", "1m", "1h")
}

func (m *monkey) split() string {
	return m.one("clicks/0", "clicks/1", "clicks/2", "clicks", "views", "views/0", "clicks/new", "nobody/0")
}

func (m *monkey) operator() string {
	return m.one("totals", "totals[0]", "totals[1]", "totals[63]", "clicks", "clicks[0]", "pairs", "counts", "out", "stamped", "views[0]", "nobody")
}

func (m *monkey) line() string {
	switch m.below(30) {
	case 0, 1, 2, 3, 4, 5:
		return fmt.Sprintf("produce %s %s %s %s%s", m.split(), m.time(), m.one("ana", "luis", "가", `"a b"`),
			m.one("1", "2", "word", "9223372036854775807", "-9223372036854775808"),
			m.one("", "", " mark", " event="+m.time(), " expr=none", " gap="+m.duration(), " op=-D", " until step "+fmt.Sprint(m.s.Trace().Len()+m.below(4))))
	case 6, 7, 8:
		return "advance " + m.duration() + m.one("", "", fmt.Sprintf(" until step %d", m.s.Trace().Len()+m.below(5)))
	case 9:
		return m.one("run", fmt.Sprintf("run until step %d", m.s.Trace().Len()+m.below(6)-1), "run", "run", "run", "run until count(records, true) > 3", m.one("run", "run", "run until false"))
	case 10:
		return "watermark " + m.split() + " " + m.time()
	case 11:
		return m.one("idle ", "active ") + m.split()
	case 12:
		return m.one("pause ", "resume ") + m.split()
	case 13:
		return "slow " + m.split() + " " + m.one("off", "100ms", "10s", "0s")
	case 14:
		return "split " + m.one("add", "remove") + " " + m.split()
	case 15:
		return "backpressure " + m.operator() + m.one(" on", " on", " off")
	case 16:
		return m.one("end clicks", "end clicks", "end views", "stop", "stop --drain")
	case 17, 18:
		return "checkpoint" + m.one("", "", fmt.Sprintf(" until step %d", m.s.Trace().Len()+1+m.below(4)))
	case 19:
		return "crash " + m.operator() + m.one("", "", " at task.record", " at task.emit", " at source.read", " at checkpoint.completed", " at checkpoint.acknowledged", " at record.timestamp", " at task.watermark")
	case 20:
		return "restore" + m.one("", "", " none", " 1", " chk-2", " sp1", " chk-99")
	case 21:
		return "rescale " + m.one("1", "2", "3", "64", "65", "0")
	case 22:
		return "fault " + m.one("task.record", "task.emit", "source.read", "record.timestamp", "checkpoint.acknowledged") + m.one("", " nth=2", " at=totals", " at=clicks/0", " with=skewed for=5s", " with=future for=9223372036854775ms")
	case 23:
		return m.one("set sources.clicks.watermark.bound 3s", "set operators.totals.lateness 1h", "set parallelism 3", "seed 7",
			"set operators.totals 3", "set operators.totals.window.assign sliding 10s 1ms", "set operators.totals.window.assign tumbling 1ms", "set operators.totals.lateness MAX",
			"set flinkConfiguration.pipeline.auto-watermark-interval 1ms", "set sources {}", "set sources.clicks", "set a..b 1", `set name "x`, "set flinkConfiguration.restart-strategy.type fixed-delay")
	case 24:
		return m.one("expect count(records, true) > 1", "predict len(firings) == 2", "show state --dump", "why", "why 3", "why 99999", "show windows")
	case 25:
		return m.one("undo", "undo", "redo", "reset", "undo")
	case 26:
		return m.one("back", "back 5", "forward", "forward 100", fmt.Sprintf("goto %d", 1+m.below(m.s.Trace().Len()+2)))
	case 27:
		if m.below(2) == 0 {
			m.forks++
			return fmt.Sprintf("fork list-%d", m.forks)
		}
		return "switch " + m.s.Forks()[m.below(len(m.s.Forks()))]
	case 28:
		return m.one("job job.yaml", "job other.yaml", "nonsense", "produce", "advance", "advance 5", "until step 3", "run until", "savepoint")
	}
	return m.one("redo", "switch nowhere", "fork main", "goto 0", "# nothing", "")
}
