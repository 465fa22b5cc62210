package view

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/sim/fold"
)

// Flink's own words for its figures: they are not translated.
const (
	checkpointedSize = "Checkpointed Data Size"
	fullSize         = "Full Checkpoint Data Size"
)

// size writes bytes as Flink's web UI does.
func (p *Picture) size(n int64) string { return p.Loc.Text("scene.size", locale.Args{"Size": n}) }

// figure writes bytes for a narrow column: 827, 10.1K, 143M.
func (p *Picture) figure(n int64) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == 'B' {
			return -1
		}
		return r
	}, p.size(n))
}

// A matrixRow is an object, or the objects of one kind of a job without tables.
type matrixRow struct {
	name    string
	object  *fold.StoredObject // the last one of a group
	objects []*fold.StoredObject
}

// rows of the matrix: the table files in the order in which they came. A job
// without any has its objects by what they are.
func (s *Snapshots) rows() (out []matrixRow) {
	for _, o := range s.Store.Objects {
		if o.Table() {
			out = append(out, matrixRow{objectName(o), o, []*fold.StoredObject{o}})
		}
	}
	if len(out) > 0 {
		return out
	}
	at := map[string]int{}
	for _, o := range s.Store.Objects {
		i, ok := at[group(o)]
		if !ok {
			i = len(out)
			at[group(o)] = i
			out = append(out, matrixRow{name: group(o)})
		}
		out[i].object = o
		out[i].objects = append(out[i].objects, o)
	}
	for i := range out {
		if n := len(out[i].objects); n > 1 {
			// They are objects of their own.
			out[i].name += fmt.Sprintf(" (%d)", n)
		}
	}
	return out
}

// MatrixRows is how many rows can be chosen.
func (s *Snapshots) MatrixRows() int { return len(s.rows()) }

func (s *Snapshots) rowCell(r matrixRow, snapshot *fold.Snapshot) matrixCell {
	out := notUsed
	for _, o := range r.objects {
		switch c := s.cell(o, snapshot); {
		case c == missing:
			return missing
		case c == uploaded || c == handed || out == notUsed:
			out = c
		}
	}
	return out
}

// chosen is the row of a focus, -1: none.
func chosen(rows []matrixRow, f Focus) int {
	at := -1
	for i, r := range rows {
		for _, o := range r.objects {
			if f.holds(o) {
				at = i
			}
		}
	}
	return at
}

