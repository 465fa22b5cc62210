package objectstore

import (
	"fmt"
	"slices"
)

type upload struct {
	key   string
	owner string
	parts map[int]Body
}

// StartMultipart begins an upload in parts and returns its name. Nothing is
// visible before it is completed.
func (s *Store) StartMultipart(key, owner string) (id string, took int64, err error) {
	took, err = s.request(OpMultipartStart, key, 0, func() (int64, error) {
		s.started++
		id = fmt.Sprintf("upload-%d", s.started)
		s.uploads[id] = &upload{key, owner, map[int]Body{}}
		return 0, nil
	})
	if err != nil {
		id = ""
	}
	return id, took, err
}

// UploadPart uploads a part. Parts count from 1; the same number replaces.
func (s *Store) UploadPart(id string, number int, b Body) (took int64, err error) {
	key := s.keyOf(id)
	return s.request(OpMultipartPart, key, b.Size, func() (int64, error) {
		u := s.uploads[id]
		if u == nil {
			return 0, s.fail(NoSuchUpload, OpMultipartPart, key)
		}
		u.parts[number] = b
		return 0, nil
	})
}

// CompleteMultipart makes the object out of its parts, in their order. The
// upload of a name that is gone, completed or aborted, answers NoSuchUpload.
func (s *Store) CompleteMultipart(id string) (took int64, err error) {
	key := s.keyOf(id)
	return s.request(OpMultipartComplete, key, 0, func() (int64, error) {
		u := s.uploads[id]
		if u == nil {
			return 0, s.fail(NoSuchUpload, OpMultipartComplete, key)
		}
		var all Body
		numbers := make([]int, 0, len(u.parts))
		content := true
		for n := range u.parts {
			numbers = append(numbers, n)
		}
		slices.Sort(numbers)
		for _, n := range numbers {
			all.Size += u.parts[n].Size
			content = content && u.parts[n].Bytes != nil
			all.Bytes = append(all.Bytes, u.parts[n].Bytes...)
		}
		if !content {
			all.Bytes = nil
		}
		if err := s.put(OpMultipartComplete, u.key, all, u.owner); err != nil {
			return 0, err
		}
		delete(s.uploads, id)
		return 0, nil
	})
}

// AbortMultipart gives an upload up; its parts are gone.
func (s *Store) AbortMultipart(id string) (took int64, err error) {
	key := s.keyOf(id)
	return s.request(OpMultipartAbort, key, 0, func() (int64, error) {
		if s.uploads[id] == nil {
			return 0, s.fail(NoSuchUpload, OpMultipartAbort, key)
		}
		delete(s.uploads, id)
		return 0, nil
	})
}

// Uploads lists the uploads that are neither completed nor aborted, by key,
// with the bytes that their parts hold: nobody sees them, and they cost.
func (s *Store) Uploads() []Info {
	var out []Info
	for _, u := range s.uploads {
		i := Info{Key: u.key, Owner: u.owner}
		for _, b := range u.parts {
			i.Size += b.Size
		}
		out = append(out, i)
	}
	slices.SortFunc(out, func(a, b Info) int {
		switch {
		case a.Key != b.Key && a.Key < b.Key, a.Key == b.Key && a.Size < b.Size:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	return out
}

func (s *Store) keyOf(id string) string {
	if u := s.uploads[id]; u != nil {
		return u.key
	}
	return ""
}
