package view

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// Latency is what the picture of delays shows: how long records of topics waited
// until read_committed gets them.
type Latency struct {
	Delays []*fold.Delay
	Now    int64

	// interval is the longest time between the triggers of two checkpoints of one
	// attempt, or from its start to the first one; checkpoint how long a checkpoint took,
	// commit how long it took from there to the markers; the shortest and the
	// longest of each.
	interval           int64
	checkpoint, commit [2]int64
	bounded            bool
}

// BuildLatency folds a trace into delays. Where a job has a sink in front of a
// topic, its records are meant; else all of them.
func BuildLatency(t *sim.Trace) *Latency {
	k := fold.KafkaOf(t)
	l := &Latency{Delays: k.Delays}
	if slices.ContainsFunc(k.Delays, func(d *fold.Delay) bool { return subtask(d.By) }) {
		l.Delays = nil
		for _, d := range k.Delays {
			if subtask(d.By) {
				l.Delays = append(l.Delays, d)
			}
		}
	}
	took := func(of *[2]int64, n int64) {
		if !l.bounded {
			of[0] = n
		}
		of[0], of[1] = min(of[0], n), max(of[1], n)
	}
	last, completed, triggered := int64(-1), int64(-1), map[int64]int64{}
	commits := 0
	for s := range t.Main() {
		l.Now = s.T
		switch b := s.Body.(type) {
		case sim.JobStarted:
			last = s.T // the bound knows of no failures
		case sim.CheckpointTriggered:
			if !strings.HasPrefix(b.Kind, "savepoint") {
				triggered[b.ID] = s.T
				l.interval, last = max(l.interval, s.T-last), s.T
			}
		case sim.CheckpointCompleted:
			if _, ok := triggered[b.ID]; ok {
				completed = s.T
				took(&l.checkpoint, b.Duration)
			}
		case sim.CommitAttempted:
			if b.Result == "OK" && !b.Again && completed >= 0 {
				if commits == 0 {
					l.commit[0] = s.T - completed
				}
				commits++
				l.commit[0], l.commit[1] = min(l.commit[0], s.T-completed), max(l.commit[1], s.T-completed)
				l.bounded = true
			}
		}
	}
	return l
}

// bounds are those of F-30: from C+M, which a record in front of the barrier waits,
// to I+C+M.
func (l *Latency) bounds() (low, high int64) {
	return l.checkpoint[0] + l.commit[0], l.interval + l.checkpoint[1] + l.commit[1]
}

// A bucket holds the delays from low on, and below high.
type bucket struct {
	low, high int64
	n, inside int
}

// buckets are at most so many of one round width, so that all have room; the last
// one holds the longest delay.
func (l *Latency) buckets(all []int64, most int) []bucket {
	if len(all) == 0 {
		return nil
	}
	low, high := l.bounds()
	longest := all[len(all)-1]
	width := Nice(longest/int64(most) + 1)
	for floorTo(longest, width)/width+1 > int64(most) {
		width = Nice(width + 1)
	}
	first := floorTo(all[0], width) / width
	// What is below the first delay is left out where it is more than a bucket.
	if first <= 1 {
		first = 0
	}
	var out []bucket
	for i := first; i <= longest/width; i++ {
		b := bucket{low: i * width, high: (i + 1) * width}
		for _, d := range all {
			if d >= b.low && d < b.high {
				b.n++
				if !l.bounded || d >= low && d <= high {
					b.inside++
				}
			}
		}
		out = append(out, b)
	}
	return out
}

// span is a bucket in words: 8s–10s.
func (b *bucket) span(p *Picture) string {
	if b.high == b.low+1 {
		return locale.Clock(b.low)
	}
	return p.clocks(b.low, b.high)
}

// clocks are two times, from and to.
func (p *Picture) clocks(from, to int64) string {
	dash := "–"
	if p.Signs == ASCII {
		dash = "-"
	}
	return locale.Clock(from) + dash + locale.Clock(to)
}

