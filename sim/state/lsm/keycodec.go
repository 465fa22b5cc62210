package lsm

import (
	"encoding/binary"

	"streaminglab/sim/state"
)

// Keys of a tree. Cells: key group, key, namespace; timers: key group, time,
// key, namespace, as Flink's timers are ordered in RocksDB. Bytes compare as
// the parts do: numbers big endian with the sign turned, a key closed by a
// mark that no longer key can be below. A key group is a range of bytes.

const signBit = 1 << 63

func appendInt(dst []byte, v int64) []byte {
	return binary.BigEndian.AppendUint64(dst, uint64(v)^signBit)
}

func readInt(src []byte) (int64, []byte, bool) {
	if len(src) < 8 {
		return 0, nil, false
	}
	return int64(binary.BigEndian.Uint64(src) ^ signBit), src[8:], true
}

// appendName writes a zero byte as 0 255, and closes with 0 1.
func appendName(dst []byte, name string) []byte {
	for i := 0; i < len(name); i++ {
		dst = append(dst, name[i])
		if name[i] == 0 {
			dst = append(dst, 0xff)
		}
	}
	return append(dst, 0, 1)
}

func readName(src []byte) (string, []byte, bool) {
	escaped := false
	for i := 0; i+1 < len(src); i++ {
		if src[i] != 0 {
			continue
		}
		switch src[i+1] {
		case 1:
			name := src[:i]
			if escaped {
				plain := make([]byte, 0, i)
				for j := 0; j < i; j++ {
					plain = append(plain, name[j])
					if name[j] == 0 {
						j++
					}
				}
				name = plain
			}
			return string(name), src[i+2:], true
		case 0xff:
			escaped = true
			i++
		default:
			return "", nil, false
		}
	}
	return "", nil, false
}

func appendCell(dst []byte, k *state.Key, ns state.Namespace) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(k.Group))
	dst = appendName(dst, k.Name)
	return appendInt(appendInt(dst, ns.Start), ns.End)
}

func appendTimer(dst []byte, t state.Timer) []byte {
	dst = binary.BigEndian.AppendUint16(dst, uint16(t.Key.Group))
	dst = appendInt(dst, t.Time)
	dst = appendName(dst, t.Key.Name)
	return appendInt(appendInt(dst, t.Namespace.Start), t.Namespace.End)
}

// readRow reads the key of a cell or, with timer, of a timer.
func readRow(src []byte, timer bool) (r state.Row, ok bool) {
	if len(src) < 2 {
		return r, false
	}
	r.Group = int(binary.BigEndian.Uint16(src))
	src = src[2:]
	if timer {
		if r.Timer, src, ok = readInt(src); !ok {
			return r, false
		}
	}
	if r.Key, src, ok = readName(src); !ok {
		return r, false
	}
	if r.Namespace.Start, src, ok = readInt(src); !ok {
		return r, false
	}
	if r.Namespace.End, src, ok = readInt(src); !ok {
		return r, false
	}
	return r, len(src) == 0
}
