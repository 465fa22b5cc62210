package world

import (
	"streaminglab/sim/kafka"
)

// adminPlace is an Admin client as a place of steps.
const adminPlace = "admin"

// Fence is Admin#fenceProducers: it initialises each id, which ends what its
// owner had open.
func (w *World) Fence(text Command, ids []string) error {
	step := w.kernel.Command(string(text))
	for _, id := range ids {
		c := w.broker.NewProducer(id, kafka.FenceTimeout)
		c.Name, c.Waits, c.Cause = adminPlace, true, step
		p := &producer{at: adminPlace, client: c}
		p.call = &call{world: w, do: c.InitTransactions, done: func(err error) { w.told(p, "fenceProducers", kafka.Uninitialized, err, step) }}
		p.call.begin()
	}
	return w.settle()
}
