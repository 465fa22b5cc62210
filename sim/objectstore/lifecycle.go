package objectstore

// A LifecycleRule deletes objects under a prefix that are older than an age,
// used or not: it knows nothing of what they are for (CP-11.7).
type LifecycleRule struct {
	Prefix string
	// Age is in ms.
	Age int64
}

// ApplyLifecycle carries the rules out at the present virtual time and returns
// what they deleted, by key. A real store does so once a day or so; whoever
// owns the clock says when. It makes no request and needs no permission.
func (s *Store) ApplyLifecycle() []Info {
	var gone []Info
	now := s.now()
	for _, o := range s.under("") {
		for _, r := range s.Lifecycle {
			if matches("", r.Prefix, "", o.Key) && now-o.Created >= r.Age {
				if s.drop(o.Key) == nil {
					gone = append(gone, o)
				}
				break
			}
		}
	}
	return gone
}
