package main

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"streaminglab/assets"
)

// Every experiment of the course, with its reference, gives the same bytes
// over repeated runs, languages and numbers of processors.
func TestExperimentsAreByteEqual(t *testing.T) {
	t.Setenv("LAB_HOME", t.TempDir())
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	ids := assets.Experiments()
	if len(ids) == 0 {
		t.Fatal("no experiments")
	}
	for _, id := range ids {
		var first []byte
		for _, procs := range []int{1, 8} {
			for _, lang := range []string{"es", "ko"} {
				old := runtime.GOMAXPROCS(procs)
				var out, errOut bytes.Buffer
				args := []string{"run", id, "--json", "--seed", "3", "--lang", lang}
				if hasReference(t, id) {
					args = append(args, "--with", "reference.script")
				}
				code := run(args, null, &out, &errOut)
				runtime.GOMAXPROCS(old)
				if code != exitDone {
					t.Fatalf("%s: exit %d: %s", id, code, errOut.String())
				}
				if first == nil {
					first = out.Bytes()
				} else if !bytes.Equal(first, out.Bytes()) {
					t.Errorf("%s: %s on %d processors differs", id, lang, procs)
				}
			}
		}
	}
}

func hasReference(t *testing.T, id string) bool {
	text, err := assets.Experiment(id)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Contains(text, []byte("-- reference.script --"))
}
