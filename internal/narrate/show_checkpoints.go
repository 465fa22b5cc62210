package narrate

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// size is a number of bytes in a cell.
func (v viewer) size(n int64) string { return v.text("view.size", locale.Args{"Size": n}) }

// checkpoints are the history of snapshots as Flink's web UI has it, and then
// what each one wrote; those of former jobs, whose ids may come again, stand in
// front.
func (v viewer) checkpoints() (out []Table) {
	f := storageOf(v.run.Trace)
	for job := range f.job {
		if tables := v.history(f, job); len(tables[0].Rows) > 0 {
			tables[0].Title = v.text("view.checkpoints.earlier", nil)
			out = append(out, tables...)
		}
	}
	return append(out, v.history(f, f.job)...)
}

func (v viewer) history(f *storage, job int) []Table {
	history := v.table("checkpoints", "#id", "kind", "~checkpoint-status", "#trigger-time", "#duration")
	sizes := v.table("checkpoints.sizes", "#id", "#checkpointed-size", "#full-size", "#new-tables", "#reused-tables")
	for _, r := range f.snapshots {
		if r.job != job {
			continue
		}
		id := strconv.FormatInt(r.id, 10)
		duration := ""
		if r.status != statusPending {
			duration = v.text("narrate.duration", locale.Args{"D": r.duration})
		}
		history.add(id, v.kind(r), v.snapshotStatus(f, r), locale.Clock(r.triggered.T), duration)
		if r.status == statusCompleted {
			news, reused := strconv.Itoa(r.news), strconv.Itoa(r.reused)
			if r.news+r.reused == 0 { // there are none, or they stand in _metadata
				news, reused = "-", "-"
			}
			sizes.add(id, v.size(r.size), v.size(r.full), news, reused)
		}
	}
	if len(sizes.Rows) == 0 {
		return []Table{history}
	}
	return []Table{history, sizes}
}

func (v viewer) kind(r *snapshotRow) string {
	switch {
	case r.kind == kindFull:
		return v.text("view.kind.full", nil)
	case isSavepoint(r.kind):
		return v.text("view.kind.savepoint", locale.Args{"Format": v.format(r.format)})
	}
	return v.text("view.kind.checkpoint", nil)
}

// snapshotStatus is Flink's word, and what has become of the snapshot since.
func (v viewer) snapshotStatus(f *storage, r *snapshotRow) string {
	more := ""
	switch {
	case r.status == statusFailed:
		more = r.reason
	case r.lost:
		more = v.text("view.snapshot.lost", nil)
	case r.status == statusPending:
		if names := unacknowledged(v.run.Trace, r.id); len(names) > 0 {
			more = v.loc.Plural("view.snapshot.waiting", int64(len(names)), locale.Args{"Names": v.list(names)})
		}
	case r.discarded != nil:
		more = v.text("view.snapshot.discarded", locale.Args{"Step": r.discarded.Seq})
	case v.missing(f, r) > 0:
		more = v.loc.Plural("view.snapshot.broken", int64(v.missing(f, r)), nil)
	case isSavepoint(r.kind):
	case r.subsumed:
		more = v.text("view.snapshot.subsumed", nil)
	default:
		more = v.text("view.snapshot.retained", nil)
	}
	return v.text("view.snapshot", locale.Args{"Status": r.status, "More": more})
}

// missing is how many objects of a snapshot somebody has deleted.
func (v viewer) missing(f *storage, r *snapshotRow) (n int) {
	for _, p := range append(slices.Clone(r.files), r.metadata) {
		if o := f.byPath[p]; o != nil && o.deleted != nil {
			n++
		}
	}
	return n
}

// snapshotName is how a script would call a snapshot where it can.
func (v viewer) snapshotName(f *storage, r *snapshotRow) string {
	switch {
	case isSavepoint(r.kind):
		return v.text("view.user.savepoint", locale.Args{"ID": r.id})
	case r.job != f.job:
		return path.Base(directory(r.directory)) + "/" + path.Base(r.directory)
	}
	return path.Base(r.directory)
}

