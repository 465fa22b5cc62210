package flink

import (
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/state/lsm"
)

// What takes virtual time does so by the model of sim/cost, when the job asks
// for one (cost-model: on). What bytes and files there are is the engine's in
// either case.

// setLatency gives the store the model's requests.
func (j *Job) setLatency() {
	j.cluster.Store.Latency = objectstore.Latency{}
	if m := j.Spec.Costs; m != nil {
		j.cluster.Store.Latency = objectstore.Latency{Fixed: m.Request, Bandwidth: m.Connection}
	}
}

// stand makes a task take nothing for so many ms, and then calls f.
func (t *task) stand(ms int64, f func()) {
	if ms <= 0 {
		f()
		return
	}
	if r := t.chain.reader; r != nil {
		r.standing++
		t.chain.work(ms, func() {
			r.standing--
			f()
		})
		return
	}
	t = t.chain.tasks[0]
	t.standing++
	t.chain.work(ms, func() {
		t.rise()
		f()
	})
}

// rise ends one reason to stand still. Barriers that overtook come first.
func (t *task) rise() {
	t.standing--
	if t.standing > 0 || t.gate == nil {
		return
	}
	t.gate.Act()
	t.job.wake(t)
	t.broken()
}

// syncTime is how long the synchronous half of a snapshot takes, in ms: the
// memtables that were flushed, or the views of all values of a heap.
func (t *task) syncTime(snap *lsm.Snapshot, values int64) int64 {
	m := t.job.Spec.Costs
	if m == nil {
		return 0
	}
	if snap == nil {
		return m.HeapSnapshot(values, 0).Sync
	}
	flushed := int64(0)
	for _, f := range snap.Files {
		if f.Table() && f.Transfer != lsm.Placeholder {
			flushed += f.Size
		}
	}
	return m.TreeSnapshot(flushed, nil).Sync
}

// restoreTime is how long a task takes to get its state back, in ms.
func (t *task) restoreTime(from *Restored) int64 {
	m := t.job.Spec.Costs
	if m == nil || from == nil {
		return 0
	}
	var files []int64
	bytes := int64(0)
	groups, err := t.groups()
	if err != nil {
		return 0
	}
	if t.local(from, groups) != nil {
		// Nothing is downloaded.
		return 0
	}
	for _, k := range from.keyedOf(t.spec) {
		if k.Last < groups.First || k.First > groups.Last {
			continue
		}
		for _, list := range [][]checkpoint.NamedHandle{k.Shared, k.Private} {
			for _, h := range list {
				bytes += h.Handle.Size
				if h.Handle.Kind == checkpoint.File {
					files = append(files, h.Handle.Size)
				}
			}
		}
	}
	switch {
	case bytes == 0:
		return 0
	case t.tree() != nil:
		return m.TreeRestore(files, 0)
	}
	return m.HeapRestore(bytes)
}
