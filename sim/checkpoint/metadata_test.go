package checkpoint

import (
	"bytes"
	"reflect"
	"testing"
)

func example() *Metadata {
	return &Metadata{
		ID: 9, Type: TypeSavepoint,
		Operators: []OperatorState{
			{UID: "clicks", Parallelism: 2, MaxParallelism: 128, Coordinator: []byte("splits"), Subtasks: []*SubtaskState{
				{Operator: []NamedHandle{{Name: "SourceReaderState", Handle: Handle{Kind: Inline, Path: "j1/chk-9/a", Size: 3, Data: []byte{1, 0, 2}}}}},
				nil,
			}},
			{UID: "totals", Parallelism: 1, MaxParallelism: 128, Subtasks: []*SubtaskState{
				{Keyed: []KeyedState{{
					Backend: "db", First: 0, Last: 127,
					Shared:  []NamedHandle{{Name: "000012.sst", Local: "count/000012.sst", Digest: []byte{1, 2}, Handle: Handle{Path: "j1/shared/x", Size: 64 << 20}}},
					Private: []NamedHandle{{Name: "CURRENT", Handle: Handle{Path: "j1/chk-9/y", Relative: true, Size: 16}}},
				}}},
				{Finished: true},
			}},
		},
	}
}

// What is written is read back, wherever the directory lies now: relative
// handles move with it.
func TestMetadataIsReadBack(t *testing.T) {
	m := example()
	data := m.Encode()
	if !bytes.Equal(data, example().Encode()) {
		t.Error("the same value gave other bytes")
	}
	back, err := DecodeMetadata(data, "j1/chk-9")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, m) {
		t.Errorf("%+v\nis not %+v", back, m)
	}
	moved, err := DecodeMetadata(data, "backup/9")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := moved.Files(), []string{"backup/9/y", "j1/shared/x"}; !reflect.DeepEqual(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	if got := m.Size(); got != 64<<20+16+3 {
		t.Errorf("size %d", got)
	}
	for n := range data {
		if _, err := DecodeMetadata(data[:n], ""); err == nil {
			t.Errorf("%d of %d bytes are taken for all", n, len(data))
		}
	}
}

// No bytes make the decoder fail otherwise than with an error, and what it
// takes is what would be written.
func FuzzDecodeMetadata(f *testing.F) {
	f.Add(example().Encode())
	f.Add((&Metadata{}).Encode())
	f.Add([]byte(metadataMagic))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := DecodeMetadata(data, "j1/chk-1")
		if err != nil {
			return
		}
		if again := m.Encode(); !bytes.Equal(again, data) {
			t.Errorf("%q was read and is written %q", data, again)
		}
	})
}
