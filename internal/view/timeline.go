package view

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
)

// status is how Flink's web UI writes the state of a checkpoint.
func (s SnapshotState) status() string {
	return [3]string{"IN_PROGRESS", "COMPLETED", "FAILED"}[s]
}

var statusClass = [3]Class{Warn, Good, Bad}

// DrawTimeline draws the history of the checkpoints as Flink's web UI has it:
// one row for each, with a bar from its trigger to its end over virtual time.
func (s *Snapshots) DrawTimeline(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	if len(s.Columns) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.snap.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	var n [3]int
	for _, x := range s.Columns {
		n[x.State]++
	}
	// The counts, in the words of the web UI.
	counts := fmt.Sprintf("Triggered: %d  In Progress: %d  Completed: %d  Failed: %d  Restored: %d", len(s.Columns), n[InProgress], n[Completed], n[Failed], s.Restored)
	if lipgloss.Width(counts) > c.w {
		counts = fmt.Sprintf("Completed: %d  Failed: %d", n[Completed], n[Failed])
	}
	c.put(0, 0, Plain, counts)

	id := 2
	for _, x := range s.Columns {
		id = max(id, lipgloss.Width(x.Head))
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
	low, high := s.Columns[0].Triggered, s.Now
	for _, x := range s.Columns {
		low, high = min(low, x.Triggered), max(high, x.Ended)
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
		about = s.aboutSnapshot(&p, s.Columns[f.Column])
		about = p.clip(about, 3)
	}
	room := p.Height - 3 - len(about)
	if len(about) > 0 && room > len(s.Columns) {
		room-- // a line of air
	}
	room = max(room, 1)
	from := max(len(s.Columns)-room, 0)
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
	for i := from; i < min(from+room, len(s.Columns)); i++ {
		x := s.Columns[i]
		class, sc := Plain, statusClass[x.State]
		if i == f.Column && exact {
			class, sc = Selected, Selected
			c.put(0, y, class, p.Signs.Sel+strings.Repeat(" ", bars-2))
		}
		c.put(2+id-lipgloss.Width(x.Head), y, class, x.Head)
		c.put(status, y, sc, x.State.status())
		ended := x.Ended
		if x.State == InProgress {
			ended = s.Now
		}
		a, _ := axis.Cell(x.Triggered)
		b, _ := axis.Cell(ended)
		bar := strings.Repeat(p.Signs.Fill, max(b-a+1, 1))
		if x.State == InProgress {
			bar = strings.Repeat(p.Signs.Hatch, max(b-a+1, 1))
		}
		if x.State == Failed {
			bar = strings.Repeat(p.Signs.Fill, max(b-a, 0)) + p.Signs.Fates[Dropped]
		}
		c.put(bars+a, y, statusClass[x.State], bar)
		at := end
		if x.State == Failed {
			reason := x.Reason
			c.put(max(c.w-lipgloss.Width(reason), end+1), y, Bad, Fit(reason, c.w-end-1, p.Signs))
		} else {
			figures := []string{p.Loc.Text("scene.duration", locale.Args{"T": ended - x.Triggered}), p.size(x.Size), p.size(x.FullSize)}
			if x.State == InProgress {
				figures[1], figures[2] = p.Signs.Open, p.Signs.Open
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