// DrawMatrix draws the table files as rows and the checkpoints and savepoints
// as columns: what each one uploaded, what it took over, and what is missing.
func (s *Snapshots) DrawMatrix(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	if len(s.Store.Snapshots) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.snap.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	rows := s.rows()
	f, exact := s.focusOf(p.Step)
	at := chosen(rows, f)
	picked := p.Pick > 0 && len(rows) > 0
	if picked {
		at = min(p.Pick, len(rows)) - 1
	}
	g := s.matrixGrid(&p, rows, f.Column)
	tables := len(rows) > 0 && rows[0].object.Table()

	// What is written below the rows, the least needed goes first.
	var about []classed
	if !p.Second {
		about = s.aboutFocus(&p, rows, at, f, picked)
	}
	most := 3
	if p.Height < 14 && !slices.ContainsFunc(s.Store.Snapshots, s.broken) {
		most = 2
	}
	about = s.clipAbout(&p, about, most)
	legend := s.matrixLegend(&p, tables && g.level > 0)
	sizes, private := !g.bare, tables
	room := func() int {
		n := p.Height - 2 - len(about) - len(legend)
		if sizes {
			n -= 2
		}
		if private {
			n--
		}
		return n
	}
	want := min(len(rows), 4)
	if room() < want {
		private = false
	}
	if room() < want && len(legend) > 1 {
		legend = legend[:1]
	}
	if room() < want {
		sizes = false
	}
	if room() < want {
		about = s.clipAbout(&p, about, 1)
	}
	if room() < want {
		legend = nil
	}

	s.matrixHead(c, &p, g, f, exact && !picked)
	gone := 0 // rows that gave way
	if tables && !private {
		gone++
	}
	if !sizes {
		gone += 2
	}
	if gone > 0 {
		text, room := p.Loc.Plural("scene.snap.more-rows", int64(gone), nil), g.left-g.name-2
		if lipgloss.Width(text) > room {
			text = fmt.Sprintf("+%d", gone)
		}
		c.put(g.name, 1, Faint, Fit(text, room, p.Signs))
	}
	y := 2
	shown, hidden := visibleRows(s, rows, at, max(room(), 1))
	for _, i := range shown {
		class := Plain
		if i == at && (exact || picked) {
			class = Selected
		}
		s.matrixRow(c, &p, g, y, rows[i], class)
		y++
	}
	if hidden > 0 && y < c.h {
		c.put(2, y, Faint, Fit(p.Loc.Plural("scene.snap.more-files", int64(hidden), nil), c.w-2, p.Signs))
		y++
	}
	if len(rows) == 0 {
		text := "scene.snap.none-completed"
		for _, x := range s.Store.Snapshots {
			if x.Status == fold.SnapshotCompleted {
				text = "scene.snap.inline"
			}
		}
		c.put(2, y, Faint, Fit(p.Loc.Text(text, nil), c.w-2, p.Signs))
		y++
	}
	if private {
		s.matrixPrivate(c, &p, g, y)
		y++
	}
	if sizes {
		for i, name := range []string{checkpointedSize, fullSize} {
			c.put(0, y, Faint, Fit(name, g.left-1, p.Signs))
			for k, col := range g.columns {
				x := s.Store.Snapshots[col]
				if x.Status != fold.SnapshotCompleted {
					continue
				}
				n := x.Size
				if i == 1 {
					n = x.FullSize
				}
				text := p.figure(int64(n))
				c.put(g.x(k)+g.width-1-lipgloss.Width(text), y, Plain, text)
			}
			if g.tail > 0 {
				c.put(g.tail, y, Faint, Fit(p.Loc.Text("scene.snap.bytes", nil), c.w-g.tail, p.Signs))
			}
			y++
		}
	}
	bottom := c.h - len(about) - len(legend)
	if y < bottom-1 {
		// One line of air, and the rest stays empty.
		bottom = y + 1
	}
	for _, l := range about {
		c.put(0, bottom, l.class, l.text)
		bottom++
	}
	for _, l := range legend {
		c.put(0, bottom, Faint, l)
		bottom++
	}
	return c.lines(p.style())
}

// A grid says where the parts of the matrix stand.
type grid struct {
	name, size, level int // cells where they begin; level 0: not shown
	left, width, tail int // of the columns; tail 0: not shown
	columns           []int
	bare              bool // without figures below the columns
	before, behind    int
}

func (g grid) x(k int) int { return g.left + k*g.width }

func (s *Snapshots) matrixGrid(p *Picture, rows []matrixRow, focus int) grid {
	g := grid{name: 2, width: 5}
	names := lipgloss.Width(p.Loc.Text("scene.snap.file", nil))
	for _, r := range rows {
		names = max(names, lipgloss.Width(r.name))
	}
	for _, x := range s.Store.Snapshots {
		g.width = max(g.width, lipgloss.Width(head(x))+2, lipgloss.Width(p.figure(int64(x.Size)))+1, lipgloss.Width(p.figure(int64(x.FullSize)))+1)
	}
	narrow := p.Width < 60
	if narrow {
		names = min(names, 9)
	}
	if p.Width < 45 {
		// The figures of the columns have no room.
		g.width, g.bare = 4, true
	}
	g.size = g.name + min(names, 18) + 1
	g.left = g.size + 8
	if !narrow {
		g.level = g.left
		g.left = max(g.left+3, lipgloss.Width(fullSize)+1)
	}
	room := p.Width - g.left
	if !narrow {
		// The columns have what they need, who needs a file at least its part.
		room -= max(p.Width/5, min(30, room-len(s.Store.Snapshots)*g.width))
	}
	n := max(room/g.width, 1)
	from := max(len(s.Store.Snapshots)-n, 0)
	if focus >= 0 {
		from = max(min(from, focus), focus-n+1)
	}
	for i := from; i < min(from+n, len(s.Store.Snapshots)); i++ {
		g.columns = append(g.columns, i)
	}
	g.before, g.behind = from, len(s.Store.Snapshots)-from-len(g.columns)
	if !narrow {
		g.tail = g.x(len(g.columns)) + 1
	}
	return g
}

