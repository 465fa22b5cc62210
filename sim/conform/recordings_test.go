package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recordings are the compressed recordings of this repository.
func recordings(t testing.TB) []string {
	files, err := filepath.Glob("../../testdata/recordings/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	return files
}

func run(t testing.TB, file string) *Report {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return Run(Input{Name: filepath.Base(file), Reader: f})
}

// Every recording of a complete kind is equal; the others are counted.
func TestRecordings(t *testing.T) {
	seen := map[string]int{}
	for _, file := range recordings(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl.gz")
		t.Run(name, func(t *testing.T) {
			r := run(t, file)
			for _, k := range r.Kinds {
				seen[k.Kind] += k.Total
				t.Logf("%s %d/%d", k.Kind, k.Equal, k.Total)
				if slices.Contains(Complete, k.Kind) && k.Equal != k.Total {
					var b bytes.Buffer
					if err := r.WriteText(&b, false); err != nil {
						t.Fatal(err)
					}
					t.Errorf("%s is not complete:\n%s", k.Kind, b.String())
				}
			}
			for _, e := range r.Unreadable {
				t.Error(e)
			}
		})
	}
	for _, kind := range Complete {
		if seen[kind] == 0 {
			t.Errorf("%s is said to be complete, and nothing is recorded", kind)
		}
	}
}

// A kind that agrees with all its recordings belongs to Complete, so that it
// can never get worse unseen.
func TestCompleteIsUpToDate(t *testing.T) {
	if !slices.IsSorted(Complete) {
		t.Error("Complete is not sorted")
	}
	equal, total := map[string]int{}, map[string]int{}
	for _, file := range recordings(t) {
		for _, k := range run(t, file).Kinds {
			equal[k.Kind] += k.Equal
			total[k.Kind] += k.Total
		}
	}
	for kind, n := range total {
		if n == equal[kind] && !slices.Contains(Complete, kind) {
			t.Errorf("%s is complete: say so", kind)
		}
	}
}
