package objectstore

import (
	"strings"
)

// A Deny is a missing permission: requests of the operation on keys with the
// prefix answer AccessDenied. An empty operation or prefix means any.
type Deny struct {
	Op     Op
	Prefix string
}

// A Throttle refuses requests with SlowDown.
type Throttle struct {
	Op     Op
	Prefix string
	// PerSecond is how many requests of one virtual second pass; 0: not
	// limited by rate.
	PerSecond int64
	// Next is how many of the next requests are refused, whatever the rate.
	Next int

	second int64
	passed int64
}

// A Failing makes one request fail.
type Failing struct {
	Op     Op
	Prefix string
	// Nth counts matching requests from 1.
	Nth int
	// Lost: the request takes effect and the client sees a timeout. Otherwise
	// it has no effect and answers InternalError.
	Lost bool

	seen int
}

// Faults are what goes wrong with a store. They are data: add them, take them
// away, at any time.
type Faults struct {
	Denied    []Deny
	Throttled []*Throttle
	Failing   []*Failing
}

// Deny takes a permission away.
func (f *Faults) Deny(op Op, prefix string) { f.Denied = append(f.Denied, Deny{op, prefix}) }

// Allow gives a permission back. It reports whether it had been taken away.
func (f *Faults) Allow(op Op, prefix string) bool {
	for i, d := range f.Denied {
		if d == (Deny{op, prefix}) {
			f.Denied = append(f.Denied[:i:i], f.Denied[i+1:]...)
			return true
		}
	}
	return false
}

func matches(op Op, prefix string, o Op, key string) bool {
	return (op == "" || op == o) && strings.HasPrefix(key, prefix)
}

// before says what stops a request before it takes effect: permissions first,
// then the rate, then a failure that was armed.
func (f *Faults) before(s *Store, op Op, key string) error {
	for _, d := range f.Denied {
		if matches(d.Op, d.Prefix, op, key) {
			return s.fail(AccessDenied, op, key)
		}
	}
	for _, t := range f.Throttled {
		if matches(t.Op, t.Prefix, op, key) && t.refuses(s.now()) {
			return s.fail(SlowDown, op, key)
		}
	}
	if f.hit(false, op, key) {
		return s.fail(InternalError, op, key)
	}
	return nil
}

// after says whether the answer is lost.
func (f *Faults) after(s *Store, op Op, key string) error {
	if f.hit(true, op, key) {
		return s.fail(RequestTimeout, op, key)
	}
	return nil
}

// hit reports whether an armed failure happens now; it is gone afterwards.
func (f *Faults) hit(lost bool, op Op, key string) bool {
	for i, x := range f.Failing {
		if x.Lost == lost && x.hits(op, key) {
			f.Failing = append(f.Failing[:i:i], f.Failing[i+1:]...)
			return true
		}
	}
	return false
}

func (t *Throttle) refuses(now int64) bool {
	if t.Next > 0 {
		t.Next--
		return true
	}
	if t.PerSecond == 0 {
		return false
	}
	if second := now / 1000; second != t.second {
		t.second, t.passed = second, 0
	}
	if t.passed >= t.PerSecond {
		return true
	}
	t.passed++
	return false
}

func (x *Failing) hits(op Op, key string) bool {
	if !matches(x.Op, x.Prefix, op, key) {
		return false
	}
	x.seen++
	return x.seen >= max(x.Nth, 1)
}