// DrawLatency draws a histogram of the delays, with the figures that count and
// the bound that follows from checkpoints.
func (l *Latency) DrawLatency(p Picture) []string {
	c := newCanvas(p.Width, p.Height)
	if len(l.Delays) == 0 {
		c.put(0, 0, Faint, Fit(p.Loc.Text("scene.latency.empty", nil), c.w, p.Signs))
		return c.lines(p.style())
	}
	s := fold.Summary(l.Delays, p.now(l.Now))
	y := 0
	for _, line := range p.caption(Strong, l.figures(&p, s)) {
		c.put(0, y, line.class, line.text)
		y++
	}
	if p.Height >= 15 {
		y++
	}
	// Below the buckets: what cannot be read, the bound, read_uncommitted, legend.
	var below []classed
	if s.Waiting > 0 {
		below = append(below, classed{Warn, "waiting"})
	}
	if s.Never > 0 {
		below = append(below, classed{Bad, "never"})
	}
	outside := slices.ContainsFunc(s.All, func(d int64) bool { low, high := l.bounds(); return l.bounded && (d < low || d > high) })
	legend := l.legend(&p, s, outside)
	bound := p.caption(Faint, l.bound(&p))
	if len(bound) > 0 && p.Height-y-len(below)-len(legend)-len(bound) < 3 {
		bound = nil
	}
	other := p.caption(Faint, p.Loc.Text("scene.latency.uncommitted", nil))
	if p.Height-y-len(below)-len(legend)-len(bound)-1 < 4 {
		other = nil
	}
	room := p.Height - y - len(below) - len(legend) - len(bound) - len(other)
	if room < 2 {
		room, legend = room+len(legend), nil
	}
	buckets := l.buckets(s.All, max(min(room, 10), 1))
	label := 0
	for _, b := range buckets {
		label = max(label, lipgloss.Width(b.span(&p)))
	}
	for _, b := range below {
		label = max(label, lipgloss.Width(p.Loc.Text("scene.latency."+b.text, nil)))
	}
	most := max(s.Waiting, s.Never)
	for _, b := range buckets {
		most = max(most, b.n)
	}
	digits := len(fmt.Sprint(most))
	bar := max(c.w-label-1-digits-1, 1)
	selected := map[int64]bool{}
	for _, d := range l.Delays {
		if p.Step > 0 && d.Step == p.Step && d.Readable >= 0 {
			selected[int64(d.Delay)] = true
		}
	}
	cells := func(n int) int {
		if n == 0 {
			return 0
		}
		if most <= bar {
			// A record is a whole number of cells.
			return n * min(bar/most, 4)
		}
		return max(n*bar/most, 1)
	}
	for _, b := range buckets {
		class := Plain
		for d := range selected {
			if d >= b.low && d < b.high {
				class = Selected
			}
		}
		text := b.span(&p)
		c.put(label-lipgloss.Width(text), y, class, text)
		in := cells(b.inside)
		if b.inside < b.n && b.inside > 0 {
			in = max(cells(b.n)*b.inside/b.n, 1)
		}
		x := c.put(label+1, y, Good, strings.Repeat(p.Signs.Fill, in))
		x = c.put(x, y, Bad, strings.Repeat(p.Signs.Part, max(cells(b.n)-in, 0)))
		if b.n > 0 {
			c.put(x+1, y, Plain, fmt.Sprint(b.n))
		}
		y++
	}
	for _, b := range below {
		n, sign := s.Waiting, p.Signs.Hatch
		if b.text == "never" {
			n, sign = s.Never, p.Signs.Fates[Dropped]
		}
		text := p.Loc.Text("scene.latency."+b.text, nil)
		c.put(label-lipgloss.Width(text), y, b.class, text)
		x := c.put(label+1, y, b.class, strings.Repeat(sign, cells(n)))
		x = c.put(x+1, y, Plain, fmt.Sprint(n))
		if longest := p.Loc.Text("scene.latency.longest", locale.Args{"D": s.Longest}); b.text == "waiting" && x+2+lipgloss.Width(longest) <= c.w {
			c.put(x+2, y, b.class, longest)
		}
		y++
	}
	bottom := p.Height - len(bound) - len(other) - len(legend)
	if y < bottom {
		bottom = y + 1
	}
	bottom = min(bottom, p.Height-len(bound)-len(other)-len(legend))
	for _, b := range append(bound, other...) {
		c.put(0, bottom, b.class, b.text)
		bottom++
	}
	for _, e := range legend {
		c.put(0, bottom, Faint, e)
		bottom++
	}
	return c.lines(p.style())
}

