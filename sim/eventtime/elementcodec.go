package eventtime

import (
	"fmt"

	"streaminglab/sim/state"
)

// elementCodec writes elements of window contents.
type elementCodec struct{}

func (elementCodec) Append(dst []byte, e Element) []byte {
	dst = state.Int64{}.Append(dst, e.TS)
	dst = state.Int64{}.Append(dst, e.V)
	return state.String{}.Append(dst, e.Word)
}

func (elementCodec) Read(src []byte) (e Element, rest []byte, err error) {
	if e.TS, src, err = (state.Int64{}).Read(src); err != nil {
		return e, nil, err
	}
	if e.V, src, err = (state.Int64{}).Read(src); err != nil {
		return e, nil, err
	}
	e.Word, src, err = state.String{}.Read(src)
	return e, src, err
}

func (elementCodec) Format(e Element) string {
	if e.Word != "" {
		return fmt.Sprintf("%s@%d", e.Word, e.TS)
	}
	return fmt.Sprintf("%d@%d", e.V, e.TS)
}

// A mapping is one window of a merging set and the window under which its
// state lies.
type mapping struct{ Window, State state.Namespace }

type mappingCodec struct{}

func (mappingCodec) Append(dst []byte, m mapping) []byte {
	return state.NamespaceCodec{}.Append(state.NamespaceCodec{}.Append(dst, m.Window), m.State)
}

func (mappingCodec) Read(src []byte) (m mapping, rest []byte, err error) {
	if m.Window, src, err = (state.NamespaceCodec{}).Read(src); err != nil {
		return m, nil, err
	}
	m.State, src, err = state.NamespaceCodec{}.Read(src)
	return m, src, err
}

func (mappingCodec) Format(m mapping) string { return m.Window.String() + "→" + m.State.String() }
