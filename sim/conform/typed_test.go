package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// A typedCase is a recorded case as a person would type it: a job file and
// the command lines of each step.
type typedCase struct {
	job   string
	lines [][]string
	// got puts what the steps of the trace say into the form of the recording.
	got func(r *typedRun, step int) any
	// expected is what of a recorded entry shows in a trace; nil: all of it.
	expected func(step int, out json.RawMessage) any
}

// errUntyped says why a case cannot be typed.
type errUntyped string

func (e errUntyped) Error() string { return string(e) }

// A typedRun is a case that runs.
type typedRun struct {
	w *world.World
	// steps are those of the present step of the case.
	steps []*sim.Step
	// dropped is numLateRecordsDropped of the attempt, shown what was told of it.
	dropped, shown int64
}

// typed are the kinds whose cases are typed, each with the smallest share of
// its cases that must be typeable, in percent.
var typed = []struct {
	kind  string
	least int
	of    func(c *Recording) (*typedCase, error)
}{
	{"window", 100, typeWindow},
	{"session", 100, typeWindow},
	{"splits", 75, typeSplits},
	{"intervaljoin", 100, typeJoin},
	{"sqlwatermark", 75, typeSQLWatermark},
	{"sqlwindow", 95, typeSQLWindow},
}

// Every recorded case that can be typed gives in a world what is recorded,
// step by step.
func TestTypedStories(t *testing.T) {
	for _, k := range typed {
		t.Run(k.kind, func(t *testing.T) {
			typeAll(t, k.kind, k.least, func(c *Recording) error {
				story, err := k.of(c)
				if err != nil {
					return err
				}
				return story.run(c)
			})
		})
	}
}

// typeAll plays all cases of a kind; at least so many of a hundred must be typeable.
func typeAll(t *testing.T, kind string, least int, play func(*Recording) error) {
	f, err := os.Open("../../testdata/recordings/" + kind + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	total, same := 0, 0
	reasons := map[string]int{}
	Read(kind, f, func(_ int, c *Recording) {
		total++
		err := play(c)
		var untyped errUntyped
		switch {
		case errors.As(err, &untyped):
			reasons[string(untyped)]++
		case err != nil:
			t.Errorf("%s: %v", c.ID, err)
		default:
			same++
		}
	}, func(e *LineError) { t.Error(e) })
	t.Logf("%d of %d cases typed and equal", same, total)
	for _, name := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("%d cannot be typed: %s", reasons[name], name)
	}
	if same*100 < least*total {
		t.Errorf("less than %d %% of the cases are typed", least)
	}
}

func (c *typedCase) text() string {
	lines := []string{"job job.yaml"}
	for _, l := range c.lines {
		lines = append(lines, l...)
	}
	return strings.Join(lines, "\n") + "\n"
}

func (c *typedCase) run(rec *Recording) error {
	parsed, err := script.Parse("story.txt", c.text(), script.Times{})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, c.text())
	}
	r := &typedRun{w: world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(c.job)}, Seed: 1})}
	apply := func(l *script.Line) error {
		return l.Command.(script.WorldCommand).Apply(r.w, world.Command(l.Text), script.Times{})
	}
	if err := apply(parsed[0]); err != nil {
		return refusedAs(err, rec)
	}
	parsed = parsed[1:]
	r.take()
	for i, lines := range c.lines {
		for _, l := range parsed[:len(lines)] {
			if err := apply(l); err != nil {
				return fmt.Errorf("step %d: %s: %w\n%s", i, l.Text, err, c.job)
			}
		}
		parsed = parsed[len(lines):]
		r.take()
		got, err := json.Marshal(c.got(r, i))
		if err != nil {
			return err
		}
		expected := []byte(rec.Out[i])
		if c.expected != nil {
			if expected, err = json.Marshal(c.expected(i, rec.Out[i])); err != nil {
				return err
			}
		}
		if !equal(got, expected) {
			return fmt.Errorf("step %d: %s\nexpected %s\ngot      %s\n%s%s", i, rec.In[i], expected, got, c.job, c.text())
		}
	}
	return nil
}

