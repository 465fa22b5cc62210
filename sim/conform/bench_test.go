package conform_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"streaminglab/sim/conform"
)

// BenchmarkRecordings replays every recording of the repository.
func BenchmarkRecordings(b *testing.B) {
	files, err := filepath.Glob("../../testdata/recordings/*.gz")
	if err != nil || len(files) == 0 {
		b.Fatal("no recordings", err)
	}
	texts := make([][]byte, len(files))
	for i, f := range files {
		if texts[i], err = os.ReadFile(f); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		var in []conform.Input
		for i, f := range files {
			in = append(in, conform.Input{Name: f, Reader: bytes.NewReader(texts[i])})
		}
		if r := conform.Run(in...); len(r.Unreadable) > 0 {
			b.Fatal(r.Unreadable)
		}
	}
}
