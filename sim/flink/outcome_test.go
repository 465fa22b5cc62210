package flink_test

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/operator"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// An outcome is what must be the same in every run of a job.
type outcome struct {
	dump []string
	// committed are the results that the transactions of the sinks made visible.
	committed []string
	// faults are the fault points that were hit; restarts counts attempts and
	// jobs after the first.
	faults   map[string]int
	restarts int
	late     int
	// trace is the hash of the steps.
	trace string
}

// committedResults are the outside system of all sinks of a run.
type committedResults struct {
	sinks   []string
	by      []int
	results [][]operator.Record
	done    map[int64]bool
	order   []int64
}

// Begin implements flink.Transactions.
func (c *committedResults) Begin(sink string, subtask int) int64 {
	c.sinks, c.by, c.results = append(c.sinks, sink), append(c.by, subtask), append(c.results, nil)
	return int64(len(c.results) - 1)
}

// Write implements flink.Transactions.
func (c *committedResults) Write(id int64, r *operator.Record) {
	c.results[id] = append(c.results[id], *r)
}

// Aborted implements flink.Transactions.
func (c *committedResults) Aborted(int64) bool { return false }

// Commit implements flink.Transactions.
func (c *committedResults) Commit(id int64) (int, bool) {
	if c.done[id] {
		return 0, true
	}
	c.done[id] = true
	c.order = append(c.order, id)
	return len(c.results[id]), false
}

// Subtask implements flink.Transactions.
func (c *committedResults) Subtask(id int64) int { return c.by[id] }

// Results implements flink.Transactions.
func (c *committedResults) Results(id int64) int { return len(c.results[id]) }

// Lingering implements flink.Transactions: nothing is thrown away, so that what
// is committed by mistake shows.
func (c *committedResults) Lingering(string) []int64 { return nil }

// Abort implements flink.Transactions.
func (c *committedResults) Abort(int64) {}

// multiset lists what was committed. Of an operator whose intermediate
// results depend on when the watermark passes (ticks, counts at a timer), it
// lists what does not.
func (c *committedResults) multiset(kinds []string) []string {
	var out []string
	for _, id := range c.order {
		var n int
		if _, err := fmt.Sscanf(c.sinks[id], "sink%d", &n); err != nil {
			panic(err)
		}
		for _, r := range c.results[id] {
			at := fmt.Sprintf("%s %s [%d,%d)", c.sinks[id], r.Key.Name, r.Window.Start, r.Window.End)
			switch kinds[n] {
			case "trigger continuous":
				// A tick shows what had come by then; the last one shows all.
				if r.Timer == r.Window.End-1 {
					out = append(out, fmt.Sprintf("%s %d", at, r.Value))
				}
			case "process count":
				out = append(out, fmt.Sprintf("%s #%d", at, r.Count))
			case "process count-on-timer":
				out = append(out, fmt.Sprintf("%s at %d", at, r.TS))
			default:
				out = append(out, fmt.Sprintf("%s %d %s %v %d %t", at, r.Value, r.Word, r.Values, r.Count, r.NullSum))
			}
		}
	}
	sort.Strings(out)
	return out
}

// A defect alters what a job is restored from.
type defect func(*flink.Restored)

// run runs a variant and returns what came of it. A record that is late is an
// error: then there need not be one result.
func (g *generated) run(v *variant, plant defect) (*outcome, error) {
	out, err := g.play(v, plant)
	if err == nil && out.late > 0 {
		return nil, fmt.Errorf("%d late records", out.late)
	}
	return out, err
}

// runLate is run for tests about late records.
func (g *generated) runLate(v *variant) (*outcome, error) { return g.play(v, nil) }