// matrixHead writes the names of the snapshots and how each one stands.
func (s *Snapshots) matrixHead(c *canvas, p *Picture, g grid, f Focus, exact bool) {
	c.put(g.name, 0, Faint, Fit(p.Loc.Text("scene.snap.file", nil), g.size-g.name-1, p.Signs))
	size := p.Loc.Text("scene.snap.size", nil)
	c.put(g.size+7-lipgloss.Width(size), 0, Faint, size)
	if g.level > 0 {
		c.put(g.level, 0, Faint, "L")
	}
	for k, i := range g.columns {
		x := s.Store.Snapshots[i]
		class := Strong
		switch {
		case i == f.Column && exact:
			class = Selected
		case !s.Store.Retained(x):
			class = Faint
		}
		c.put(g.x(k)+g.width-1-lipgloss.Width(head(x)), 0, class, head(x))
		sign, class := s.standing(p, x)
		c.put(g.x(k)+g.width-1-lipgloss.Width(sign), 1, class, sign)
	}
	if g.before > 0 {
		c.put(g.left-1, 1, Faint, fmt.Sprintf("<%d", g.before))
	}
	if g.tail == 0 && g.behind > 0 {
		text := fmt.Sprintf("%d>", g.behind)
		c.put(c.w-len(text), 1, Faint, text)
	}
	if g.tail > 0 {
		text := p.Loc.Text("scene.snap.needed-by", nil)
		if g.behind > 0 {
			text = fmt.Sprintf("%d> ", g.behind) + text
		}
		c.put(g.tail, 0, Faint, Fit(text, c.w-g.tail, p.Signs))
	}
}

// standing is the sign of a snapshot: retained, broken, gone, failed, pending.
func (s *Snapshots) standing(p *Picture, x *fold.Snapshot) (string, Class) {
	switch {
	case x.Status == fold.SnapshotPending:
		return p.Signs.Open, Warn
	case x.Status == fold.SnapshotAborted:
		return p.Signs.Fates[Dropped], Bad
	case s.broken(x):
		return p.Signs.Missing, Bad
	case s.Store.Retained(x):
		return p.Signs.Fired, Good
	case s.Store.Stands(x):
		return p.Signs.Orphan, Warn
	}
	return p.Signs.Fates[Behind], Faint
}

func (s *Snapshots) matrixRow(c *canvas, p *Picture, g grid, y int, r matrixRow, class Class) {
	o := r.object
	mark, text, state := " ", "", class
	var needed []*fold.Snapshot
	for _, o := range r.objects {
		for _, x := range s.Store.Users(o) {
			if !slices.Contains(needed, x) {
				needed = append(needed, x)
			}
		}
	}
	slices.SortStableFunc(needed, func(a, b *fold.Snapshot) int { return s.column[a] - s.column[b] })
	switch standing := s.Store.StandingOf(o); {
	case !o.Exists && len(s.Store.Users(o)) > 0:
		mark, state = p.Signs.Missing, Bad
		text = p.Loc.Text("scene.snap.missing", locale.Args{"By": p.Loc.Text("scene.snap.by."+deleter(o), nil)})
	case len(needed) > 0:
		text = strings.Join(s.labels(needed), " ")
	case !o.Exists:
		mark, state = p.Signs.Deleted, Faint
		text = p.Loc.Text("scene.snap.deleted", locale.Args{"By": p.Loc.Text("scene.snap.by."+deleter(o), nil)})
	case standing == fold.Orphan:
		mark, state = p.Signs.Orphan, Warn
		text = p.Loc.Text("scene.snap.orphan", nil)
	default:
		text = p.Loc.Text("scene.snap."+string(standing), nil)
	}
	name := class
	if class == Plain {
		name = state
	}
	if class == Selected {
		state = Selected
		mark = strings.TrimSpace(mark)
		if mark == "" {
			mark = p.Signs.Sel
		}
	}
	if class == Selected {
		c.put(0, y, Selected, strings.Repeat(" ", c.w))
	}
	c.put(0, y, name, mark)
	c.put(g.name, y, name, Fit(r.name, g.size-g.name-1, p.Signs))
	size := p.size(int64(o.Size))
	c.put(g.size+7-lipgloss.Width(size), y, name, size)
	if g.level > 0 && o.Table() {
		level := "–"
		if n := s.level(o.SST); n >= 0 {
			level = fmt.Sprint(n)
		}
		if p.Signs.Line == "-" && level == "–" {
			level = "-"
		}
		c.put(g.level, y, name, level)
	}
	for k, i := range g.columns {
		sign, class := s.cellSign(p, s.rowCell(r, s.Store.Snapshots[i]))
		switch {
		case state == Selected:
			class = Selected
		case !s.Store.Retained(s.Store.Snapshots[i]) && class != Bad:
			class = Faint
		}
		c.put(g.x(k)+g.width-2, y, class, sign)
	}
	if g.tail > 0 {
		if word, _, ok := strings.Cut(text, ":"); ok && lipgloss.Width(text) > c.w-g.tail {
			// Who did it is said below.
			text = word
		}
		c.put(g.tail, y, state, Fit(text, c.w-g.tail, p.Signs))
	}
}

