package narrate

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// size is a number of bytes in a cell.
func (v viewer) size(n int64) string { return v.text("view.size", locale.Args{"Size": n}) }

// checkpoints are the history of snapshots as Flink's web UI has it, and then
// what each one wrote; those of former jobs, whose ids may come again, stand in
// front.
func (v viewer) checkpoints() (out []Table) {
	f := fold.StorageOf(v.run.Trace)
	var jobs []string
	for _, c := range f.Snapshots {
		if !slices.Contains(jobs, c.Job) {
			jobs = append(jobs, c.Job)
		}
	}
	for _, job := range jobs {
		if job != f.Job {
			tables := v.history(f, job)
			tables[0].Title = v.text("view.checkpoints.earlier", nil)
			out = append(out, tables...)
		}
	}
	return append(out, v.history(f, f.Job)...)
}

func (v viewer) history(f *fold.Storage, job string) []Table {
	history := v.table("checkpoints", "#id", "kind", "~checkpoint-status", "#trigger-time", "#duration")
	sizes := v.table("checkpoints.sizes", "#id", "#checkpointed-size", "#full-size", "#new-tables", "#reused-tables")
	for _, c := range f.Snapshots {
		if c.Job != job {
			continue
		}
		id := strconv.Itoa(c.ID)
		duration := ""
		if c.Status != fold.SnapshotPending {
			duration = v.text("narrate.duration", locale.Args{"D": int64(c.Duration)})
		}
		history.add(id, v.kind(c), v.snapshotStatus(f, c), locale.Clock(c.Triggered.T), duration)
		if c.Status == fold.SnapshotCompleted {
			news, reused := strconv.Itoa(c.NewTables), strconv.Itoa(c.ReusedTables)
			if c.NewTables+c.ReusedTables == 0 { // the state lies on the heap
				news, reused = "-", "-"
			}
			sizes.add(id, v.size(int64(c.Size)), v.size(int64(c.FullSize)), news, reused)
		}
	}
	if len(sizes.Rows) == 0 {
		return []Table{history}
	}
	return []Table{history, sizes}
}

func (v viewer) kind(c *fold.Snapshot) string {
	switch {
	case c.Kind == kindFull:
		return v.text("view.kind.full", nil)
	case c.Savepoint():
		return v.text("view.kind.savepoint", locale.Args{"Format": v.format(c.Format), "Name": c.Name})
	}
	return v.text("view.kind.checkpoint", nil)
}

// snapshotStatus is Flink's word, and what has become of the snapshot since.
func (v viewer) snapshotStatus(f *fold.Storage, c *fold.Snapshot) string {
	more := ""
	missing := f.Missing(c)
	switch {
	case c.Status == fold.SnapshotAborted:
		more = c.Reason
	case c.Lost:
		more = v.text("view.snapshot.lost", nil)
	case c.Status == fold.SnapshotPending:
		if names := unacknowledged(v.run.Trace, int64(c.ID)); len(names) > 0 {
			more = v.loc.Plural("view.snapshot.waiting", int64(len(names)), locale.Args{"Names": v.list(names)})
		}
	case c.Discarded != nil:
		more = v.text("view.snapshot.discarded", locale.Args{"Step": c.Discarded.Seq})
	case len(missing) > 0:
		more = v.loc.Plural("view.snapshot.broken", int64(len(missing)), nil)
	case c.Savepoint():
	case c.Subsumed:
		more = v.text("view.snapshot.subsumed", nil)
	default:
		more = v.text("view.snapshot.retained", nil)
	}
	return v.text("view.snapshot", locale.Args{"Status": c.WebStatus(), "More": more})
}

// snapshotName is how a script calls a snapshot.
func (v viewer) snapshotName(f *fold.Storage, c *fold.Snapshot) string {
	if c.Savepoint() {
		return v.text("view.user.savepoint", locale.Args{"Name": c.Name})
	}
	return f.Label(c)
}

// users says which snapshots need an object, or nothing.
func (v viewer) users(f *fold.Storage, o *fold.StoredObject) string {
	var names []string
	for _, c := range f.Users(o) {
		names = append(names, v.snapshotName(f, c))
	}
	if len(names) == 0 {
		return ""
	}
	return v.loc.Plural("view.object.used", int64(len(names)), locale.Args{"Users": v.list(names)})
}

