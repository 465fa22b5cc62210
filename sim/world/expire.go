package world

import (
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/kafka"
)

// transactionalID finds what the coordinator knows of an id.
func (w *World) transactionalID(id string) (*kafka.Transaction, error) {
	if w.broker.CoordinatorIsAway() {
		return nil, sim.NewProblem("world.coordinator-away")
	}
	if t := w.broker.Transaction(id); t != nil {
		return t, nil
	}
	known := w.TransactionalIDs()
	return nil, sim.NewProblem("world.unknown-transactional-id", "Name", id, "Known", strings.Join(known, ", "), "Nearest", Nearest(id, known))
}

// ExpireTransaction lets time pass until the coordinator looks for transactions
// whose time is over and finds the one of an id (K-28).
func (w *World) ExpireTransaction(text Command, id string) error {
	t, err := w.transactionalID(id)
	if err != nil {
		return err
	}
	if t.State != kafka.Ongoing {
		return sim.NewProblem("world.transaction-not-open", "Name", id, "State", t.State.String())
	}
	return w.until(text, t.Start+t.Timeout+1, abortInterval)
}

// ExpireID lets time pass until the coordinator forgets an id (K-30).
func (w *World) ExpireID(text Command, id string) error {
	t, err := w.transactionalID(id)
	if err != nil {
		return err
	}
	if !t.Idle() {
		return sim.NewProblem("world.transaction-open", "Name", id, "State", t.State.String())
	}
	return w.until(text, t.Updated+w.broker.Config.TransactionalIDExpiration, removeInterval)
}

// ExpireProducers lets time pass until the leaders have forgotten all producers
// that they know and that have no transaction open (K-20).
func (w *World) ExpireProducers(text Command) error {
	_, last, ok := w.broker.ProducersExpire()
	if !ok {
		return sim.NewProblem("world.no-producers")
	}
	return w.until(text, last, forgetInterval)
}

// until lets time pass until a periodic job of the broker runs that finds what
// is due at a moment.
func (w *World) until(text Command, due, interval int64) error {
	return w.Advance(text, onGrid(max(due, w.kernel.Now()+1), interval)-w.kernel.Now())
}
