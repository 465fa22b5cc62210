package checkpoint

import (
	"errors"
	"maps"
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/objectstore"
)

// complete finalizes a checkpoint that everybody acknowledged and reports
// whether that worked (completePendingCheckpoint, CP-1.5). The looks that it
// asks for: one of the pending checkpoint that is disposed, one for each
// subsumed checkpoint that is cleaned, one at the end (CP-2.5).
//
// Writing _metadata may take its time: then the answer is true, and the rest
// follows.
func (c *Coordinator) complete(p *pending) bool {
	m := p.metadata(c.graph)
	data := m.Encode()
	took := int64(0)
	if c.Writing != nil {
		took = c.Writing(p.location.Directory+"/"+MetadataFile, int64(len(data)))
	}
	c.tell(Finalizing{ID: p.id, Duration: took})
	if took == 0 {
		return c.finalize(p, m, data)
	}
	c.writing = c.queue.At(c.now()+took, false, func() {
		c.writing = nil
		c.finalize(p, m, data)
		c.drain()
		free := c.free
		c.free = nil
		for _, f := range free {
			c.WhenFree(f)
		}
	})
	return true
}

// finalize is what follows the writing.
func (c *Coordinator) finalize(p *pending, m *Metadata, data []byte) bool {
	done := &CompletedCheckpoint{
		Metadata: m, Location: p.location, Properties: p.properties,
		Triggered: p.triggered, Completed: c.now(), Uploaded: p.uploaded, MetadataSize: int64(len(data)),
	}
	if err := c.storage.writeMetadata(p.location, data); err != nil {
		c.answer(p.request, 0, "", exceptionOf(err))
		c.abort(p, FinalizeFailure, -1)
		c.lookLater()
		return false
	}
	p.disposed = true
	p.timeout.Cancel()
	c.lookLater()
	subsumed := int64(-1)
	if !p.properties.Type.Savepoint() {
		last, fault := c.store.add(done, c.lookLater)
		if fault != "" {
			c.storeFailed(p, done, fault)
			return false
		}
		c.forceFull = false
		if last != nil && last.Properties.DiscardSubsumed {
			subsumed = last.ID()
		}
	}
	c.failures.completed(p.id)
	c.tell(Completed{
		ID: p.id, Type: p.properties.Type, Directory: p.location.Directory, Triggered: p.triggered,
		Size: done.Metadata.Size(), Uploaded: p.uploaded, MetadataSize: done.MetadataSize,
		Files: done.Metadata.Files(),
	})
	c.answer(p.request, p.id, "", nil)
	delete(c.pending, p.id)
	c.lookLater()
	c.lastCompletion = c.now()
	if t := p.properties.Type; !t.Savepoint() || t.Synchronous() {
		c.dropSubsumed(p.id)
		c.tell(NotifyCompleted{ID: p.id, Subsumed: subsumed, Tasks: p.plan.wait, All: p.plan.all})
	}
	return true
}

// storeFailed gives up a checkpoint whose _metadata is written and whose
// pointer is not. Its private files go, unless the pointer may have been
// written all the same; its shared files stay until they are swept (CP-11.4).
func (c *Coordinator) storeFailed(p *pending, done *CompletedCheckpoint, fault StoreFault) {
	c.answer(p.request, 0, "", fault.Exception())
	if fault != StoreUnknown {
		_ = c.store.cleaner.discard(done)
	}
	c.judge(p.id, p.properties, FinalizeFailure, -1)
	c.notifyAborted(p)
	delete(c.pending, p.id)
	c.lookLater()
}

// dropSubsumed aborts pending checkpoints that are older than the completed
// one; savepoints are spared.
func (c *Coordinator) dropSubsumed(id int64) {
	for _, older := range slices.Sorted(maps.Keys(c.pending)) {
		if p := c.pending[older]; p != nil && older < id && !p.properties.Type.Savepoint() {
			c.abort(p, Subsumed, -1)
		}
	}
}

// exceptionOf is what a caller sees of an error of the store.
func exceptionOf(err error) *sim.Exception {
	var e *objectstore.Error
	if errors.As(err, &e) {
		return e.Exception()
	}
	return &sim.Exception{Class: "java.io.IOException", Message: err.Error()}
}
