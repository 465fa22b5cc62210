package view

import (
	"sort"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim/fold"
)

// A storeRow is a directory or an object of the tree.
type storeRow struct {
	depth  int
	name   string
	object *fold.StoredObject   // nil: a directory
	more   []*fold.StoredObject // of the same subtask and snapshot, in the same row
	size   int
	count  int
	path   string
}

// storeRows are what stands on the store, directories first said, with the
// bytes below them. A directory of one snapshot is one row: what is in it stands
// and falls together.
func (s *Snapshots) storeRows(f Focus) []storeRow {
	var there []*fold.StoredObject
	for _, o := range s.Store.Objects {
		if o.Exists {
			there = append(there, o)
		}
	}
	sort.SliceStable(there, func(i, j int) bool {
		a, b := there[i], there[j]
		da, db := directory(a.Path), directory(b.Path)
		if da != db {
			return da < db
		}
		if a.Table() != b.Table() {
			return a.Table()
		}
		if x, y := objectName(a), objectName(b); a.Table() && x != y {
			return shorterFirst(x, y)
		}
		if x, y := bundle(a), bundle(b); x != y {
			return x < y
		}
		return a.Path < b.Path
	})
	var out []storeRow
	open := map[string]bool{}
	for i := 0; i < len(there); {
		dir := directory(there[i].Path)
		n, focused, tables := 0, false, false
		for ; i+n < len(there) && directory(there[i+n].Path) == dir; n++ {
			o := there[i+n]
			focused = focused || len(f.Paths) == 1 && f.holds(o)
			tables = tables || o.Table()
		}
		// Each directory above is said once.
		parts := strings.Split(dir, "/")
		for d := range parts[:len(parts)-1] {
			path := strings.Join(parts[:d+1], "/")
			if open[path] {
				continue
			}
			open[path] = true
			out = append(out, below(there, d, parts[d], path))
		}
		if !open[dir] {
			open[dir] = true
			out = append(out, below(there, len(parts)-1, parts[len(parts)-1], dir))
		}
		// Objects of a shared directory have a fate of their own each.
		if tables || focused || strings.HasSuffix(dir, "/shared") {
			for _, o := range there[i : i+n] {
				if last := &out[len(out)-1]; last.object != nil && !o.Table() && bundle(o) == bundle(last.object) && !last.object.Table() {
					last.more = append(last.more, o)
					last.size += o.Size
					last.name = bundle(o)
					continue
				}
				out = append(out, storeRow{depth: len(parts), name: storedName(o), object: o, size: o.Size, path: o.Path})
			}
		}
		i += n
	}
	return out
}

// below is the row of a directory with all that lies below it.
func below(there []*fold.StoredObject, depth int, name, path string) storeRow {
	row := storeRow{depth: depth, name: name + "/", path: path}
	for _, o := range there {
		if strings.HasPrefix(o.Path, path+"/") {
			row.count++
			row.size += o.Size
		}
	}
	return row
}

// bundle names the objects that a subtask wrote for itself besides its tables:
// totals-0-* of a snapshot.
func bundle(o *fold.StoredObject) string {
	name, what := objectName(o), group(o)
	if o.Table() || what == "" {
		return name
	}
	base, id, ok := strings.Cut(name, "@")
	out := strings.TrimSuffix(base, what) + "*"
	if ok {
		out += "@" + id
	}
	return out
}

// of says that a row is about an object of a focus.
func (r storeRow) of(f Focus) bool {
	if r.object == nil {
		return false
	}
	for _, o := range append([]*fold.StoredObject{r.object}, r.more...) {
		if f.holds(o) {
			return true
		}
	}
	return false
}

func directory(path string) string {
	return path[:max(strings.LastIndexByte(path, '/'), 0)]
}

// StoreRows is how many rows can be chosen.
func (s *Snapshots) StoreRows() int { f, _ := s.focusOf(0); return len(s.storeRows(f)) }

