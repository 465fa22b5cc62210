package tui

import (
	"streaminglab/internal/view"
)

// zoom draws a shorter or a longer part of event time, around what is selected.
func (b *bench) zoom(n float64) {
	if !b.spans() {
		return
	}
	scene := b.picture()
	low, high, ok := scene.Range()
	if !ok {
		return
	}
	now := view.Span{Low: low, High: high}
	if b.span != nil {
		now = *b.span
	}
	b.span = now.Zoom(b.focusTime(scene, now), n, low, high)
}

// spans says that the present view has event time to zoom into.
func (b *bench) spans() bool {
	switch b.shown() {
	case viewLanes, viewPlane:
		return true
	}
	return false
}

// shift moves the part of event time that is drawn.
func (b *bench) shift(share float64) {
	if !b.spans() {
		return
	}
	low, high, ok := b.picture().Range()
	if ok && b.span != nil {
		b.span = b.span.Shift(share, low, high)
	}
}

// focusTime is the event time that a zoom keeps in its place: that of the
// selected record, else the watermark, else the middle.
func (b *bench) focusTime(scene *view.Scene, now view.Span) int64 {
	step := b.s.Cursor()
	for _, l := range scene.Lanes {
		for _, r := range l.Marks {
			if r.Step == step || r.Read == step {
				return r.TS
			}
		}
	}
	if w := scene.Watermark; w >= now.Low && w <= now.High {
		return w
	}
	return now.Low + (now.High-now.Low)/2
}
