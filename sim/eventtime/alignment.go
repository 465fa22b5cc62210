package eventtime

import (
	"cmp"
	"slices"

	"streaminglab/sim"
)

// A watermarkAggregator keeps the latest watermark for each key and their
// minimum. It mirrors SourceCoordinator.WatermarkAggregator.
type watermarkAggregator[K cmp.Ordered] struct {
	entries []aggregated[K] // sorted by key
}

type aggregated[K cmp.Ordered] struct {
	key       K
	watermark int64
}

// minimum is MIN as long as there is no entry.
func (a *watermarkAggregator[K]) minimum() int64 {
	if len(a.entries) == 0 {
		return sim.MinTime
	}
	lowest := sim.MaxTime
	for _, e := range a.entries {
		lowest = min(lowest, e.watermark)
	}
	return lowest
}

// aggregate returns the minimum and whether it is another one than before.
func (a *watermarkAggregator[K]) aggregate(key K, watermark int64) (int64, bool) {
	before := a.minimum()
	i, found := slices.BinarySearchFunc(a.entries, key, func(e aggregated[K], k K) int { return cmp.Compare(e.key, k) })
	if found {
		a.entries[i].watermark = watermark
	} else {
		a.entries = slices.Insert(a.entries, i, aggregated[K]{key, watermark})
	}
	after := a.minimum()
	return after, after != before
}

// An AlignmentGroup is what the sources of one watermark group share: their
// entry in the coordinator store (EV-3.5).
type AlignmentGroup struct {
	sources watermarkAggregator[string]
}

// Watermark is the lowest one in the group, MIN if nobody reported.
func (g *AlignmentGroup) Watermark() int64 { return g.sources.minimum() }

// A SourceCoordinator is the part of Flink's class of that name that aligns
// the readers of one source with those of its group (EV-3.5).
type SourceCoordinator struct {
	source  string
	drift   int64
	group   *AlignmentGroup
	readers watermarkAggregator[int]
}

// NewSourceCoordinator returns the coordinator of a source whose readers may
// run ahead of the slowest one of the group by at most drift.
func NewSourceCoordinator(source string, drift int64, group *AlignmentGroup) *SourceCoordinator {
	return &SourceCoordinator{source: source, drift: drift, group: group}
}

// HandleReportedWatermark takes the report of a reader: its watermark, or MAX
// if it is idle. The group hears of the source only when the minimum of its
// readers changes, so a source that only ever reported MIN is unknown to it
// and holds nobody.
func (c *SourceCoordinator) HandleReportedWatermark(subtask int, watermark int64) {
	if lowest, changed := c.readers.aggregate(subtask, watermark); changed {
		c.group.sources.aggregate(c.source, lowest)
	}
}

// AnnounceCombinedWatermark returns the watermark above which readers must
// wait, and who is told: every reader that has reported, by number.
func (c *SourceCoordinator) AnnounceCombinedWatermark() (maxAllowed int64, subtasks []int) {
	for _, e := range c.readers.entries {
		subtasks = append(subtasks, e.key)
	}
	return addSaturating(c.group.Watermark(), c.drift), subtasks
}

// addSaturating is Math.addExact with MAX in place of the exception, also if
// the sum fell below MIN.
func addSaturating(a, b int64) int64 {
	sum := a + b
	if (a^sum)&(b^sum) < 0 {
		return sim.MaxTime
	}
	return sum
}
