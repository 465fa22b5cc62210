package state

import (
	"encoding/binary"
	"errors"
)

// An OperatorList is a list of operator state: each subtask writes its items,
// and after a restore reads those that the list's mode gives it.
type OperatorList struct {
	info     ListInfo
	items    []int64
	restored []int64
}

// OpenList returns the list of that name, which it registers in the store.
func OpenList(s *Store, name string, mode Mode) *OperatorList {
	l := &OperatorList{info: ListInfo{name, mode}}
	s.lists = append(s.lists, l)
	return l
}

// Set replaces the items that this subtask writes.
func (l *OperatorList) Set(items ...int64) { l.items = append(l.items[:0], items...) }

// Restored returns the items that this subtask got of the snapshot that the
// job was restored from; ok is false when there are none, as for a fresh job.
func (l *OperatorList) Restored() (items []int64, ok bool) { return l.restored, len(l.restored) > 0 }

// ListItems copies the lists of operator state.
func (s *Store) ListItems() []NamedItems {
	var out []NamedItems
	for _, l := range s.lists {
		out = append(out, NamedItems{l.info, append([]int64(nil), l.items...)})
	}
	return out
}

// RestoreLists hands the lists of all subtasks of the operator before to
// subtask i of some; nil is a subtask that had finished.
func (s *Store) RestoreLists(from [][]NamedItems, i, subtasks int) {
	var infos []ListInfo
	old := make([]Lists[int64], len(from))
	for k, lists := range from {
		if lists == nil {
			continue
		}
		old[k] = Lists[int64]{}
		for _, l := range lists {
			old[k][l.Name] = l.Items
		}
	}
	for _, l := range s.lists {
		infos = append(infos, l.info)
	}
	mine := Repartition(old, infos, subtasks)[i]
	for _, l := range s.lists {
		l.restored = mine[l.info.Name]
	}
}

// The form of operator state in a snapshot is our own: for each list its name,
// its mode and its items.

// ErrLists says that bytes are no lists of operator state.
var ErrLists = errors.New("state: not lists of operator state")

// AppendLists writes lists.
func AppendLists(dst []byte, lists []NamedItems) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(lists)))
	for _, l := range lists {
		dst = String{}.Append(dst, l.Name)
		dst = String{}.Append(dst, string(l.Mode))
		dst = binary.AppendUvarint(dst, uint64(len(l.Items)))
		for _, v := range l.Items {
			dst = Int64{}.Append(dst, v)
		}
	}
	return dst
}

// ReadLists reads what AppendLists wrote.
func ReadLists(src []byte) ([]NamedItems, error) {
	r := canonicalReader{src: src}
	out := []NamedItems{}
	for range r.number(uint64(len(src))) {
		l := NamedItems{ListInfo: ListInfo{Name: string(r.sized()), Mode: Mode(r.sized())}}
		for range r.number(uint64(len(src))) {
			l.Items = append(l.Items, r.int64())
			if r.err != nil {
				return nil, ErrLists
			}
		}
		out = append(out, l)
	}
	if r.err != nil || len(r.src) > 0 {
		return nil, ErrLists
	}
	return out, nil
}