func (g *generated) play(v *variant, plant defect) (*outcome, error) {
	store := &committedResults{done: map[int64]bool{}}
	files := map[string][]byte{"job.yaml": []byte(g.job(v))}
	w := world.New(world.Config{
		Files: files, Seed: g.seed,
		Alter: func(s *flink.Spec) {
			s.FinalCheckpoint = true
			s.Restoring = plant
			for _, sink := range s.Sinks {
				sink.Transactions = store
			}
		},
	})

	defer w.Close()
	// apply waits for the restart that a fault has made necessary.
	apply := func(text string) error {
		l, perr := script.ParseLine("script.txt", 1, text, script.Times{})
		if perr != nil {
			return perr
		}
		for range 20 {
			err := l.Command.(script.WorldCommand).Apply(w, world.Command(l.Text), script.Times{})
			var p *sim.Problem
			if errors.As(err, &p) && p.ID == "world.no-checkpoint" {
				// The checkpoint before it was lost: nothing was committed either.
				return w.Restore("restore none", "none")
			}
			if errors.As(err, &p) && p.ID == "world.frozen" {
				return nil // it stands still already
			}
			if !errors.As(err, &p) || p.ID != "world.not-running" {
				return err
			}
			wait := int64(20)
			if w.Job().Status == flink.Suspended {
				// Until another JobManager leads.
				wait = 10_000
			}
			if err := w.Advance("advance", wait); err != nil {
				return err
			}
		}
		return errors.New("the job does not run")
	}
	current := *v
	var steps int
	for _, text := range append([]string{"job job.yaml"}, g.script(v)...) {
		if rest, ok := strings.CutPrefix(text, "readers "); ok {
			// Somebody edits the job file: it counts with the next restore.
			if _, err := fmt.Sscan(rest, &current.readers); err != nil {
				return nil, err
			}
			files["job.yaml"] = []byte(g.job(&current))
			continue
		}
		if rest, ok := strings.CutPrefix(text, "stop "); ok {
			// The next command stops after some steps, with everything on its way.
			if _, err := fmt.Sscan(rest, &steps); err != nil {
				return nil, err
			}
			w.StopAt(w.Trace().Len() + steps)
			continue
		}
		if text == "go" {
			w.StopAt(0)
			continue
		}
		if err := apply(text); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	// Let the watermark rise again after what has happened, and take a
	// checkpoint that nothing spoils: rows that wait in a buffer are then in
	// state, and every result is committed.
	for range 10 {
		failed := func() int {
			return count(w.Trace(), "task.failed") + count(w.Trace(), "jobmanager.lost") + count(w.Trace(), "fault.injected")
		}
		failures := failed()
		for _, text := range []string{"advance 1s", "checkpoint", "advance 1s"} {
			if err := apply(text); err != nil {
				return nil, err
			}
		}
		if failed() == failures {
			break
		}
	}
	out := &outcome{trace: w.Trace().Hash(), committed: store.multiset(g.kinds), faults: map[string]int{}}
	for _, row := range w.Dump() {
		out.dump = append(out.dump, row.String())
	}
	for _, s := range w.Trace().Steps() {
		switch b := s.Body.(type) {
		case sim.FaultInjected:
			out.faults[b.Point]++
		case sim.JobStarted:
			out.restarts++
		case sim.RecordDropped, sim.RecordLate:
			if !strings.HasSuffix(s.At, sim.Zombie) {
				out.late++
			}
		}
	}
	out.restarts--
	return out, nil
}

func count(t *sim.Trace, kind string) (n int) {
	for _, s := range t.Steps() {
		if s.Type() == kind {
			n++
		}
	}
	return n
}

// differs says where two outcomes are not the same.
func (o *outcome) differs(other *outcome) string {
	if d := firstDifference(o.dump, other.dump); d != "" {
		return "state: " + d
	}
	if d := firstDifference(o.committed, other.committed); d != "" {
		return "committed: " + d
	}
	return ""
}

func firstDifference(a, b []string) string {
	for i := range max(len(a), len(b)) {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return fmt.Sprintf("%q is %q", x, y)
		}
	}
	return ""
}

// canonicalBytes plays a story and takes a canonical savepoint before its
// closing records: the keyed state of each subtask as the savepoint has it.
func (g *generated) canonicalBytes(v *variant) (map[string][]byte, error) {
	w := world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(g.job(v))}, Seed: g.seed})
	defer w.Close()
	for _, text := range slices.Concat([]string{"job job.yaml"}, g.lines, []string{"advance 1s", "savepoint canonical"}) {
		l, perr := script.ParseLine("script.txt", 1, text, script.Times{})
		if perr != nil {
			return nil, perr
		}
		if err := l.Command.(script.WorldCommand).Apply(w, world.Command(l.Text), script.Times{}); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	storage := w.Job().Coordinator().Storage()
	all := w.Cluster().Snapshots()
	if len(all) == 0 || !all[len(all)-1].Savepoint() {
		return nil, errors.New("there is no savepoint")
	}
	m, err := storage.ReadMetadata(all[len(all)-1].Directory)
	if err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for _, o := range m.Operators {
		for i, s := range o.Subtasks {
			if s == nil {
				continue
			}
			for _, k := range s.Keyed {
				for _, h := range k.Private {
					b, _, err := storage.Read(h.Handle)
					if err != nil {
						return nil, err
					}
					out[fmt.Sprintf("%s[%d] %s", o.UID, i, k.Backend)] = b.Bytes
				}
			}
		}
	}
	return out, nil
}
