package checkpoint

import "slices"

// subsume takes the oldest checkpoints out of a list, oldest first, until it is
// not longer than retained (CheckpointSubsumeHelper, CP-5.3). The latest stays,
// and so does the latest that is no savepoint: incremental checkpoints build on
// it.
func subsume(list []*CompletedCheckpoint, retained int) (kept, subsumed []*CompletedCheckpoint) {
	kept = slices.Clone(list)
	if len(list) <= retained {
		return kept, nil
	}
	latest := list[len(list)-1]
	var latestCheckpoint *CompletedCheckpoint
	for _, c := range slices.Backward(list) {
		if !c.Properties.Type.Savepoint() {
			latestCheckpoint = c
			break
		}
	}
	for _, c := range list {
		if len(kept) <= retained {
			break
		}
		if c == latest {
			continue
		}
		savepoint := c.Properties.Type.Savepoint()
		stopped := latest.Properties.Type.Synchronous()
		if savepoint || stopped || latestCheckpoint != nil && latestCheckpoint != c {
			i := slices.Index(kept, c)
			kept = slices.Delete(kept, i, i+1)
			subsumed = append(subsumed, c)
		}
	}
	return kept, subsumed
}
