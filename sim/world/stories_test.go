package world_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/flink"
	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// A story is a file of testdata: directives that build a world and type into
// it, with what the trace says. Its comments say why it is there.
//
//	job                  a job file: a new world starts it
//	world                a new world without a job
//	type [only=(T,…)] [json]
//	                     command lines; each is followed by the steps that it
//	                     made, all or those of some types, compact or as JSON
//	dump                 the state of the job
//	edit                 the job file is another from the next restore on
type story struct {
	w     *world.World
	files map[string][]byte
	told  int
	// worlds are all that the story has made.
	worlds []*world.World
}

func storyFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	return files
}

func TestStories(t *testing.T) {
	for _, file := range storyFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) { runStory(t, file) })
	}
}

// runStory runs a file and returns the worlds of its jobs.
func runStory(t *testing.T, file string) []*world.World {
	s := &story{}
	datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
		switch d.Cmd {
		case "job":
			return s.job(d.Input)
		case "world":
			s.w, s.told = world.New(world.Config{Seed: 1}), 0
			s.worlds = append(s.worlds, s.w)
			return ""
		case "edit":
			s.files["job.yaml"] = []byte(d.Input)
			return ""
		case "type":
			return s.typed(t, d)
		case "dump":
			var b strings.Builder
			for _, row := range s.w.Dump() {
				b.WriteString(strings.ReplaceAll(row.String(), "\t", " ") + "\n")
			}
			return b.String()
		}
		d.Fatalf(t, "unknown directive %q", d.Cmd)
		return ""
	})
	return s.worlds
}

func (s *story) job(text string) string {
	s.files = map[string][]byte{"job.yaml": []byte(text)}
	s.w, s.told = world.New(world.Config{Files: s.files, Seed: 1}), 0
	s.worlds = append(s.worlds, s.w)
	if err := s.w.Start("job job.yaml", "job.yaml"); err != nil {
		return problem(err)
	}
	s.told = s.w.Trace().Len()
	if bad := s.check(); bad != "" {
		return bad
	}
	return ""
}

func (s *story) typed(t *testing.T, d *datadriven.TestData) string {
	var only []string
	whole := false
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "only":
			only = a.Vals
		case "json":
			whole = true
		default:
			d.Fatalf(t, "unknown argument %q", a.Key)
		}
	}
	lines, err := script.Parse("story", d.Input, script.Times{})
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "> %s\n", l.Text)
		err := l.Command.(script.WorldCommand).Apply(s.w, world.Command(l.Text), script.Times{})
		for _, step := range s.w.Trace().Steps()[s.told:] {
			kind := step.Type()
			if kind == "command.given" && !whole || only != nil && !slices.Contains(only, kind) {
				continue
			}
			if whole {
				b.Write(append(sim.AppendStep(nil, step), '\n'))
			} else {
				b.WriteString(compact(step) + "\n")
			}
		}
		s.told = s.w.Trace().Len()
		if err != nil {
			b.WriteString(problem(err))
		}
	}
	return b.String() + s.check()
}

// check says what is wrong with the trace whatever it is about: a cause that
// does not stand before its step, time that goes back.
func (s *story) check() string {
	last := int64(0)
	for i, step := range s.w.Trace().Steps() {
		if step.Seq != i+1 || step.T < last {
			return fmt.Sprintf("step %d: number %d, time %d\n", i+1, step.Seq, step.T)
		}
		last = step.T
		if len(step.CauseSeqs()) == 0 && step.Type() != "command.given" {
			return fmt.Sprintf("step %d (%s) has no cause\n", step.Seq, step.Type())
		}
		for _, c := range step.CauseSeqs() {
			if c >= step.Seq {
				return fmt.Sprintf("step %d has the cause %d\n", step.Seq, c)
			}
		}
	}
	return s.checkStore() + s.checkBroker()
}

