package objectstore

// List returns the objects whose keys begin with a prefix, sorted by key. It
// is consistent: what was put is listed at once.
func (s *Store) List(prefix string) (found []Info, took int64, err error) {
	took, err = s.request(OpList, prefix, 0, func() (int64, error) {
		found = s.under(prefix)
		return 0, nil
	})
	if err != nil {
		found = nil
	}
	return found, took, err
}
