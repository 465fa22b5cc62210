package objectstore

// Get reads an object. Its bytes are nil when only its size was kept. It
// returns how long the request took in ms.
func (s *Store) Get(key string) (b Body, took int64, err error) {
	took, err = s.request(OpGet, key, 0, func() (int64, error) {
		o := s.objects[key]
		if o == nil {
			return 0, s.fail(NoSuchKey, OpGet, key)
		}
		b.Size = o.Size
		if o.content {
			data, err := s.content.Read(key)
			if s.kept(err) != nil {
				return 0, err
			}
			b.Bytes = data
		}
		return o.Size, nil
	})
	if err != nil {
		b = Body{}
	}
	return b, took, err
}