// checkBroker holds what the folds say about the broker against the broker:
// views read the trace and nothing else.
func (s *story) checkBroker() string {
	var b strings.Builder
	k, broker := fold.KafkaOf(s.w.Trace()), s.w.Broker()
	for _, at := range broker.TopicPartitions("") {
		p := broker.Partition(at)
		i := slices.IndexFunc(k.Partitions, func(x *fold.Partition) bool { return x.Name == at.String() })
		if i < 0 {
			if p.End > 0 {
				fmt.Fprintf(&b, "no fold knows %s\n", at)
			}
			continue
		}
		x := k.Partitions[i]
		if got, want := [4]int64{int64(x.Start), int64(x.LSO), int64(x.HW), int64(x.End)}, [4]int64{p.Start, p.LastStableOffset(), p.HighWatermark(), p.End}; got != want {
			fmt.Fprintf(&b, "%s is at %v, the folds say %v\n", at, want, got)
		}
		for _, committed := range []bool{true, false} {
			reads := p.ReadUncommitted(0)
			if committed {
				reads = p.ReadCommitted(0)
			}
			var want []string
			for _, r := range reads {
				want = append(want, r.Record.Value)
			}
			if got, _ := k.Readable(at.String(), committed); !slices.Equal(got, want) {
				fmt.Fprintf(&b, "%s has %v (committed: %v), the folds say %v\n", at, want, committed, got)
			}
		}
	}
	var want, got []string
	for _, t := range broker.Transactions() {
		want = append(want, fmt.Sprintln(t.ID, t.State, t.Producer, t.Epoch, t.Start))
	}
	for _, t := range k.IDs {
		got = append(got, fmt.Sprintln(t.Last.ID, t.Last.State, t.Last.Producer, t.Last.Epoch, t.Last.Start))
	}
	if !slices.Equal(got, want) {
		fmt.Fprintf(&b, "the ids are %v, the folds say %v\n", want, got)
	}
	want, got = nil, nil
	for _, g := range broker.Groups() {
		for _, o := range broker.OffsetFetch(g, false) {
			want = append(want, fmt.Sprintln(g, o.At, o.Offset))
		}
	}
	for _, g := range k.Groups {
		got = append(got, fmt.Sprintln(g.Group, g.Partition, g.Offset))
	}
	if !slices.Equal(got, want) {
		fmt.Fprintf(&b, "the groups have %v, the folds say %v\n", want, got)
	}
	return b.String()
}

// checkStore holds what the folds say about the store against the store: the
// trace must tell every object that comes and goes. Only what a tree wrote there
// itself and never handed over it also deletes without a word.
func (s *story) checkStore() string {
	f := fold.Of(s.w.Trace())
	told := map[string]int64{}
	for _, o := range f.Objects {
		if o.Exists && o.CreatedBy > 0 {
			told[o.Path] = int64(o.Size)
		}
	}
	var b strings.Builder
	for _, o := range s.w.Cluster().Store.Objects() {
		own := slices.ContainsFunc(f.Objects, func(x *fold.Object) bool { return x.Path == o.Key && x.CreatedBy == 0 })
		if size, ok := told[o.Key]; !own && (!ok || size != o.Size) {
			fmt.Fprintf(&b, "no step tells of %s with %d bytes\n", o.Key, o.Size)
		}
		delete(told, o.Key)
	}
	for _, path := range slices.Sorted(maps.Keys(told)) {
		fmt.Fprintf(&b, "no step tells that %s is gone\n", path)
	}
	for _, c := range s.w.Cluster().Snapshots() {
		name := c.Job + "/" + c.Label()
		if c.Savepoint() {
			name = c.Label()
		}
		if !slices.ContainsFunc(f.Checkpoints, func(x *fold.Checkpoint) bool { return x.Name == name && x.Path == c.Directory && x.Gone == c.Gone }) {
			fmt.Fprintf(&b, "no checkpoint of the folds is %s\n", name)
		}
	}
	storage := fold.StorageOf(s.w.Trace())
	if j := s.w.Job(); j != nil && j.Status == flink.Running {
		var told []checkpoint.SharedFile
		for _, x := range storage.Shared {
			told = append(told, checkpoint.SharedFile{Path: x.Path, CreatedBy: int64(x.CreatedBy), LastUsed: int64(x.LastUsed)})
		}
		slices.SortFunc(told, func(a, b checkpoint.SharedFile) int { return strings.Compare(a.Path, b.Path) })
		if known := j.Coordinator().Store().Registry().Entries(); !slices.Equal(known, told) {
			fmt.Fprintf(&b, "the registry is %v, the folds say %v\n", known, told)
		}
		var kept []string
		for _, x := range storage.Snapshots {
			if storage.Kept(x) {
				kept = append(kept, x.Path)
			}
		}
		var known []string
		for _, x := range j.Coordinator().Store().Checkpoints() {
			known = append(known, x.Location.Directory)
		}
		if !slices.Equal(known, kept) {
			fmt.Fprintf(&b, "the coordinator keeps %v, the folds say %v\n", known, kept)
		}
	}
	return b.String()
}

func problem(err error) string {
	var f *world.FileProblem
	if errors.As(err, &f) {
		return fmt.Sprintf("! %d:%d %s\n", f.Line, f.Col, f.Problem)
	}
	return "! " + err.Error() + "\n"
}

// compact writes a step on a short line: time, place, type, rule, fields.
func compact(s *sim.Step) string {
	text := sim.AppendStep(nil, s)
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s %s %s", s.T, s.At, s.Type(), s.Rule)
	if _, err := d.Token(); err != nil {
		return err.Error()
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err.Error()
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return err.Error()
		}
		switch key {
		case "seq", "t", "type", "at", "rule", "cause":
			continue
		}
		value := string(v)
		if w := strings.Trim(value, `"`); !strings.ContainsAny(w, ` "`) {
			value = w
		} else if !strings.HasPrefix(value, `"`) {
			value = strings.ReplaceAll(value, `"`, "")
		}
		fmt.Fprintf(&b, " %s=%s", key, value)
	}
	return b.String()
}
