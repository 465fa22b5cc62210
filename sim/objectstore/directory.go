package objectstore

import (
	"slices"
	"strings"
)

// MakeDirectory makes a directory and those above it. An object store knows
// none: nothing happens there, and no request is counted.
func (s *Store) MakeDirectory(dir string) (took int64, err error) {
	if s.Flavour != LocalDirectory {
		return 0, nil
	}
	return s.request(OpMakeDirectory, dir+"/", 0, func() (int64, error) {
		s.makeDirectories(dir)
		return 0, nil
	})
}

// RemoveDirectory removes a directory. Without recursive one that is not empty
// stays, and the local flavour says so; an object store has nothing to remove.
// With recursive everything below goes: on an object store that is a list and
// a delete for each object, and the first failure ends it.
func (s *Store) RemoveDirectory(dir string, recursive bool) (took int64, err error) {
	if s.Flavour == LocalDirectory {
		return s.request(OpRemoveDirectory, dir+"/", 0, func() (int64, error) {
			return 0, s.removeDirectory(dir, recursive)
		})
	}
	if !recursive {
		return 0, nil
	}
	found, took, err := s.List(dir + "/")
	for _, o := range found {
		if err != nil {
			break
		}
		var t int64
		t, err = s.Delete(o.Key)
		took += t
	}
	return took, err
}

func (s *Store) removeDirectory(dir string, recursive bool) error {
	if _, is := slices.BinarySearch(s.dirs, dir); !is {
		return nil
	}
	below := dir + "/"
	if !recursive && !s.empty(dir) {
		return s.fail(DirectoryNotEmpty, OpRemoveDirectory, dir)
	}
	for _, o := range s.under(below) {
		if err := s.drop(o.Key); err != nil {
			return err
		}
	}
	i, _ := slices.BinarySearch(s.dirs, below)
	n := i
	for n < len(s.dirs) && strings.HasPrefix(s.dirs[n], below) {
		n++
	}
	s.dirs = slices.Delete(s.dirs, i, n)
	s.dirs = remove(s.dirs, dir)
	return nil
}

// empty reports whether a directory holds neither files nor directories.
func (s *Store) empty(dir string) bool {
	below := dir + "/"
	i, _ := slices.BinarySearch(s.keys, below)
	n, _ := slices.BinarySearch(s.dirs, below)
	return (i == len(s.keys) || !strings.HasPrefix(s.keys[i], below)) &&
		(n == len(s.dirs) || !strings.HasPrefix(s.dirs[n], below))
}
