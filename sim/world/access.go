package world

import (
	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// Access takes a right on a resource of the broker from clients, or gives it back.
func (w *World) Access(text Command, acl kafka.ACL, allowed bool) error {
	if allowed && !w.broker.Denied(acl) {
		if x := w.broker.Denies(acl); x != nil {
			return sim.NewProblem("world.denied-otherwise", "Operation", x.Operation, "Resource", x.Resource, "Name", x.Name, "Principal", x.Principal)
		}
		return sim.NewProblem("world.not-denied", "Operation", acl.Operation, "Resource", acl.Resource, "Name", acl.Name)
	}
	w.broker.From(kafka.Client{Cause: w.kernel.Command(string(text))})
	if allowed {
		w.broker.Allow(acl)
	} else {
		w.broker.Deny(acl)
	}
	w.broker.TellAccess(acl, allowed)
	return w.settle()
}

// watchRetention lets segments go when they are due.
func (w *World) watchRetention() {
	deletes := &grid{kernel: w.kernel, interval: kafka.RetentionInterval, due: func() (int64, bool) { return w.broker.RetainDue() }, do: func() { w.broker.DeleteOldSegments() }}
	w.broker.Retaining = deletes.plan
}