func (s *Snapshots) cellSign(p *Picture, x matrixCell) (string, Class) {
	switch x {
	case uploaded:
		return p.Signs.Rise, Time
	case reused:
		return p.Signs.Fates[OnTime], Good
	case missing:
		return p.Signs.Missing, Bad
	case handed:
		return p.Signs.Fates[Aside], Time
	}
	return p.Signs.Dots, Faint
}

// matrixPrivate counts what each snapshot has for itself.
func (s *Snapshots) matrixPrivate(c *canvas, p *Picture, g grid, y int) {
	c.put(g.name, y, Faint, Fit(p.Loc.Text("scene.snap.private", nil), g.left-g.name-1, p.Signs))
	for k, i := range g.columns {
		n := 0
		x := s.Store.Snapshots[i]
		for _, o := range x.Uploads {
			if !o.Table() {
				n++
			}
		}
		class := Plain
		if !s.Store.Retained(x) {
			class = Faint
		}
		text := fmt.Sprint(n)
		c.put(g.x(k)+g.width-1-lipgloss.Width(text), y, class, text)
	}
	if g.tail > 0 {
		c.put(g.tail, y, Faint, Fit(p.Loc.Text("scene.snap.private-what", nil), c.w-g.tail, p.Signs))
	}
}

func (s *Snapshots) matrixLegend(p *Picture, levels bool) []string {
	cells := p.Loc.Text("scene.snap.legend-cells", locale.Args{
		"Uploaded": p.Signs.Rise, "Reused": p.Signs.Fates[OnTime], "Missing": p.Signs.Missing, "Deleted": p.Signs.Deleted, "Orphan": p.Signs.Orphan,
	})
	for _, o := range s.Store.Objects {
		if o.Creator == nil || o.HandedOver {
			cells = p.Loc.Text("scene.snap.legend-handed", locale.Args{"Handed": p.Signs.Fates[Aside]}) + "  " + cells
			break
		}
	}
	heads := p.Loc.Text("scene.snap.legend-heads", locale.Args{
		"Retained": p.Signs.Fired, "Gone": p.Signs.Fates[Behind], "Failed": p.Signs.Fates[Dropped], "Pending": p.Signs.Open,
	})
	broken, left, failed, pending := false, false, false, false
	for _, x := range s.Store.Snapshots {
		broken = broken || s.broken(x)
		left = left || s.Store.Stands(x) && !s.Store.Retained(x)
		failed = failed || x.Status == fold.SnapshotAborted
		pending = pending || x.Status == fold.SnapshotPending
	}
	more := ""
	if broken {
		more += "  " + p.Loc.Text("scene.snap.legend-broken", locale.Args{"Sign": p.Signs.Missing})
	}
	if left {
		more += "  " + p.Loc.Text("scene.snap.legend-left", locale.Args{"Sign": p.Signs.Orphan})
	}
	level := ""
	if levels {
		dash := "–"
		if p.Signs.Line == "-" {
			dash = "-"
		}
		level = "  " + p.Loc.Text("scene.snap.legend-level", locale.Args{"None": dash})
	}
	if lipgloss.Width(cells+level)+3+lipgloss.Width(heads+more) <= p.Width {
		return []string{cells + level + "   " + heads + more}
	}
	if lipgloss.Width(cells+level) <= p.Width {
		cells += level
	} else {
		more += level
	}
	// Signs that are in the matrix have room before those that are not.
	for _, used := range []bool{pending, failed} {
		if i := strings.LastIndex(heads, "  "); !used && i > 0 && lipgloss.Width(heads+more) > p.Width {
			heads = heads[:i]
			continue
		}
		break
	}
	heads += more
	out := []string{wholeEntries(cells, p.Width), wholeEntries(heads, p.Width)}
	if level = strings.TrimSpace(level); p.Height >= roomy && !strings.HasSuffix(out[0], level) && !strings.HasSuffix(out[1], level) {
		out = append(out, level)
	}
	return out
}

