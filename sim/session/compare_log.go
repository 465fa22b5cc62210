package session

import (
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// logged is how often readers get each record of the topics at the end of a run:
// those of committed transactions alone, and all. A record is the same in two runs
// when it has the same key and value and stands in the same partition.
func logged(t *sim.Trace) map[identity]Difference {
	out := map[identity]Difference{}
	for _, p := range fold.KafkaOf(t).Partitions {
		if fold.Internal(p.Name) {
			continue
		}
		for _, e := range p.Entries {
			b := e.Batch
			if b == nil || b.Offset >= p.HW {
				continue
			}
			for i, record := range b.Values {
				if b.Offset+i < p.Start {
					continue
				}
				id := identity{kind: "logged", where: p.Name, key: record}
				d, ok := out[id]
				if !ok {
					d = Difference{Kind: "logged", Split: p.Name, Key: record, t: b.T}
				}
				d.Left.Step = b.Step
				d.Left.Uncommitted++
				if b.State == fold.BatchCommitted && b.Offset < p.LSO {
					d.Left.Committed++
				}
				out[id] = d
			}
		}
	}
	return out
}
