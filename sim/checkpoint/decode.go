package checkpoint

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// A MetadataError says where bytes are no _metadata.
type MetadataError struct {
	// Offset is in bytes from the start.
	Offset int
	What   string
}

func (e *MetadataError) Error() string {
	return fmt.Sprintf("_metadata, byte %d: %s", e.Offset, e.What)
}

// DecodeMetadata reads _metadata that lies in a directory of the store.
// Relative handles are looked up in that directory, wherever the file was
// written (FLINK-39964 follows from that, CP-8.8). Bytes that Encode would
// not have written are refused with a *MetadataError.
func DecodeMetadata(data []byte, directory string) (m *Metadata, err error) {
	defer func() {
		if r := recover(); r != nil {
			bad, is := r.(*MetadataError)
			if !is {
				panic(r)
			}
			m, err = nil, bad
		}
	}()
	d := &decoder{data: data, directory: directory}
	if !strings.HasPrefix(string(data), metadataMagic) {
		d.fail("does not begin as one")
	}
	d.at = len(metadataMagic)
	m = &Metadata{ID: d.number(), Type: SnapshotType(d.bounded("type", int64(len(typeNames)-1)))}
	last := ""
	for i := range d.count() {
		o := OperatorState{UID: d.text(), Parallelism: d.parallelism(), MaxParallelism: d.parallelism()}
		if i > 0 && o.UID <= last {
			d.fail("operators are not in order")
		}
		last = o.UID
		if d.flag() {
			o.Coordinator = append([]byte{}, d.text()...)
		}
		for range d.count() {
			var s *SubtaskState
			if d.flag() {
				s = d.subtask()
			}
			o.Subtasks = append(o.Subtasks, s)
		}
		m.Operators = append(m.Operators, o)
	}
	if d.at != len(data) {
		d.fail("more follows")
	}
	return m, nil
}

type decoder struct {
	data      []byte
	at        int
	directory string
}

func (d *decoder) fail(what string) { panic(&MetadataError{d.at, what}) }

func (d *decoder) number() int64 {
	n, size := binary.Varint(d.data[d.at:])
	if size <= 0 || !slices.Equal(binary.AppendVarint(nil, n), d.data[d.at:d.at+size]) {
		d.fail("no number")
	}
	d.at += size
	return n
}

func (d *decoder) bounded(what string, highest int64) int64 {
	n := d.number()
	if n < 0 || n > highest {
		d.fail("impossible " + what)
	}
	return n
}

// count reads how many of something follow: each takes at least a byte, so
// that a wrong number cannot ask for more memory than there is input.
func (d *decoder) count() int {
	n := d.number()
	if n < 0 || n > int64(len(d.data)-d.at) {
		d.fail("impossible count")
	}
	return int(n)
}

func (d *decoder) parallelism() int { return int(d.bounded("parallelism", 1<<15)) }

func (d *decoder) flag() bool {
	if d.at >= len(d.data) || d.data[d.at] > 1 {
		d.fail("no flag")
	}
	d.at++
	return d.data[d.at-1] == 1
}

func (d *decoder) text() string {
	n := d.count()
	s := string(d.data[d.at : d.at+n])
	d.at += n
	return s
}

func (d *decoder) subtask() *SubtaskState {
	if d.at >= len(d.data) || d.data[d.at] > flagFinished|flagInput {
		d.fail("no flags")
	}
	flags := d.data[d.at]
	d.at++
	s := &SubtaskState{Finished: flags&flagFinished != 0}
	for range d.count() {
		k := KeyedState{Backend: d.text(), Instance: d.text(), First: int(d.bounded("key group", 1<<15)), Last: int(d.bounded("key group", 1<<15))}
		k.Shared = d.handles()
		k.Private = d.handles()
		s.Keyed = append(s.Keyed, k)
	}
	s.Operator = d.handles()
	if flags&flagInput != 0 {
		if s.Input = d.handles(); len(s.Input) == 0 {
			d.fail("no input follows")
		}
	}
	return s
}

func (d *decoder) handles() []NamedHandle {
	var all []NamedHandle
	for range d.count() {
		n := NamedHandle{Name: d.text(), Local: d.text()}
		if digest := d.text(); digest != "" {
			n.Digest = []byte(digest)
		}
		if d.at >= len(d.data) || d.data[d.at] > byte(Placeholder) {
			d.fail("no handle")
		}
		n.Handle.Kind = HandleKind(d.data[d.at])
		d.at++
		n.Handle.Relative = d.flag()
		path := d.text()
		if n.Handle.Relative {
			if strings.Contains(path, "/") {
				d.fail("relative path with a slash")
			}
			path = join(d.directory, path)
		}
		n.Handle.Path = path
		n.Handle.Size = d.bounded("size", 1<<62)
		if n.Handle.Kind == Inline {
			n.Handle.Data = append([]byte{}, d.text()...)
		}
		all = append(all, n)
	}
	return all
}

func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return dir + "/" + name
}
