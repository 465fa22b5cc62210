package verdict

import (
	"cmp"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// gone are records that a split was to read, and that its log does not have any
// more: they were deleted, or went with their leader (LAB-15, LAB-16).
type gone struct {
	step, cause *sim.Step
	split, at   string
	rule        string
	records     *offsets
}

// outOfRange notes what a reader skips when its position is not in the log.
func (f *Fold) outOfRange(s *sim.Step, b sim.OffsetReset) {
	if f.now == nil {
		return
	}
	g := gone{step: s, cause: firstCause(s), split: trimSplit(s.At), at: b.Partition, rule: s.Rule, records: newOffsets()}
	left := b.Lost
	for _, x := range f.topics.kafka.Batches {
		for i, v := range x.Values {
			at := int64(x.Offset + i)
			if x.Partition != b.Partition || at < b.Position || at >= b.To || len(left) == 0 || left[0] != v {
				continue
			}
			g.records.addSpan(g.split, span{at, at + 1})
			if key, _, ok := strings.Cut(v, "="); ok {
				f.splitOf(g.split).keys[at] = key
			}
			left = left[1:]
		}
	}
	f.notesGone(g)
}

// skips notes what a reader has not found again: it reads a later record first. A
// split of which no state says how far it was read starts wherever its log does.
func (f *Fold) skips(s *sim.Step, r sim.RecordID) {
	split := splitOf(r)
	g := gone{step: s, cause: f.now.step, split: split, rule: "LAB-16", records: newOffsets()}
	for _, x := range f.now.expected.splits[split] {
		g.records.addSpan(split, span{x.from, min(x.to, r.Offset)})
	}
	g.records.minus(f.now.read)
	f.notesGone(g)
}

func (f *Fold) notesGone(g gone) {
	if g.records.count() == 0 {
		return
	}
	f.now.expected.minus(g.records)
	f.now.gone = append(f.now.gone, g)
}

// lostInput are records that are not in the input any more, and in no state.
func (f *Fold) lostInput() (out []fold.Verdict) {
	path, told := f.paths(), newOffsets()
	for _, s := range f.starts {
		for _, g := range s.gone {
			source, _, _ := strings.Cut(g.split, "/")
			if !path.lead(s, source) {
				continue
			}
			rest := newOffsets()
			g.records.each(func(split string, offset int64) {
				if !f.outlives(split, offset) {
					rest.addSpan(split, span{offset, offset + 1})
				}
			})
			if rest = rest.minus(told); rest.count() == 0 {
				continue
			}
			told.union(rest)
			v := verdict(Lost, Yes, s, g.step, g.cause, g.rule)
			v.Operator, v.Partition, v.Records, v.Count = source, cmp.Or(g.at, g.split), f.lines(rest), rest.count()
			out = append(out, v)
		}
	}
	return out
}

// outlives reports whether a record that cannot be read again is in a result that
// everybody can read, and was in no state that has lost it.
func (f *Fold) outlives(split string, offset int64) bool {
	is := func(r sim.RecordID) bool { return splitOf(r) == split && r.Offset == offset }
	if slices.ContainsFunc(f.order, func(o *operator) bool {
		for _, x := range o.handled.splits[split] {
			if x.from <= offset && offset < x.to {
				return true
			}
		}
		return false
	}) {
		return false
	}
	return slices.ContainsFunc(f.topics.results, func(x *sent) bool { return is(x.w.id.record) && x.visible() })
}
