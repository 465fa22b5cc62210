package state

import (
	"encoding/binary"
	"errors"
	"strings"
)

// An OperatorList is a list of operator state: each subtask writes its items,
// and after a restore reads those that the list's mode gives it.
type OperatorList struct {
	info     ListInfo
	items    []int64
	restored []int64
}

// A TextList is a list of operator state whose items are texts.
type TextList struct {
	info            ListInfo
	items, restored []string
}

// OpenTexts returns the list of that name, which it registers in the store.
func OpenTexts(s *Store, name string, mode Mode) *TextList {
	l := &TextList{info: ListInfo{name, mode}}
	s.texts = append(s.texts, l)
	return l
}

// Set replaces the items that this subtask writes.
func (l *TextList) Set(items ...string) { l.items = append(l.items[:0], items...) }

// Restored are the items that this subtask got of the snapshot that the job was
// restored from.
func (l *TextList) Restored() []string { return l.restored }

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
		out = append(out, NamedItems{ListInfo: l.info, Items: append([]int64(nil), l.items...)})
	}
	for _, l := range s.texts {
		out = append(out, NamedItems{ListInfo: l.info, Text: true, Texts: append([]string(nil), l.items...)})
	}
	return out
}

// RestoreLists hands the lists of all subtasks of the operator before to
// subtask i of some; nil is a subtask that had finished.
func (s *Store) RestoreLists(from [][]NamedItems, i, subtasks int) {
	var infos []ListInfo
	old := make([]Lists[item], len(from))
	for k, lists := range from {
		if lists == nil {
			continue
		}
		old[k] = Lists[item]{}
		for _, l := range lists {
			old[k][l.Name] = l.all()
		}
	}
	for _, l := range s.lists {
		infos = append(infos, l.info)
	}
	for _, l := range s.texts {
		infos = append(infos, l.info)
	}
	mine := Repartition(old, infos, subtasks)[i]
	for _, l := range s.lists {
		l.restored = nil
		for _, x := range mine[l.info.Name] {
			l.restored = append(l.restored, x.number)
		}
	}
	for _, l := range s.texts {
		l.restored = nil
		for _, x := range mine[l.info.Name] {
			l.restored = append(l.restored, x.text)
		}
	}
}

// item is an item of any list.
type item struct {
	number int64
	text   string
}

func (l *NamedItems) all() (out []item) {
	out = make([]item, 0, len(l.Items)+len(l.Texts))
	for _, n := range l.Items {
		out = append(out, item{number: n})
	}
	for _, t := range l.Texts {
		out = append(out, item{text: t})
	}
	return out
}

// Len is the number of its items.
func (l *NamedItems) Len() int { return len(l.Items) + len(l.Texts) }

// The form of operator state in a snapshot is our own: for each list its name,
// its mode and its items.

// ErrLists says that bytes are no lists of operator state.
var ErrLists = errors.New("state: not lists of operator state")

// textMode stands behind the mode of a list of texts.
const textMode = "+text"

// AppendLists writes lists.
func AppendLists(dst []byte, lists []NamedItems) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(lists)))
	for _, l := range lists {
		dst = String{}.Append(dst, l.Name)
		if l.Text {
			dst = String{}.Append(dst, string(l.Mode)+textMode)
			dst = binary.AppendUvarint(dst, uint64(len(l.Texts)))
			for _, t := range l.Texts {
				dst = String{}.Append(dst, t)
			}
			continue
		}
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
		l := NamedItems{ListInfo: ListInfo{Name: string(r.sized())}}
		mode, text := strings.CutSuffix(string(r.sized()), textMode)
		l.Mode, l.Text = Mode(mode), text
		for range r.number(uint64(len(src))) {
			if text {
				l.Texts = append(l.Texts, string(r.sized()))
			} else {
				l.Items = append(l.Items, r.int64())
			}
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
