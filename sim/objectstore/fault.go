package objectstore

import (
	"slices"
	"strings"
)

// Words are the operations as a script names them. A word covers what the
// permission of that name covers: the requests of an upload in parts are puts,
// giving one up is a delete.
var Words = []Op{OpPut, OpGet, OpList, OpDelete, Any}

// Any is every operation.
const Any Op = "*"

// Word is the word that covers an operation.
func (o Op) Word() Op {
	switch o {
	case OpMultipartStart, OpMultipartPart, OpMultipartComplete, OpMakeDirectory:
		return OpPut
	case OpMultipartAbort, OpRemoveDirectory:
		return OpDelete
	}
	return o
}

// Covers reports whether an operation or a word means another operation; the
// empty one and * mean all.
func (o Op) Covers(other Op) bool { return o == "" || o == Any || o == other || o == other.Word() }

// A Permission takes or gives the right to operations on keys with a prefix.
type Permission struct {
	Op      Op
	Prefix  string
	Allowed bool
}

// covers reports whether all that another permission means is meant.
func (p Permission) covers(q Permission) bool {
	return p.Op.Covers(q.Op) && strings.HasPrefix(q.Prefix, p.Prefix)
}

// A Slowness makes requests take longer.
type Slowness struct {
	Op     Op
	Prefix string
	// Extra is in ms for each request.
	Extra int64
	// Bandwidth in bytes a second holds instead of that of the store when it is
	// lower; 0: that of the store.
	Bandwidth int64
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
	// Permissions are in the order in which they were said: of those that
	// match a request the last one holds. Nothing is denied at first.
	Permissions []Permission
	Slow        []Slowness
	Throttled   []*Throttle
	Failing     []*Failing
}

// Deny takes a permission away: requests answer AccessDenied.
func (f *Faults) Deny(op Op, prefix string) { f.say(Permission{op, prefix, false}) }

// Allow gives a permission back, also a part of what was taken. It reports
// whether anything of it had been taken away.
func (f *Faults) Allow(op Op, prefix string) bool {
	p := Permission{op, prefix, true}
	taken := slices.ContainsFunc(f.Permissions, func(q Permission) bool {
		return !q.Allowed && (p.Op.Covers(q.Op) || q.Op.Covers(p.Op)) &&
			(strings.HasPrefix(q.Prefix, p.Prefix) || strings.HasPrefix(p.Prefix, q.Prefix)) && f.bites(q)
	})
	if taken {
		f.say(p)
	}
	return taken
}

// bites reports whether what a permission took has not been given back whole.
func (f *Faults) bites(q Permission) bool {
	i := slices.Index(f.Permissions, q)
	return !slices.ContainsFunc(f.Permissions[i+1:], func(p Permission) bool { return p.Allowed && p.covers(q) })
}

// say adds a permission and forgets what it makes void.
func (f *Faults) say(p Permission) {
	f.Permissions = slices.DeleteFunc(f.Permissions, p.covers)
	if p.Allowed && !slices.ContainsFunc(f.Permissions, func(q Permission) bool { return !q.Allowed }) {
		f.Permissions = nil
		return
	}
	f.Permissions = append(f.Permissions, p)
}

func (f *Faults) denies(op Op, key string) bool {
	for _, p := range slices.Backward(f.Permissions) {
		if matches(p.Op, p.Prefix, op, key) {
			return !p.Allowed
		}
	}
	return false
}

// SlowDown makes requests of an operation below a prefix take longer; with
// neither extra time nor a bandwidth it is over.
func (f *Faults) SlowDown(x Slowness) {
	f.Slow = slices.DeleteFunc(f.Slow, func(y Slowness) bool { return y.Op == x.Op && y.Prefix == x.Prefix })
	if x.Extra > 0 || x.Bandwidth > 0 {
		f.Slow = append(f.Slow, x)
	}
}

func matches(op Op, prefix string, o Op, key string) bool {
	return op.Covers(o) && strings.HasPrefix(key, prefix)
}

// before says what stops a request before it takes effect: permissions first,
// then the rate, then a failure that was armed.
func (f *Faults) before(s *Store, op Op, key string) error {
	if f.denies(op, key) {
		return s.fail(AccessDenied, op, key)
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
	// One kind of request fails, not all that a word covers.
	if x.Op != op && x.Op != "" && x.Op != Any || !strings.HasPrefix(key, x.Prefix) {
		return false
	}
	x.seen++
	return x.seen >= max(x.Nth, 1)
}
