package objectstore

import "strings"

// Put uploads an object and replaces what was there. owner is a label of
// whoever does. It returns how long the request took in ms.
func (s *Store) Put(key string, b Body, owner string) (took int64, err error) {
	return s.request(OpPut, key, b.Size, func() (int64, error) { return 0, s.put(OpPut, key, b, owner) })
}

func (s *Store) put(op Op, key string, b Body, owner string) error {
	old := s.objects[key]
	used := s.used + b.Size
	if old != nil {
		used -= old.Size
	}
	if s.Flavour == LocalDirectory && s.Quota > 0 && used > s.Quota {
		return s.fail(NoSpaceLeft, op, key)
	}
	if b.Bytes != nil {
		if err := s.kept(s.content.Write(key, b.Bytes)); err != nil {
			return err
		}
	} else if old != nil && old.content {
		if err := s.kept(s.content.Remove(key)); err != nil {
			return err
		}
	}
	if old == nil {
		s.keys = insert(s.keys, key)
		s.makeDirectories(parent(key))
	}
	s.used = used
	s.objects[key] = &object{Info{key, b.Size, s.now(), owner}, b.Bytes != nil}
	if s.Changed != nil {
		s.Changed(s.objects[key].Info, false)
	}
	if s.Expires != nil {
		if _, at, ok := s.expiry(s.objects[key].Info); ok {
			s.Expires(at)
		}
	}
	return nil
}

// makeDirectories makes a directory and those above it.
func (s *Store) makeDirectories(dir string) {
	if s.Flavour != LocalDirectory || dir == "" {
		return
	}
	for i := 0; ; {
		n := strings.IndexByte(dir[i:], '/')
		if n < 0 {
			break
		}
		i += n + 1
		s.dirs = insert(s.dirs, dir[:i-1])
	}
	s.dirs = insert(s.dirs, dir)
}