// objects are the objects of the store, a table for each directory. What the
// JobManager deleted as it should is only counted.
func (v viewer) objects() []Table {
	f := fold.StorageOf(v.run.Trace)
	var dirs []string
	byDir := map[string][]*fold.StoredObject{}
	cleaned := map[string]int{}
	for _, o := range f.Objects {
		dir := directory(o.Path)
		if byDir[dir] == nil && cleaned[dir] == 0 {
			dirs = append(dirs, dir)
		}
		if o.Deleted != nil && o.DeletedBy == "jobmanager" && !o.Table() {
			cleaned[dir]++
		} else {
			byDir[dir] = append(byDir[dir], o)
		}
	}
	var out []Table
	gone := v.table("objects.cleaned", "directory", "#objects")
	for _, dir := range dirs {
		if n := cleaned[dir]; n > 0 {
			gone.add(dir+"/", strconv.Itoa(n))
		}
		if len(byDir[dir]) == 0 {
			continue
		}
		t := v.table("objects", "object", "#size", "created-by", "~standing")
		t.Title = v.text("view.objects.in", locale.Args{"Directory": dir + "/"})
		for _, o := range byDir[dir] {
			t.add(v.objectName(o), v.size(int64(o.Size)), v.createdBy(o), v.objectState(f, o))
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		out = append(out, v.table("objects", "object", "#size", "created-by", "~standing"))
	}
	if len(gone.Rows) > 0 {
		out = append(out, gone)
	}
	return out
}

// objectName is its name in its directory, and which SST it is where the name
// does not say so.
func (v viewer) objectName(o *fold.StoredObject) string {
	name := path.Base(o.Path)
	if o.SST == "" || strings.HasPrefix(name, o.SST) {
		return name
	}
	return v.text("view.object.sst", locale.Args{"Name": name, "SST": o.SST})
}

func (v viewer) createdBy(o *fold.StoredObject) string {
	if c := o.Creator; c != nil && !o.HandedOver {
		return v.named(c.ID, c.Savepoint(), c.Name)
	}
	return place(o.At)
}

// objectState says who needs an object, or who deleted it.
func (v viewer) objectState(f *fold.Storage, o *fold.StoredObject) string {
	switch s := f.StandingOf(o); s {
	case fold.Deleted:
		return v.text("view.object.deleted."+o.DeletedBy, locale.Args{"Step": o.Deleted.Seq, "Users": v.users(f, o)})
	case fold.Needed:
		return v.users(f, o)
	default:
		return v.text("view.object."+string(s), nil)
	}
}

// registry are the shared files that the present job knows.
func (v viewer) registry() Table {
	t := v.table("registry", "shared-file", "#size", "#created-by-id", "#last-used-by", "~standing")
	f := fold.StorageOf(v.run.Trace)
	for _, x := range f.Shared {
		size, what := "", v.text("view.shared.unused", nil)
		if o := f.ObjectAt(x.Path); o != nil {
			size = v.size(int64(o.Size))
			if users := v.users(f, o); users != "" {
				what = users
			}
			if o.Deleted != nil {
				what = v.objectState(f, o)
			}
		}
		t.add(x.Path, size, strconv.Itoa(x.CreatedBy), strconv.Itoa(x.LastUsed), what)
	}
	return t
}

// lsm are the table files of each column family of a subtask.
func (v viewer) lsm() Table {
	t := v.table("lsm", "subtask", "family", "level", "~tables", "#size")
	trees := fold.StorageOf(v.run.Trace).Trees
	slices.SortStableFunc(trees, func(a, b *fold.Tree) int {
		return cmp.Or(strings.Compare(a.At, b.At), strings.Compare(a.Family, b.Family))
	})
	for _, tree := range trees {
		levels := map[int][]sim.TableFile{}
		var order []int
		for _, file := range tree.Tables {
			if levels[file.Level] == nil {
				order = append(order, file.Level)
			}
			levels[file.Level] = append(levels[file.Level], file)
		}
		slices.Sort(order)
		for _, level := range order {
			var names []string
			size := int64(0)
			for _, file := range levels[level] {
				names = append(names, v.text("view.table-file", locale.Args{"Name": file.Name, "Size": file.Size}))
				size += file.Size
			}
			t.add(place(tree.At), tree.Family, "L"+strconv.Itoa(level), v.listUpTo(names, 8), v.size(size))
		}
	}
	return t
}
