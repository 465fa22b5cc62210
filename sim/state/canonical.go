package state

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The canonical form of keyed state is what every backend writes for a
// canonical savepoint, byte for byte the same: rows sorted by table, key
// group, key and namespace, with nothing of the storage they came from. It is
// our own form; Flink's has the same contents in the order of key groups
// (CP-8.1).

const canonicalHeader = "streaminglab canonical state 1\n"

// ErrCanonical says that bytes are not the canonical form of any state.
var ErrCanonical = errors.New("state: not a canonical snapshot")

// AppendCanonical writes tables and timers of a snapshot, which holds the key
// groups of a range. Unions are operator state and not part of it.
func AppendCanonical(dst []byte, groups KeyGroupRange, s *Snapshot) []byte {
	dst = append(dst, canonicalHeader...)
	dst = binary.AppendUvarint(dst, uint64(groups.First))
	dst = binary.AppendUvarint(dst, uint64(groups.Last))
	dst = appendCanonicalRows(dst, s.Tables, false)
	return appendCanonicalRows(dst, s.Timers, true)
}

func appendCanonicalRows(dst []byte, all []NamedRows, timers bool) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(all)))
	for _, nr := range all {
		dst = String{}.Append(dst, nr.Name)
		dst = binary.AppendUvarint(dst, uint64(len(nr.Rows)))
		for _, r := range nr.Rows {
			dst = binary.BigEndian.AppendUint16(dst, uint16(r.Group))
			dst = String{}.Append(dst, r.Key)
			dst = NamespaceCodec{}.Append(dst, r.Namespace)
			if timers {
				dst = Int64{}.Append(dst, r.Timer)
				continue
			}
			dst = binary.AppendUvarint(dst, uint64(len(r.Value)))
			dst = append(dst, r.Value...)
		}
	}
	return dst
}

// ReadCanonical reads what AppendCanonical wrote, and nothing else: rows out
// of order, twice or outside the range are an error, and so is another way to
// write the same state. Values share memory with src; formats are not set.
func ReadCanonical(src []byte) (KeyGroupRange, *Snapshot, error) {
	r := canonicalReader{src: src}
	if len(src) < len(canonicalHeader) || string(src[:len(canonicalHeader)]) != canonicalHeader {
		return KeyGroupRange{}, nil, fmt.Errorf("%w: header", ErrCanonical)
	}
	r.src = src[len(canonicalHeader):]
	groups := KeyGroupRange{First: int(r.number(MaxMaxParallelism - 1)), Last: int(r.number(MaxMaxParallelism - 1))}
	s := &Snapshot{}
	s.Tables = r.rows(groups, false)
	s.Timers = r.rows(groups, true)
	switch {
	case r.err != nil:
		return KeyGroupRange{}, nil, r.err
	case len(r.src) > 0:
		return KeyGroupRange{}, nil, fmt.Errorf("%w: %d bytes too many", ErrCanonical, len(r.src))
	case !bytes.Equal(AppendCanonical(nil, groups, s), src):
		return KeyGroupRange{}, nil, fmt.Errorf("%w: a number is written in more bytes than it needs", ErrCanonical)
	}
	return groups, s, nil
}

// A canonicalReader keeps the first error and reads nothing after it.
type canonicalReader struct {
	src []byte
	err error
}

func (r *canonicalReader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrCanonical, what)
	}
	r.src = nil
}

func (r *canonicalReader) number(limit uint64) uint64 {
	n, w := binary.Uvarint(r.src)
	if w <= 0 || n > limit {
		r.fail("number")
		return 0
	}
	r.src = r.src[w:]
	return n
}

func (r *canonicalReader) bytes(n int) []byte {
	if len(r.src) < n {
		r.fail("end of bytes")
		return nil
	}
	b := r.src[:n:n]
	r.src = r.src[n:]
	return b
}

// sized reads a length and as many bytes.
func (r *canonicalReader) sized() []byte { return r.bytes(int(r.number(uint64(len(r.src))))) }

func (r *canonicalReader) int64() int64 {
	if b := r.bytes(8); r.err == nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (r *canonicalReader) rows(groups KeyGroupRange, timers bool) []NamedRows {
	var all []NamedRows
	for range r.number(uint64(len(r.src))) {
		nr := NamedRows{Name: string(r.sized())}
		if len(all) > 0 && all[len(all)-1].Name >= nr.Name {
			r.fail("names out of order")
		}
		for range r.number(uint64(len(r.src))) {
			var row Row
			if b := r.bytes(2); r.err == nil {
				row.Group = int(binary.BigEndian.Uint16(b))
			}
			row.Key = string(r.sized())
			row.Namespace = Namespace{r.int64(), r.int64()}
			if timers {
				row.Timer = r.int64()
			} else {
				row.Value = r.sized()
			}
			if r.err == nil && !groups.Contains(row.Group) {
				r.fail("key group outside the range")
			}
			if n := len(nr.Rows); r.err == nil && n > 0 && compareRows(&nr.Rows[n-1], &row) >= 0 {
				r.fail("rows out of order")
			}
			if r.err != nil {
				return nil
			}
			nr.Rows = append(nr.Rows, row)
		}
		if r.err != nil {
			return nil
		}
		all = append(all, nr)
	}
	return all
}

// compareRows orders rows by key group, key, namespace and, of timers, time.
func compareRows(a, b *Row) int {
	return cmp.Or(
		cmp.Compare(a.Group, b.Group), strings.Compare(a.Key, b.Key),
		cmp.Compare(a.Namespace.Start, b.Namespace.Start), cmp.Compare(a.Namespace.End, b.Namespace.End),
		cmp.Compare(a.Timer, b.Timer),
	)
}

// SortRows orders rows by key group, key, namespace and, of timers, time.
func SortRows(rows []Row) { slices.SortFunc(rows, func(a, b Row) int { return compareRows(&a, &b) }) }
