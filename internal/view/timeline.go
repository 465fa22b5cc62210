package view

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim/fold"
)

var statusClass = map[string]Class{fold.SnapshotPending: Warn, fold.SnapshotCompleted: Good, fold.SnapshotAborted: Bad}

// DrawTimeline draws the history of the checkpoints as Flink's web UI has it:
// one row for each, with a bar from its trigger to its end over virtual time.
func (s *Snapshots) DrawTimeline(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	if len(s.Store.Snapshots) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.snap.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	n := map[string]int{}
	for _, x := range s.Store.Snapshots {
		n[x.Status]++
	}
	// The counts, in the words of the web UI.
	counts := fmt.Sprintf("Triggered: %d  In Progress: %d  Completed: %d  Failed: %d  Restored: %d", len(s.Store.Snapshots), n[fold.SnapshotPending], n[fold.SnapshotCompleted], n[fold.SnapshotAborted], s.restores)
	if lipgloss.Width(counts) > c.w {
		counts = fmt.Sprintf("Completed: %d  Failed: %d", n[fold.SnapshotCompleted], n[fold.SnapshotAborted])
	}
	c.put(0, 0, Plain, counts)

	id := 2
	for _, x := range s.Store.Snapshots {
		id = max(id, lipgloss.Width(head(x)))
	}
	status := 2 + id + 2
	bars := status + len("IN_PROGRESS") + 2
	// Duration, Checkpointed Data Size, Full Checkpoint Data Size.
	widths := []int{10, 14, 17}
	heads := [][2]string{{"", "Duration"}, {"Checkpointed", "Data Size"}, {"Full Checkpoint", "Data Size"}}
	if c.w < 60 {
		widths = []int{0, 13, 0}
	}
	end := c.w
	for _, w := range widths {
		end -= w
	}
	c.put(2, 2, Faint, "ID")
	c.put(status, 2, Faint, "Status")
	x := end
	for i, w := range widths {
		if w == 0 {
			continue
		}
		for k, l := range heads[i] {
			c.put(x+w-lipgloss.Width(l), 1+k, Faint, l)
		}
		x += w
	}
	low, high := s.Store.Snapshots[0].Triggered.T, s.Now
	for _, x := range s.Store.Snapshots {
		low, high = min(low, x.Triggered.T), max(high, ended(x))
	}
	axis := NewAxis(low, max(high, low+1), max(end-bars, 2))
	last := 0
	for _, t := range axis.Ticks(7) {
		at, _ := axis.Cell(t)
		text := locale.Clock(t)
		if bars+at >= last && bars+at+lipgloss.Width(text) <= end {
			last = c.put(bars+at, 2, Faint, text) + 1
		}
	}

	f, exact := s.focusOf(p.Step)
	about := []classed(nil)
	if f.Column >= 0 && !p.Second {
		about = s.aboutSnapshot(&p, s.Store.Snapshots[f.Column])
		about = p.clip(about, 3)
	}
	room := p.Height - 3 - len(about)
	if len(about) > 0 && room > len(s.Store.Snapshots) {
		room-- // a line of air
	}
	room = max(room, 1)
	from := max(len(s.Store.Snapshots)-room, 0)
	if f.Column >= 0 {
		from = min(from, f.Column)
	}
	if from > 0 {
		text := p.Loc.Plural("scene.snap.earlier", int64(from), nil)
		if w := lipgloss.Width(text); w+lipgloss.Width(counts)+2 <= c.w {
			c.put(c.w-w, 0, Faint, text)
		}
	}
	y := 3
	for i := from; i < min(from+room, len(s.Store.Snapshots)); i++ {
		x := s.Store.Snapshots[i]
		class, sc := Plain, statusClass[x.Status]
		if i == f.Column && exact {
			class, sc = Selected, Selected
			c.put(0, y, class, p.Signs.Sel+strings.Repeat(" ", bars-2))
		}
		c.put(2+id-lipgloss.Width(head(x)), y, class, head(x))
		c.put(status, y, sc, x.WebStatus())
		until := ended(x)
		if x.Status == fold.SnapshotPending {
			until = s.Now
		}
		a, _ := axis.Cell(x.Triggered.T)
		b, _ := axis.Cell(until)
		bar := strings.Repeat(p.Signs.Fill, max(b-a+1, 1))
		if x.Status == fold.SnapshotPending {
			bar = strings.Repeat(p.Signs.Hatch, max(b-a+1, 1))
		}
		if x.Status == fold.SnapshotAborted {
			bar = strings.Repeat(p.Signs.Fill, max(b-a, 0)) + p.Signs.Fates[Dropped]
		}
		c.put(bars+a, y, statusClass[x.Status], bar)
		at := end
		if x.Status == fold.SnapshotAborted {
			reason := x.Reason
			c.put(max(c.w-lipgloss.Width(reason), end+1), y, Bad, Fit(reason, c.w-end-1, p.Signs))
		} else {
			figures := []string{p.Loc.Text("scene.duration", locale.Args{"T": until - x.Triggered.T}), p.size(int64(x.Size)), p.size(int64(x.FullSize))}
			if x.Status == fold.SnapshotPending {
				figures[1], figures[2] = p.Signs.Open, p.Signs.Open
				if until == x.Triggered.T {
					figures[0] = p.Signs.Open // time has passed for no step since
				}
			}
			for k, w := range widths {
				if w > 0 {
					c.put(at+w-lipgloss.Width(figures[k]), y, class, figures[k])
					at += w
				}
			}
		}
		y++
	}
	y = min(y+1, c.h-len(about))
	for _, l := range about {
		c.put(0, y, l.class, l.text)
		y++
	}
	return c.lines(p.style())
}