// users says which snapshots need an object, or nothing.
func (v viewer) users(f *storage, p string) string {
	var names []string
	for _, r := range f.users(p) {
		names = append(names, v.snapshotName(f, r))
	}
	if len(names) == 0 {
		return ""
	}
	return v.loc.Plural("view.object.used", int64(len(names)), locale.Args{"Users": v.list(names)})
}

// objects are the objects of the store, a table for each directory. What the
// JobManager deleted as it should is only counted.
func (v viewer) objects() []Table {
	f := storageOf(v.run.Trace)
	var dirs []string
	byDir := map[string][]*object{}
	cleaned := map[string]int{}
	for _, o := range f.objects {
		dir := directory(o.path)
		if byDir[dir] == nil && cleaned[dir] == 0 {
			dirs = append(dirs, dir)
		}
		if o.deleted != nil && o.by == "jm" && !isTable(o.path) {
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
		t := v.table("objects", "object", "#size", "created-by", "~what")
		t.Title = v.text("view.objects.in", locale.Args{"Directory": dir + "/"})
		for _, o := range byDir[dir] {
			t.add(path.Base(o.path), v.size(o.size), v.createdBy(f, o), v.objectState(f, o))
		}
		out = append(out, t)
	}
	if len(out) == 0 {
		out = append(out, v.table("objects", "object", "#size", "created-by", "~what"))
	}
	if len(gone.Rows) > 0 {
		out = append(out, gone)
	}
	return out
}

func (v viewer) createdBy(f *storage, o *object) string {
	if o.checkpoint == 0 {
		return o.at
	}
	for _, r := range f.snapshots {
		if r.id == o.checkpoint && r.job == o.job {
			return v.snapshot(r.id, isSavepoint(r.kind))
		}
	}
	return v.snapshot(o.checkpoint, false)
}

// objectState says who needs an object, or who deleted it.
func (v viewer) objectState(f *storage, o *object) string {
	users := v.users(f, o.path)
	if o.deleted != nil {
		args := locale.Args{"Step": o.deleted.Seq, "Users": users}
		switch o.by {
		case "person":
			return v.text("view.object.deleted.person", args)
		case "lifecycle", "task", "database":
			return v.text("view.object.deleted."+o.by, args)
		}
		return v.text("view.object.deleted.jm", args)
	}
	if users != "" {
		return users
	}
	if o.checkpoint == 0 {
		return v.text("view.object.tree", nil)
	}
	for _, r := range f.snapshots {
		switch {
		case r.id != o.checkpoint || r.job != o.job || r.lost:
		case r.status == statusPending:
			return v.text("view.object.pending", nil)
		case r.status == statusFailed && o.epoch == f.epoch && !slices.Contains(r.acknowledged, o.at):
			return v.text("view.object.late", nil)
		}
	}
	if f.registered(o.path) != nil {
		return v.text("view.object.registered", nil)
	}
	return v.text("view.object.orphan", nil)
}

// registry are the shared files that the present job knows.
func (v viewer) registry() Table {
	t := v.table("registry", "shared-file", "#size", "#created-by-id", "#last-used-by", "~what")
	f := storageOf(v.run.Trace)
	for _, x := range f.shared {
		size := ""
		if o := f.byPath[x.path]; o != nil {
			size = v.size(o.size)
		}
		what := v.text("view.shared.unused", nil)
		if users := v.users(f, x.path); users != "" {
			what = users
		}
		if o := f.byPath[x.path]; o != nil && o.deleted != nil {
			what = v.objectState(f, o)
		}
		t.add(x.path, size, strconv.FormatInt(x.createdBy, 10), strconv.FormatInt(x.lastUsed, 10), what)
	}
	return t
}

// lsm are the table files of each column family of a subtask.
func (v viewer) lsm() Table {
	t := v.table("lsm", "subtask", "family", "level", "~tables", "#size")
	f := storageOf(v.run.Trace)
	slices.SortStableFunc(f.trees, func(a, b *treeRow) int {
		if c := strings.Compare(a.at, b.at); c != 0 {
			return c
		}
		return strings.Compare(a.family, b.family)
	})
	for _, tree := range f.trees {
		levels := map[int][]sim.TableFile{}
		var order []int
		for _, file := range tree.files {
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
			t.add(tree.at, tree.family, "L"+strconv.Itoa(level), v.listUpTo(names, 8), v.size(size))
		}
	}
	return t
}