// refusedAs holds a job file that was refused against the exception that is
// recorded for the first step.
func refusedAs(err error, rec *Recording) error {
	var p *world.FileProblem
	if !errors.As(err, &p) || p.Problem.ID != "job.refused" {
		return err
	}
	got, _ := json.Marshal(struct {
		Error sim.Exception `json:"error"`
	}{sim.Exception{Class: p.Problem.Args["Class"].(string), Message: p.Problem.Args["Message"].(string)}})
	if len(rec.Out) == 0 || !equal(got, rec.Out[0]) {
		return fmt.Errorf("refused: %w", err)
	}
	return nil
}

// take takes the steps since the last call.
func (r *typedRun) take() {
	all := r.w.Trace().Steps()
	r.steps = all[r.told():]
	for _, s := range r.steps {
		switch s.Body.(type) {
		case sim.JobStarted:
			r.dropped, r.shown = 0, 0
		case sim.RecordDropped:
			r.dropped++
		}
	}
}

// told is the number of steps that earlier calls took.
func (r *typedRun) told() int {
	if len(r.steps) == 0 {
		return 0
	}
	return r.steps[len(r.steps)-1].Seq
}

// drops is numLateRecordsDropped when it is another than before.
func (r *typedRun) drops() *int64 {
	if r.dropped == r.shown {
		return nil
	}
	r.shown = r.dropped
	n := r.dropped
	return &n
}

// advanced is the last rise of an operator's watermark.
func (r *typedRun) advanced(at string) *Time {
	var out *Time
	for _, s := range r.steps {
		if b, ok := s.Body.(sim.WatermarkAdvanced); ok && s.At == at {
			out = timeAt(b.Watermark)
		}
	}
	return out
}

func (r *typedRun) failure() *sim.Exception {
	for _, s := range r.steps {
		if b, ok := s.Body.(sim.TaskFailed); ok {
			return &b.Exception
		}
	}
	return nil
}

// rows counts the rows of states in the dump.
func (r *typedRun) rows(states ...string) (n int) {
	for _, row := range r.w.Dump() {
		if slices.Contains(states, row.State) {
			n++
		}
	}
	return n
}

// A typist writes the lines of a case with one scripted split. A restore loses
// what came after the checkpoint, as in a recording: the split is removed and
// another comes in its place. Else the world would read again.
type typist struct {
	sources []string
	split   int
	fresh   bool // nothing was appended since the checkpoint
	saved   bool
	p       int
	top     int64
}

func newTypist(sources ...string) *typist {
	return &typist{sources: sources, fresh: true, p: 1, top: sim.MinTime}
}

func (t *typist) at(source string) string { return fmt.Sprintf("%s/%d", source, t.split) }

func (t *typist) checkpoint() []string {
	t.fresh, t.saved = true, true
	return []string{"checkpoint"}
}

func (t *typist) restore(p int) []string {
	var out []string
	if !t.fresh {
		for _, s := range t.sources {
			out = append(out, "split remove "+t.at(s))
		}
		t.split++
		for _, s := range t.sources {
			out = append(out, "split add "+t.at(s))
		}
	}
	t.fresh, t.top = true, sim.MinTime
	if t.saved {
		out = append(out, "restore")
	} else {
		out = append(out, "restore none")
	}
	if p != t.p {
		out = append(out, fmt.Sprintf("rescale %d", p))
		t.p = p
	}
	return out
}

// rises refuses a watermark that a source would not let through.
func (t *typist) rises(wm Time) error {
	if int64(wm) <= t.top {
		return errUntyped("a watermark that does not rise: a source sends none")
	}
	t.top = int64(wm)
	t.fresh = false
	return nil
}

// word writes a time as a script does.
func (t Time) word() string {
	switch int64(t) {
	case sim.MinTime:
		return "MIN"
	case sim.MaxTime:
		return "MAX"
	}
	return fmt.Sprint(int64(t))
}

// stamp is the word for the timestamp of a record.
func (t Time) stamp() string {
	if int64(t) == sim.MinTime {
		return "none"
	}
	return t.word()
}
