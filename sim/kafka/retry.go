package kafka

import (
	"strings"

	"streaminglab/sim"
)

// How long clients wait, in ms: the defaults of a Java producer.
const (
	// RetryBackoff is retry.backoff.ms.
	RetryBackoff = 100
	// RequestTimeout is request.timeout.ms.
	RequestTimeout = 30_000
	// MaxBlock is max.block.ms: how long a call of a transactional producer waits.
	MaxBlock = 60_000
	// DeliveryTimeout is delivery.timeout.ms: how long a record may take.
	DeliveryTimeout = 120_000
)

// tries is how often a request is repeated where no time passes.
const tries = 8

// A wait is how long something has waited for an answer.
type wait struct {
	// waits : it has begun, at since in ms; lost is when a request that got no
	// answer is sent again.
	waits       bool
	since, lost int64
}

// timeoutException is thrown when a wait takes too long.
const timeoutException = "TimeoutException"

// retry repeats a request of a call as long as its answer is retriable, at most
// for max.block.ms.
func (p *ProducerClient) retry(api string, request func() Error) (Error, error) {
	return p.retryFor(api, &p.waiting, MaxBlock, request)
}

func (p *ProducerClient) retryFor(api string, w *wait, limit int64, request func() Error) (Error, error) {
	if p.Waits {
		return p.try(api, w, limit, request)
	}
	err := None
	for range tries {
		p.broker.From(Client{p.Name, p.Cause})
		if err = request(); !err.Retriable() {
			return err, nil
		}
	}
	if err == NotCoordinator {
		// max.block.ms has passed.
		return err, &Exception{Class: timeoutException, Err: err}
	}
	return err, p.pending(api, err, 0)
}

func (p *ProducerClient) pending(api string, err Error, again int64) *PendingError {
	out := &PendingError{API: api, Err: err, ID: p.ID, Again: again}
	if t := p.broker.Transaction(p.ID); t != nil {
		out.State = t.State
	}
	return out
}

// try sends a request. The call goes on later when its answer can change or did
// not come, and gives up when that takes longer than limit.
func (p *ProducerClient) try(api string, w *wait, limit int64, request func() Error) (Error, error) {
	b, now := p.broker, p.broker.Now()
	first := !w.waits
	if first {
		*w = wait{waits: true, since: now}
	}
	until := w.since + limit
	if now < w.lost && now < until {
		return None, p.pending(api, None, min(w.lost, until)) // nothing has come yet
	}
	if now < w.lost {
		*w = wait{}
		return None, &Exception{Class: timeoutException}
	}
	w.lost = 0
	f, answer := p.astray(api)
	if f == nil || answer {
		b.From(Client{p.Name, p.Cause})
		err := request()
		if err == ConcurrentTransactions && f == nil {
			// What it asked for may have ended the transition at once.
			if t := b.transactions[p.ID]; t == nil || !t.State.preparing() {
				p.refused(api, err)
				first = true
				err = request()
			}
		}
		switch {
		case f != nil:
		case !err.Retriable():
			*w = wait{}
			if err != None {
				p.refused(api, err)
			}
			return err, nil
		case until <= now:
			*w = wait{}
			p.refused(api, err)
			return err, &Exception{Class: timeoutException, Err: err}
		default:
			if first {
				p.waits(api, err, until)
			}
			return err, p.pending(api, err, min(now+RetryBackoff, until))
		}
	}
	w.lost = now + RequestTimeout
	step := b.tell(p.Name, "LAB-5", sim.FaultInjected{Point: f.Point, Kind: f.Kind}, f.Cause)
	b.tell(p.Name, "K-17", sim.RequestLost{API: api, ID: p.ID, Answer: answer, Again: w.lost}, step, p.Cause)
	return None, p.pending(api, None, min(w.lost, until))
}

// astray is the fault by which a request, or its answer, is lost.
func (p *ProducerClient) astray(api string) (f *sim.Fault, answer bool) {
	if p.broker.Fault == nil {
		return nil, false
	}
	places := clientPlaces(p.Name, api)
	if f = p.broker.Fault(sim.PointRequest, places...); f != nil {
		return f, false
	}
	return p.broker.Fault(sim.PointAnswer, places...), true
}

// refused tells an answer that is an error.
func (p *ProducerClient) refused(api string, err Error) {
	p.broker.tell(p.Name, RuleOf(err), sim.RequestRefused{API: api, ID: p.ID, Error: err.String(), Code: int64(err), Retry: err.Retriable()}, p.Cause, p.broker.accessOf(err))
}

// Refused tells that who sent the last request was refused, and does not try again.
func (b *Broker) Refused(api string, err Error) {
	b.tell(b.from.Name, RuleOf(err), sim.RequestRefused{API: api, Error: err.String(), Code: int64(err)}, b.from.Cause)
}

// RuleOf is the rule that says when a broker answers so.
func RuleOf(err Error) string {
	switch err {
	case InvalidTransactionTimeout:
		return "K-7"
	case OutOfOrderSequenceNumber:
		return "K-17"
	case InvalidTxnState:
		return "K-22"
	case InvalidProducerIDMapping:
		return "K-30"
	case TransactionAbortable:
		return "K-14"
	case ConcurrentTransactions, NotCoordinator:
		return "K-3"
	case TopicAuthorizationFailed, GroupAuthorizationFailed, TransactionalIDAuthorizationFailed:
		return "LAB-17"
	case NotEnoughReplicas, NotLeaderOrFollower, RequestTimedOut:
		return ReplicationRule
	}
	return "K-16"
}

func (p *ProducerClient) waits(api string, err Error, until int64) {
	p.broker.tell(p.Name, RuleOf(err), sim.ClientWaits{API: api, ID: p.ID, Error: err.String(), Until: until}, p.Cause)
}

// clientPlaces are the names by which a fault finds a request of a client, from
// the exact to the general: a subtask, its vertex, what is asked for.
func clientPlaces(name, api string) []string {
	vertex, _, _ := strings.Cut(name, "[")
	typed := strings.TrimPrefix(name, "producer:")
	return []string{name + ":" + api, typed + ":" + api, name, typed, vertex, api}
}