// roomy is the height from which a legend may have a line more.
const roomy = 18

// wholeEntries leaves out the last entries of a legend that have no room.
func wholeEntries(legend string, w int) string {
	for lipgloss.Width(legend) > w {
		i := strings.LastIndex(legend, "  ")
		if i < 0 {
			return ""
		}
		legend = legend[:i]
	}
	return legend
}

// visibleRows are the rows that have room, the one that is chosen among them:
// what was deleted gives way to what is there, the earliest first.
func visibleRows(s *Snapshots, rows []matrixRow, at, room int) (shown []int, hidden int) {
	for i := range rows {
		shown = append(shown, i)
	}
	if len(rows) <= room {
		return shown, 0
	}
	room = max(room-1, 1) // one says how many are hidden
	for i := 0; i < len(shown) && len(shown) > room; {
		r := rows[shown[i]]
		if shown[i] != at && !r.object.Exists && len(s.Store.Users(r.object)) == 0 {
			shown = slices.Delete(shown, i, i+1)
			continue
		}
		i++
	}
	if len(shown) > room {
		k := slices.Index(shown, at)
		from := len(shown) - room
		if k >= 0 {
			from = max(min(from, k), k-room+1)
		}
		shown = shown[from : from+room]
	}
	return shown, len(rows) - len(shown)
}

// A line of text with its class.
type classed struct {
	class Class
	text  string
}

func (p *Picture) wrap(class Class, text string) (out []classed) {
	for _, l := range markdown.Wrap(text, p.Width) {
		out = append(out, classed{class, l})
	}
	return out
}

// clip keeps some of the lines, and says when there are more.
func (p *Picture) clip(in []classed, n int) []classed {
	if len(in) <= n {
		return in
	}
	out := slices.Clone(in[:n])
	if n > 0 {
		last := &out[n-1]
		last.text = Fit(last.text+strings.Repeat(" ", p.Width), min(lipgloss.Width(last.text)+lipgloss.Width(p.Signs.Open)+1, p.Width), p.Signs)
	}
	return out
}

// caption is the sentence above a picture: it wraps, as long as the picture keeps
// two thirds of the rows. A sentence that is cut leaves out what it is about.
func (p *Picture) caption(class Class, text string) []classed {
	return p.clip(p.wrap(class, text), max(p.Height/3, min(p.Height/4, 1)))
}

// clipAbout keeps some of the lines about the focus. Where snapshots are broken
// and not all lines have room, which ones is what is kept.
func (s *Snapshots) clipAbout(p *Picture, about []classed, n int) []classed {
	if len(about) > n && about[0].class == Bad {
		if all := s.alsoBroken(p, nil); all != "" {
			about = p.wrap(Bad, strings.TrimSpace(all))
		}
	}
	return p.clip(about, n)
}

