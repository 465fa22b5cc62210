package kafka

import "sort"

// Next is the first record at or behind an offset that a reader gets, with its
// batch; nil: none can be read. committed readers get what lies below the last
// stable offset and was not aborted (K32, K34).
func (p *Partition) Next(from int64, committed bool) (batch *Batch, offset int64) {
	if p.Offline() {
		return nil, 0
	}
	from = max(from, p.Start)
	upper := p.HighWatermark()
	if committed {
		upper = p.LastStableOffset()
	}
	i := sort.Search(len(p.Batches), func(i int) bool { return p.Batches[i].Last() >= from })
	for ; i < len(p.Batches); i++ {
		b := p.Batches[i]
		at := max(from, b.Base)
		switch {
		case at >= upper:
			return nil, 0
		case b.Control != Data || committed && p.IsAborted(b):
		default:
			return b, at
		}
	}
	return nil, 0
}

// IsAborted reports whether a batch belongs to a transaction that was aborted.
func (p *Partition) IsAborted(b *Batch) bool {
	if !b.Transactional || b.Producer == NoProducer {
		return false
	}
	// The index is in the order of the markers.
	i := sort.Search(len(p.Aborted), func(i int) bool { return p.Aborted[i].Last >= b.Base })
	for _, a := range p.Aborted[i:] {
		if a.Producer == b.Producer {
			return a.First <= b.Last()
		}
	}
	return false
}
