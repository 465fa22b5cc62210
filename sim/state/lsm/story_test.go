package lsm

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim/state"
)

// A story is a file of commands and what they show:
//
//	open task=NAME [p=N subtask=N] [backend=rocksdb|forst-async|forst-sync] [incremental=false] [heap-timers]
//	put / remove / get / timer (input: a line each)
//	flush, compact, run-compaction (task=NAME)
//	checkpoint id=N [full], savepoint id=N format=native|canonical
//	confirm id=N, abort id=N
//	restore task=NAME from=(TASK/chk-N …) [p=N subtask=N …]
//	lsm, dump, metrics, objects, lose object=NAME, close, kill
type story struct {
	t       *testing.T
	names   *Names
	keys    *state.Keys
	objects map[string][]byte
	remote  FS
	tasks   map[string]*task
	handles map[string]*Handle
	made    int
}

type task struct {
	db     *DB
	store  *state.Store
	value  *state.Table[int64]
	timers *state.Timers
}

func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s := &story{
				t: t, names: &Names{}, keys: state.NewKeys(128), objects: map[string][]byte{}, remote: NewMemFS(),
				tasks: map[string]*task{}, handles: map[string]*Handle{},
			}
			datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
				var b strings.Builder
				if err := s.run(d, &b); err != nil {
					fmt.Fprintf(&b, "error: %v\n", err)
				}
				if b.Len() == 0 {
					return "ok\n"
				}
				return b.String()
			})
			for _, task := range s.tasks {
				if err := task.db.Close(); err != nil && !errors.Is(err, ErrClosed) {
					t.Error(err)
				}
			}
		})
	}
}

func arg(d *datadriven.TestData, name, other string) string {
	for _, a := range d.CmdArgs {
		if a.Key == name {
			if len(a.Vals) == 0 {
				return "true"
			}
			return a.Vals[0]
		}
	}
	return other
}

func number(d *datadriven.TestData, name string, other int) int {
	n, err := strconv.Atoi(arg(d, name, strconv.Itoa(other)))
	if err != nil {
		return other
	}
	return n
}

func (s *story) fetch(object string) ([]byte, error) {
	if b, ok := s.objects[object]; ok {
		return b, nil
	}
	return ReadFile(s.remote, object)
}

func (s *story) run(d *datadriven.TestData, out *strings.Builder) error {
	name := arg(d, "task", "task")
	if d.Cmd == "open" || d.Cmd == "restore" {
		return s.open(d, name)
	}
	t := s.tasks[name]
	if t == nil {
		return fmt.Errorf("no task %s", name)
	}
	switch d.Cmd {
	case "put":
		for _, field := range strings.Fields(d.Input) {
			k, v, _ := strings.Cut(field, "=")
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return err
			}
			if key := s.keys.Intern(k); t.db.Groups().Contains(key.Group) {
				t.value.Put(key, state.Void, n)
			}
		}
		return t.store.Err()
	case "fill":
		for i := range number(d, "n", 1) {
			if key := s.keys.Intern(fmt.Sprintf("key-%d", i)); t.db.Groups().Contains(key.Group) {
				t.value.Put(key, state.Void, int64(i))
			}
		}
		return t.store.Err()
	case "timer":
		for _, field := range strings.Fields(d.Input) {
			k, v, _ := strings.Cut(field, "@")
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return err
			}
			if key := s.keys.Intern(k); t.db.Groups().Contains(key.Group) {
				t.timers.Register(n, key, state.Void)
			}
		}
		return t.store.Err()
	case "remove":
		for _, k := range strings.Fields(d.Input) {
			t.value.Delete(s.keys.Intern(k), state.Void)
		}
		return t.store.Err()
	case "get":
		for _, k := range strings.Fields(d.Input) {
			if v, ok := t.value.Get(s.keys.Intern(k), state.Void); ok {
				fmt.Fprintf(out, "%s=%d\n", k, v)
			} else {
				fmt.Fprintf(out, "%s: none\n", k)
			}
		}
		return t.store.Err()
	case "flush":
		return t.db.flushAll()
	case "compact":
		edits, err := t.db.Compact()
		for _, e := range edits {
			writeEdit(out, e.Family, e.Edit)
		}
		return err
	case "due":
		due, err := t.db.CompactionsDue()
		for _, x := range due {
			fmt.Fprintf(out, "%s: score %d, %d tables in L0\n", x.Family, x.Score, x.Level0)
		}
		return err
	case "run-compaction":
		edit, ok, err := t.db.RunCompaction(arg(d, "family", "value"))
		if ok {
			writeEdit(out, "value", edit)
		}
		return err
	case "checkpoint", "savepoint":
		return s.snapshot(d, name, t, out)
	case "confirm":
		t.db.NotifyComplete(int64(number(d, "id", 0)))
	case "abort":
		t.db.NotifyAborted(int64(number(d, "id", 0)))
	case "lsm":
		tables, err := t.db.Tables()
		for _, x := range tables {
			fmt.Fprintf(out, "%s L%d %s groups %d-%d", x.Family, x.Level, x.Name, x.Groups.First, x.Groups.Last)
			if x.Object != "" {
				fmt.Fprintf(out, " %s owner %s", x.Object, x.Owner)
			}
			out.WriteString("\n")
		}
		return err
	case "metrics":
		metrics, err := t.db.Metrics()
		for _, m := range metrics {
			fmt.Fprintf(out, "%s: read amplification %d, flushes %d, compactions %d\n", m.Family, m.ReadAmplification, m.Totals.Flushes, m.Totals.Compactions)
		}
		return err
	case "dump":
		snapshot := t.store.Snapshot()
		for _, rows := range [][]state.NamedRows{snapshot.Tables, snapshot.Timers} {
			for _, nr := range rows {
				for _, r := range nr.Rows {
					fmt.Fprintf(out, "%s %d %s %s", nr.Name, r.Group, r.Key, r.Namespace)
					if nr.Format != nil {
						fmt.Fprintf(out, " %s\n", nr.Format(r.Value))
					} else {
						fmt.Fprintf(out, " at %d\n", r.Timer)
					}
				}
			}
		}
		return t.store.Err()
	case "objects":
		all := slices.Collect(func(yield func(string) bool) {
			for o := range s.objects {
				if !yield(o) {
					return
				}
			}
		})
		sort.Strings(all)
		for _, o := range all {
			fmt.Fprintln(out, o)
		}
	case "lose":
		delete(s.objects, arg(d, "object", ""))
	case "close":
		return t.store.Close()
	case "kill":
		return t.db.Kill()
	default:
		return fmt.Errorf("unknown command %s", d.Cmd)
	}
	return nil
}