// figures are the median, the 95th percentile and the longest delay, and how many
// records they are about.
func (l *Latency) figures(p *Picture, s fold.DelayOf) string {
	if len(s.All) == 0 {
		return p.Loc.Plural("scene.latency.none", int64(s.Waiting+s.Never), locale.Args{"Waiting": s.Waiting, "Never": s.Never, "Longest": s.Longest})
	}
	id := "scene.latency.figures"
	if p.Width < narrowLegend {
		id += "-short"
	}
	return p.Loc.Plural(id, int64(len(s.All)), locale.Args{
		"Median": s.Percentile(50), "P95": s.Percentile(95), "Max": s.Percentile(100), "Waiting": s.Waiting, "Longest": s.Longest, "Never": s.Never,
	})
}

// bound is that of F-30, with what it is made of; empty: nothing was committed.
func (l *Latency) bound(p *Picture) string {
	if !l.bounded {
		return p.Loc.Text("scene.latency.no-bound", nil)
	}
	low, high := l.bounds()
	id := "scene.latency.bound"
	if p.Width < narrowLegend {
		id += "-short"
	}
	both := func(of [2]int64) string {
		if of[0] == of[1] {
			return locale.Clock(of[0])
		}
		return p.clocks(of[0], of[1])
	}
	return p.Loc.Text(id, locale.Args{"Low": low, "High": high, "Range": p.clocks(low, high), "I": l.interval, "C": both(l.checkpoint), "M": both(l.commit)})
}

func (l *Latency) legend(p *Picture, s fold.DelayOf, outside bool) []string {
	var entries []string
	entry := func(id, sign string, used bool) {
		if used {
			entries = append(entries, p.entry("scene.latency.legend", id, sign))
		}
	}
	inside := slices.ContainsFunc(s.All, func(d int64) bool { low, high := l.bounds(); return d >= low && d <= high })
	entry("inside", p.Signs.Fill, l.bounded && inside)
	entry("record", p.Signs.Fill, !l.bounded && len(s.All) > 0)
	entry("outside", p.Signs.Part, outside)
	entry("waiting", p.Signs.Hatch, s.Waiting > 0)
	entry("never", p.Signs.Fates[Dropped], s.Never > 0)
	return pack(entries, p.Width, 2)
}

// Sentences say all that the picture shows.
func (l *Latency) Sentences(p Picture) (out []string) {
	if len(l.Delays) == 0 {
		return nil
	}
	s := fold.Summary(l.Delays, p.now(l.Now))
	out = append(out, l.figures(&p, s), l.bound(&p))
	if len(s.All) > 0 && s.Waiting+s.Never > 0 {
		out = append(out, p.Loc.Text("scene.latency.say.rest", locale.Args{"Waiting": s.Waiting, "Never": s.Never, "Longest": s.Longest}))
	}
	for _, b := range l.buckets(s.All, 10) {
		if b.n > 0 {
			out = append(out, p.Loc.Plural("scene.latency.say.bucket", int64(b.n), locale.Args{"Span": b.span(&p), "Outside": b.n - b.inside}))
		}
	}
	return append(out, p.Loc.Text("scene.latency.uncommitted", nil))
}
