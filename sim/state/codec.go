package state

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// ErrCodec says that bytes are not what their codec writes.
var ErrCodec = errors.New("state: bytes do not decode")

// A Codec writes and reads values of one type. Read returns what is left of
// the bytes. Format writes a value for a dump; it must name no id or time that
// differs between equal states.
type Codec[V any] interface {
	Append(dst []byte, v V) []byte
	Read(src []byte) (V, []byte, error)
	Format(v V) string
}

// Int64 is the codec of integers: 8 bytes, big endian.
type Int64 struct{}

// Append writes v.
func (Int64) Append(dst []byte, v int64) []byte { return binary.BigEndian.AppendUint64(dst, uint64(v)) }

// Read reads a value.
func (Int64) Read(src []byte) (int64, []byte, error) {
	if len(src) < 8 {
		return 0, nil, ErrCodec
	}
	return int64(binary.BigEndian.Uint64(src)), src[8:], nil
}

// Format writes v in decimal.
func (Int64) Format(v int64) string { return fmt.Sprint(v) }

// String is the codec of strings: length, then bytes.
type String struct{}

// Append writes v.
func (String) Append(dst []byte, v string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(v))), v...)
}

// Read reads a value.
func (String) Read(src []byte) (string, []byte, error) {
	n, w := binary.Uvarint(src)
	if w <= 0 || uint64(len(src)-w) < n {
		return "", nil, ErrCodec
	}
	return string(src[w : w+int(n)]), src[w+int(n):], nil
}

// Format writes v as it is.
func (String) Format(v string) string { return v }

// NamespaceCodec is the codec of namespaces as values (merging window sets).
type NamespaceCodec struct{}

// Append writes v.
func (NamespaceCodec) Append(dst []byte, v Namespace) []byte {
	return Int64{}.Append(Int64{}.Append(dst, v.Start), v.End)
}

// Read reads a value.
func (NamespaceCodec) Read(src []byte) (Namespace, []byte, error) {
	s, src, err := Int64{}.Read(src)
	if err != nil {
		return Namespace{}, nil, err
	}
	e, src, err := Int64{}.Read(src)
	return Namespace{s, e}, src, err
}

// Format writes v as an interval.
func (NamespaceCodec) Format(v Namespace) string { return v.String() }

// List is the codec of lists.
type List[E any] struct{ Of Codec[E] }

// Append writes v.
func (l List[E]) Append(dst []byte, v []E) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(v)))
	for _, e := range v {
		dst = l.Of.Append(dst, e)
	}
	return dst
}

// Read reads a value.
func (l List[E]) Read(src []byte) ([]E, []byte, error) {
	n, w := binary.Uvarint(src)
	if w <= 0 || n > uint64(len(src)) {
		return nil, nil, ErrCodec
	}
	src = src[w:]
	out := make([]E, 0, n)
	for range n {
		var e E
		var err error
		if e, src, err = l.Of.Read(src); err != nil {
			return nil, nil, err
		}
		out = append(out, e)
	}
	return out, src, nil
}

// Format writes the elements in order.
func (l List[E]) Format(v []E) string {
	parts := make([]string, len(v))
	for i, e := range v {
		parts[i] = l.Of.Format(e)
	}
	return "[" + strings.Join(parts, " ") + "]"
}
