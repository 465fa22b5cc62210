package verdict

import (
	"slices"
	"sort"
	"strings"

	"streaminglab/sim"
)

// span is the offsets [from, to).
type span struct{ from, to int64 }

// offsets is a set of records, by split. Records come nearly in order, so that
// few spans hold many of them.
type offsets struct{ splits map[string][]span }

func newOffsets() *offsets { return &offsets{splits: map[string][]span{}} }

// splitOf is the split of a record, as scripts write it.
func splitOf(r sim.RecordID) string { return strings.TrimSuffix(r.Source+"/"+r.Split, "/") }

func (o *offsets) add(r sim.RecordID) { o.addSpan(splitOf(r), span{r.Offset, r.Offset + 1}) }

func (o *offsets) addSpan(split string, s span) {
	if s.from >= s.to {
		return
	}
	list := o.splits[split]
	// What touches the new span becomes part of it.
	i := sort.Search(len(list), func(i int) bool { return list[i].to >= s.from })
	k := i
	for ; k < len(list) && list[k].from <= s.to; k++ {
		s.from, s.to = min(s.from, list[k].from), max(s.to, list[k].to)
	}
	o.splits[split] = slices.Replace(list, i, k, s)
}

func (o *offsets) has(r sim.RecordID) bool {
	if o == nil {
		return false
	}
	list := o.splits[splitOf(r)]
	i := sort.Search(len(list), func(i int) bool { return list[i].to > r.Offset })
	return i < len(list) && list[i].from <= r.Offset
}

func (o *offsets) clone() *offsets {
	out := newOffsets()
	if o != nil {
		for split, list := range o.splits {
			out.splits[split] = slices.Clone(list)
		}
	}
	return out
}

// union adds another set.
func (o *offsets) union(x *offsets) *offsets {
	if x != nil {
		for split, list := range x.splits {
			for _, s := range list {
				o.addSpan(split, s)
			}
		}
	}
	return o
}

// minus takes another set away.
func (o *offsets) minus(x *offsets) *offsets {
	if x == nil {
		return o
	}
	for split, cut := range x.splits {
		var out []span
		for _, s := range o.splits[split] {
			for _, c := range cut {
				if c.to <= s.from || c.from >= s.to {
					continue
				}
				if c.from > s.from {
					out = append(out, span{s.from, c.from})
				}
				s.from = c.to
				if s.from >= s.to {
					break
				}
			}
			if s.from < s.to {
				out = append(out, s)
			}
		}
		if len(out) == 0 {
			delete(o.splits, split)
		} else {
			o.splits[split] = out
		}
	}
	return o
}

// below keeps what lies below a position of each split; splits without one are
// left out.
func (o *offsets) below(positions map[string]int64) *offsets {
	return o.within(func(split string) (span, bool) {
		p, ok := positions[split]
		return span{0, p}, ok
	})
}

// from keeps what lies at or above a position of each split.
func (o *offsets) from(positions map[string]int64) *offsets {
	return o.within(func(split string) (span, bool) {
		p, ok := positions[split]
		return span{p, sim.MaxTime}, ok
	})
}

func (o *offsets) within(keep func(split string) (span, bool)) *offsets {
	out := newOffsets()
	if o == nil {
		return out
	}
	for split, list := range o.splits {
		k, ok := keep(split)
		for _, s := range list {
			if ok {
				out.addSpan(split, span{max(s.from, k.from), min(s.to, k.to)})
			}
		}
	}
	return out
}

func (o *offsets) count() (n int) {
	if o != nil {
		for _, list := range o.splits {
			for _, s := range list {
				n += int(s.to - s.from)
			}
		}
	}
	return n
}

// each calls f for every record, in the order of splits and offsets.
func (o *offsets) each(f func(split string, offset int64)) {
	if o == nil {
		return
	}
	names := make([]string, 0, len(o.splits))
	for split := range o.splits {
		names = append(names, split)
	}
	slices.Sort(names)
	for _, split := range names {
		for _, s := range o.splits[split] {
			for i := s.from; i < s.to; i++ {
				f(split, i)
			}
		}
	}
}