// aboutFocus says who still needs the chosen file, or how the chosen snapshot is.
func (s *Snapshots) aboutFocus(p *Picture, rows []matrixRow, at int, f Focus, picked bool) []classed {
	if at >= 0 && (picked || len(f.Paths)+len(f.Tables) > 0) {
		return s.aboutObject(p, rows[at].object)
	}
	if f.Column >= 0 {
		return s.aboutSnapshot(p, s.Store.Snapshots[f.Column])
	}
	if len(f.Paths) > 0 {
		if o := s.Store.ObjectAt(f.Paths[len(f.Paths)-1]); o != nil {
			return s.aboutObject(p, o)
		}
	}
	return nil
}

func (s *Snapshots) labels(of []*fold.Snapshot) (out []string) {
	for _, c := range of {
		out = append(out, s.Store.Label(c))
	}
	return out
}

func (s *Snapshots) aboutObject(p *Picture, o *fold.StoredObject) []classed {
	needed := s.labels(s.Store.Users(o))
	args := locale.Args{"Name": objectName(o), "Size": p.size(int64(o.Size)), "By": needed}
	if !o.Exists {
		args["Who"], args["Step"] = p.Loc.Text("scene.snap.who."+deleter(o), nil), o.Deleted.Seq
	}
	switch standing := s.Store.StandingOf(o); {
	case standing == fold.Deleted && len(needed) > 0:
		return p.wrap(Bad, p.Loc.Text("scene.snap.about-missing", args)+s.alsoBroken(p, s.Store.Users(o)))
	case standing == fold.Needed:
		return p.wrap(Plain, p.Loc.Plural("scene.snap.about-needed", int64(len(needed)), args))
	case standing == fold.Orphan:
		return p.wrap(Warn, p.Loc.Text("scene.snap.about-orphan", args))
	default:
		if o.Creator != nil {
			args["For"] = s.Store.Label(o.Creator)
		}
		about := p.Loc.Text("scene.snap.about-"+string(standing), args)
		if standing == fold.Deleted {
			if also := s.alsoBroken(p, nil); also != "" {
				return p.wrap(Bad, about+also)
			}
		}
		return p.wrap(Plain, about)
	}
}

// alsoBroken names the broken snapshots that were not named: one rule can break
// many at once.
func (s *Snapshots) alsoBroken(p *Picture, named []*fold.Snapshot) string {
	var others []*fold.Snapshot
	for _, x := range s.Store.Snapshots {
		if s.broken(x) && !slices.Contains(named, x) {
			others = append(others, x)
		}
	}
	if len(others) == 0 {
		return ""
	}
	id := "scene.snap.also-broken"
	if len(named) == 0 {
		id = "scene.snap.broken-now"
	}
	return " " + p.Loc.Plural(id, int64(len(others)), locale.Args{"Others": s.labels(others)})
}

func (s *Snapshots) aboutSnapshot(p *Picture, x *fold.Snapshot) []classed {
	args := locale.Args{"Label": s.Store.Label(x), "T": x.Triggered.T, "Reason": x.Reason, "Message": x.Message}
	switch x.Status {
	case fold.SnapshotPending:
		return p.wrap(Warn, p.Loc.Text("scene.snap.about-progress", args))
	case fold.SnapshotAborted:
		return p.wrap(Bad, p.Loc.Text("scene.snap.about-failed", args))
	}
	if s.broken(x) {
		args["File"] = objectName(s.Store.Missing(x)[0])
		return p.wrap(Bad, p.Loc.Text("scene.snap.about-broken", args)+s.alsoBroken(p, []*fold.Snapshot{x}))
	}
	bytes, gets := s.Store.RestoreReads(x)
	args["D"], args["Uploaded"], args["Puts"] = int64(x.Duration), p.size(int64(x.Uploaded())), len(x.Uploads)
	args["Reads"], args["Gets"] = p.size(int64(bytes)), gets
	if !s.Store.Stands(x) {
		return p.wrap(Plain, p.Loc.Text("scene.snap.about-gone", args))
	}
	text := p.Loc.Text("scene.snap.about-completed", args)
	if inline := s.Store.Inlined(x); inline > 0 {
		text += " " + p.Loc.Text("scene.snap.about-inline", locale.Args{"Size": p.size(int64(inline))})
	}
	return p.wrap(Plain, text)
}
