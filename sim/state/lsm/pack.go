package lsm

import (
	"encoding/binary"
	"fmt"
)

// A packed file holds small files of all column families: Flink's snapshot has
// one MANIFEST for one RocksDB, and we have one for each of our trees.
type packed struct {
	family, name string
	content      []byte
}

func appendPacked(dst []byte, files []packed) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(files)))
	for _, f := range files {
		for _, part := range [][]byte{[]byte(f.family), []byte(f.name), f.content} {
			dst = append(binary.AppendUvarint(dst, uint64(len(part))), part...)
		}
	}
	return dst
}

func readPacked(src []byte) ([]packed, error) {
	fail := fmt.Errorf("%w: packed files", ErrHandle)
	number := func() (uint64, bool) {
		n, w := binary.Uvarint(src)
		if w <= 0 || n > uint64(len(src)) {
			return 0, false
		}
		src = src[w:]
		return n, n <= uint64(len(src))
	}
	n, ok := number()
	if !ok {
		return nil, fail
	}
	var files []packed
	for range n {
		var parts [3][]byte
		for i := range parts {
			size, ok := number()
			if !ok {
				return nil, fail
			}
			parts[i], src = src[:size:size], src[size:]
		}
		files = append(files, packed{string(parts[0]), string(parts[1]), parts[2]})
	}
	if len(src) > 0 {
		return nil, fail
	}
	return files, nil
}
