package objectstore

import "slices"

// A LifecycleRule deletes objects under a prefix that are older than an age,
// used or not: it knows nothing of what they are for (CP-11.7). A new version
// of an object is as young as its last put; parts of an upload that was never
// completed are not objects.
type LifecycleRule struct {
	Prefix string
	// Age is in ms.
	Age int64
}

// SetLifecycle adds a rule, or changes the age of the rule with that prefix; an
// age of 0 takes it away.
func (s *Store) SetLifecycle(r LifecycleRule) {
	s.Lifecycle = slices.DeleteFunc(s.Lifecycle, func(x LifecycleRule) bool { return x.Prefix == r.Prefix })
	if r.Age > 0 {
		s.Lifecycle = append(s.Lifecycle, r)
	}
	if s.Expires == nil {
		return
	}
	var times []int64
	for _, o := range s.under("") {
		if _, at, ok := s.expiry(o); ok {
			times = append(times, at)
		}
	}
	slices.Sort(times)
	for _, at := range slices.Compact(times) {
		s.Expires(at)
	}
}

// An Expired is an object that a rule deleted.
type Expired struct {
	Info
	Rule LifecycleRule
}

// expiry is the rule that deletes an object first, and when; false: none does.
func (s *Store) expiry(o Info) (rule LifecycleRule, at int64, ok bool) {
	for _, r := range s.Lifecycle {
		if !matches("", r.Prefix, "", o.Key) {
			continue
		}
		if t := o.Created + r.Age; !ok || t < at {
			rule, at, ok = r, t, true
		}
	}
	return rule, at, ok
}

// NextExpiry is the first moment at which a rule deletes an object that is
// there now; it may have passed already. False: none does. A put can bring it
// nearer, which Expires tells.
func (s *Store) NextExpiry() (at int64, ok bool) {
	if len(s.Lifecycle) == 0 {
		return 0, false
	}
	for _, o := range s.objects {
		if _, t, is := s.expiry(o.Info); is && (!ok || t < at) {
			at, ok = t, true
		}
	}
	return at, ok
}

// ApplyLifecycle carries the rules out at the present virtual time and returns
// what they deleted, by key. A real store does so once a day or so; whoever
// owns the clock says when. It makes no request and needs no permission.
func (s *Store) ApplyLifecycle() []Expired {
	var gone []Expired
	now := s.now()
	for _, o := range s.under("") {
		if rule, at, ok := s.expiry(o); ok && at <= now && s.drop(o.Key) == nil {
			gone = append(gone, Expired{o, rule})
		}
	}
	return gone
}
