package objectstore

// Delete deletes an object. A key that does not exist is no error. The
// directory of the local flavour stays.
func (s *Store) Delete(key string) (took int64, err error) {
	return s.request(OpDelete, key, 0, func() (int64, error) { return 0, s.drop(key) })
}

func (s *Store) drop(key string) error {
	o := s.objects[key]
	if o == nil {
		return nil
	}
	if o.content {
		if err := s.kept(s.content.Remove(key)); err != nil {
			return err
		}
	}
	s.used -= o.Size
	delete(s.objects, key)
	s.keys = remove(s.keys, key)
	if s.Changed != nil {
		s.Changed(o.Info, true)
	}
	return nil
}