// DrawStore draws the object store as a tree: what stands on it, who wrote it
// and how long ago, and who needs it.
func (s *Snapshots) DrawStore(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	f, exact := s.focusOf(p.Step)
	rows := s.storeRows(f)
	gone := 0
	var orphans, orphanBytes int64
	for _, o := range s.Store.Objects {
		switch s.Store.StandingOf(o) {
		case fold.Deleted:
			gone++
		case fold.Orphan:
			orphans++
			orphanBytes += int64(o.Size)
		}
	}
	if len(rows) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.snap.empty-store", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	at := -1
	for i, r := range rows {
		if r.of(f) || r.object == nil && f.Column >= 0 && len(f.Paths) == 0 && s.Store.Snapshots[f.Column].Metadata == r.path+"/_metadata" {
			at = i
		}
	}
	marked := exact
	if p.Pick > 0 {
		at, marked = min(p.Pick, len(rows))-1, true
	}
	wide := p.Width >= 60
	names := 8
	for _, r := range rows {
		names = max(names, 2*r.depth+lipgloss.Width(r.name))
	}
	names = min(names, p.Width/2, 30)
	if p.Width < 75 {
		names = min(names, 26)
	}
	size := 2 + names + 1
	by := size + 9
	age := by
	if wide {
		age = by + 11
	}
	tail := age + 8
	if !wide {
		tail = by
	}
	c.put(2, 0, Faint, p.Loc.Text("scene.snap.object", nil))
	head := p.Loc.Text("scene.snap.size", nil)
	c.put(size+7-lipgloss.Width(head), 0, Faint, head)
	if wide {
		c.put(by, 0, Faint, p.Loc.Text("scene.snap.written-by", nil))
		c.put(age, 0, Faint, p.Loc.Text("scene.snap.age", nil))
	}
	c.put(tail, 0, Faint, Fit(p.Loc.Text("scene.snap.needed-by", nil), c.w-tail, p.Signs))

	room := max(p.Height-2, 1)
	from := 0
	if len(rows) > room {
		from = max(0, min(at-room/2, len(rows)-room))
	}
	y := 1
	for i := from; i < min(from+room, len(rows)); i++ {
		r := rows[i]
		class, mark := Plain, " "
		text, state := "", Faint
		switch {
		case r.object != nil:
			text, state, mark = s.storeState(&p, r.object)
		default:
			class = Strong
			text, state = s.directoryState(&p, r)
			// Where the words have no room the sign stands for them.
			if sign, _, ok := strings.Cut(text, " "); ok && lipgloss.Width(sign) == 1 && lipgloss.Width(text) > c.w-tail {
				text = sign
			}
		}
		if i == at && marked {
			class, state, mark = Selected, Selected, p.Signs.Sel
		} else if state == Warn {
			class = Warn
		}
		c.put(0, y, class, mark)
		c.put(2, y, class, Fit(strings.Repeat("  ", r.depth)+r.name, names, p.Signs))
		n := p.size(int64(r.size))
		c.put(size+7-lipgloss.Width(n), y, class, n)
		if wide {
			if o := r.object; o != nil {
				c.put(by, y, Faint, Fit(o.At, 10, p.Signs))
				c.put(age, y, Faint, Fit(locale.Clock(twoUnits(s.Now-int64(o.T))), 7, p.Signs))
			} else {
				c.put(by, y, Faint, Fit(p.Loc.Plural("scene.snap.objects", int64(r.count), nil), tail-by-1, p.Signs))
			}
		}
		c.put(tail, y, state, Fit(text, c.w-tail, p.Signs))
		y++
	}
	var foot []string
	if hidden := len(rows) - room; hidden > 0 {
		foot = append(foot, p.Loc.Plural("scene.snap.more-rows", int64(hidden), nil))
	}
	foot = append(foot, p.Loc.Plural("scene.snap.orphans", orphans, locale.Args{"Size": p.size(orphanBytes)}))
	foot = append(foot, p.Loc.Plural("scene.snap.gone", int64(gone), nil))
	class := Faint
	if orphans > 0 {
		class = Warn
	}
	c.put(0, min(y, c.h-1), class, Fit(strings.Join(foot, " "+p.Signs.Dots+" "), c.w, p.Signs))
	return c.lines(p.style())
}

// twoUnits cuts an age to its two largest units: 2d20h, 1h10m, 12s.
func twoUnits(t int64) int64 {
	units := []int64{86_400_000, 3_600_000, 60_000, 1000}
	for i, unit := range units {
		if t >= unit {
			small := units[min(i+1, len(units)-1)]
			return t / small * small
		}
	}
	return t
}

func (s *Snapshots) storeState(p *Picture, o *fold.StoredObject) (text string, class Class, mark string) {
	switch standing := s.Store.StandingOf(o); standing {
	case fold.Needed:
		return strings.Join(s.labels(s.Store.Users(o)), " "), Plain, " "
	case fold.Orphan:
		return p.Loc.Text("scene.snap.orphan", nil), Warn, p.Signs.Orphan
	default:
		return p.Loc.Text("scene.snap."+string(standing), nil), Plain, " "
	}
}

// storedName is the name of an object in its directory, and which SST it is
// where the name does not say so.
func storedName(o *fold.StoredObject) string {
	name := o.Path[strings.LastIndexByte(o.Path, '/')+1:]
	if o.SST == "" || strings.HasPrefix(name, o.SST) {
		return name
	}
	return name + " " + o.SST
}

// directoryState says how the snapshot of a directory is.
func (s *Snapshots) directoryState(p *Picture, r storeRow) (string, Class) {
	for _, x := range s.Store.Snapshots {
		if x.Metadata != "" && x.Metadata == r.path+"/_metadata" {
			switch {
			case s.broken(x):
				return p.Signs.Missing + " " + p.Loc.Text("scene.snap.broken", nil), Bad
			case x.Savepoint() && s.Store.Retained(x):
				return p.Signs.Fired + " " + s.Store.Label(x), Good
			case s.Store.Retained(x):
				return p.Signs.Fired + " " + p.Loc.Text("scene.snap.retained", nil), Good
			case s.Store.Stands(x):
				return p.Signs.Orphan + " " + p.Loc.Text("scene.snap.left", nil), Warn
			}
			return p.Loc.Text("scene.snap.no-metadata", nil), Warn
		}
	}
	some, all := false, true
	for _, o := range s.Store.Objects {
		if strings.HasPrefix(o.Path, r.path+"/") && o.Exists {
			some, all = true, all && s.Store.StandingOf(o) == fold.Orphan
		}
	}
	if some && all {
		return p.Signs.Orphan + " " + p.Loc.Text("scene.snap.orphan", nil), Warn
	}
	return "", Faint
}