func writeEdit(out *strings.Builder, family string, e Edit) {
	names := func(tables []Table) string {
		var all []string
		for _, t := range tables {
			all = append(all, fmt.Sprintf("L%d:%s", t.Level, t.Name))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	fmt.Fprintf(out, "%s %s %s -> %s\n", family, e.Reason, names(e.Inputs), names(e.Outputs))
}

func (s *story) open(d *datadriven.TestData, name string) error {
	groups, err := state.KeyGroupRangeOf(number(d, "subtask", 0), 128, number(d, "p", 1))
	if err != nil {
		return err
	}
	s.made++
	o := Options{
		Names: s.names, UID: strconv.Itoa(s.made), Keys: s.keys, Groups: groups,
		Incremental: arg(d, "incremental", "true") == "true", HeapTimers: arg(d, "heap-timers", "") == "true",
	}
	if backend := arg(d, "backend", "rocksdb"); strings.HasPrefix(backend, "forst") {
		o.ForSt = &ForSt{
			Async: backend == "forst-async", Store: s.remote, JobPath: "shared/", Primary: "shared/db-" + o.UID,
			HandOver: true, Mode: ClaimMode(arg(d, "mode", string(NoClaim))),
		}
	}
	var handles []*Handle
	for _, a := range d.CmdArgs {
		if a.Key == "from" {
			for _, v := range a.Vals {
				h := s.handles[v]
				if h == nil {
					return fmt.Errorf("no snapshot %s", v)
				}
				handles = append(handles, h)
			}
		}
	}
	db, err := Restore(o, handles, s.fetch)
	if err != nil {
		return err
	}
	if old := s.tasks[name]; old != nil {
		if err := old.db.Close(); err != nil && !errors.Is(err, ErrClosed) {
			return err
		}
	}
	store := state.NewStoreOn(state.Backend{Name: db.Backend()}, db, s.keys)
	s.tasks[name] = &task{
		db: db, store: store, value: state.Open(store, "value", state.Int64{}), timers: state.OpenTimers(store, "timers"),
	}
	return store.Err()
}

func (s *story) snapshot(d *datadriven.TestData, name string, t *task, out *strings.Builder) error {
	id, kind, at := number(d, "id", 0), Checkpoint, "@"
	what := "chk"
	switch {
	case d.Cmd == "savepoint":
		kind, at, what = NativeSavepoint, "@s", "sp"
		if arg(d, "format", "native") == "canonical" {
			kind = CanonicalSavepoint
		}
	case arg(d, "full", "") == "true":
		kind = FullCheckpoint
	}
	snapshot, err := t.db.Snapshot(int64(id), kind)
	if err != nil {
		return err
	}
	for _, f := range snapshot.Files {
		if !f.Table() {
			continue
		}
		fmt.Fprintf(out, "%s: %s\n", []string{"upload", "reuse", "hand over"}[f.Transfer], f.Name)
	}
	fmt.Fprintf(out, "form %s\n", snapshot.Form)
	handle, err := snapshot.Finish(func(f File) Stored {
		content, err := snapshot.Read(f)
		if err != nil {
			s.t.Error(err)
		}
		object := fmt.Sprintf("%s/%s%s%d", name, f.Name, at, id)
		s.objects[object] = content
		return Stored{Object: object}
	})
	s.handles[fmt.Sprintf("%s/%s-%d", name, what, id)] = handle
	return err
}
