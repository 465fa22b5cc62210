package session

import (
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// pairs are what the interval joins of a run emitted, each once, with how often.
// A pair is the same in two runs when it joins the same words of a key at one
// timestamp.
func pairs(f *fold.Folds) map[identity]Difference {
	out := map[identity]Difference{}
	for _, p := range f.Pairs {
		id := identity{kind: "pair", where: p.Operator, key: p.Key, left: p.Left, right: p.Right, a: p.TS}
		d, ok := out[id]
		if !ok {
			d = Difference{Kind: "pair", Operator: p.Operator, Key: p.Key, PairLeft: p.Left, PairRight: p.Right, Start: p.TS, t: p.T}
			d.Left.Fate = "paired"
		}
		d.Left.Step = p.Step
		d.Left.Times = append(d.Left.Times, p.T)
		out[id] = d
	}
	return out
}

// A bucket are the records that an interval join keeps on one side for a key and
// a timestamp: they go together.
type bucket struct {
	at, key, side string
	ts            int64
}

// kept is the largest number of records that interval joins kept at one time,
// and for how long all of them were kept together. A restart goes on with those
// of its checkpoint, which are no more than there were.
func kept(run side) (most, inAll int) {
	buckets := map[bucket]map[sim.RecordID]int64{} // since when
	var edges []sim.Edge
	n, now := 0, int64(0)
	for s := range run.trace.Main() {
		now = s.T
		switch b := s.Body.(type) {
		case sim.JobStarted:
			edges = b.Edges
		case sim.RecordPlaced:
			if b.Windows != nil {
				continue
			}
			id := bucket{s.At, b.Key, sideOf(edges, s.At, b.Record.Source), b.TS}
			if buckets[id] == nil {
				buckets[id] = map[sim.RecordID]int64{}
			}
			if _, again := buckets[id][b.Record]; !again {
				buckets[id][b.Record] = now
				n++
			}
		case sim.JoinRemoved:
			id := bucket{s.At, b.Key, b.Side, b.TS}
			for _, since := range buckets[id] {
				inAll += int(now - since)
				n--
			}
			delete(buckets, id)
		}
		most = max(most, n)
	}
	for _, records := range buckets {
		for _, since := range records {
			inAll += int(max(run.now, now) - since)
		}
	}
	return most, inAll
}

// sideOf is the side of a join on which the records of a source come in: left is
// its first input.
func sideOf(edges []sim.Edge, at, source string) string {
	join, _, _ := strings.Cut(at, "[")
	first := slices.IndexFunc(edges, func(e sim.Edge) bool { return e.To == join })
	if first >= 0 && leads(edges, source, edges[first].From) {
		return "left"
	}
	return "right"
}

// leads reports whether what a source reads comes to an operator.
func leads(edges []sim.Edge, source, to string) bool {
	return source == to || slices.ContainsFunc(edges, func(e sim.Edge) bool { return e.To == to && leads(edges, source, e.From) })
}
