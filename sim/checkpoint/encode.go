package checkpoint

import (
	"encoding/binary"
	"strings"
)

// metadataMagic begins every _metadata of the lab. The encoding is our own
// (Flink's is a Java serialization): the same value always gives the same
// bytes. Numbers are varints, texts and bytes have their length in front.
const metadataMagic = "lab-metadata-1\n"

// Encode returns the bytes of _metadata. Relative handles are written by the
// last part of their path alone.
func (m *Metadata) Encode() []byte {
	e := encoder(metadataMagic)
	e.number(m.ID)
	e.number(int64(m.Type))
	e.number(int64(len(m.Operators)))
	for i := range m.Operators {
		o := &m.Operators[i]
		e.text(o.UID)
		e.number(int64(o.Parallelism))
		e.number(int64(o.MaxParallelism))
		e.flag(o.Coordinator != nil)
		if o.Coordinator != nil {
			e.text(string(o.Coordinator))
		}
		e.number(int64(len(o.Subtasks)))
		for _, s := range o.Subtasks {
			e.flag(s != nil)
			if s != nil {
				e.subtask(s)
			}
		}
	}
	return e
}

type encoder []byte

func (e *encoder) number(n int64) { *e = binary.AppendVarint(*e, n) }

func (e *encoder) flag(b bool) {
	if b {
		*e = append(*e, 1)
	} else {
		*e = append(*e, 0)
	}
}

func (e *encoder) text(s string) {
	e.number(int64(len(s)))
	*e = append(*e, s...)
}

func (e *encoder) subtask(s *SubtaskState) {
	// One byte says whether it had finished and whether input follows.
	flags := byte(0)
	if s.Finished {
		flags |= flagFinished
	}
	if len(s.Input) > 0 {
		flags |= flagInput
	}
	*e = append(*e, flags)
	e.number(int64(len(s.Keyed)))
	for i := range s.Keyed {
		k := &s.Keyed[i]
		e.text(k.Backend)
		e.text(k.Instance)
		e.number(int64(k.First))
		e.number(int64(k.Last))
		e.handles(k.Shared)
		e.handles(k.Private)
	}
	e.handles(s.Operator)
	if len(s.Input) > 0 {
		e.handles(s.Input)
	}
}

// Flags of a subtask.
const (
	flagFinished = 1 << iota
	flagInput
)

func (e *encoder) handles(all []NamedHandle) {
	e.number(int64(len(all)))
	for _, n := range all {
		h := n.Handle
		e.text(n.Name)
		e.text(n.Local)
		e.text(string(n.Digest))
		*e = append(*e, byte(h.Kind))
		e.flag(h.Relative)
		path := h.Path
		if h.Relative {
			path = path[strings.LastIndexByte(path, '/')+1:]
		}
		e.text(path)
		e.number(h.Size)
		if h.Kind == Inline {
			e.text(string(h.Data))
		}
	}
}
