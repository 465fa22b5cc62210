package engine_test

import (
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"streaminglab/assets"
	"streaminglab/sim"
	"streaminglab/sim/world"
)

// Whatever two job files of the course say, the settings between them make the
// second of the first, also through the text that a learner would edit.
func TestEditsLeadFromAnyFileToAnyOther(t *testing.T) {
	var files [][]byte
	err := fs.WalkDir(assets.FS(), "experiments", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".txtar") {
			return err
		}
		text, err := fs.ReadFile(assets.FS(), name)
		if err != nil {
			return err
		}
		for _, f := range txtar.Parse(text).Files {
			if _, err := world.ReadJob(f.Name, f.Data, nil, sim.DefaultBounds); strings.HasSuffix(f.Name, ".yaml") && err == nil {
				files = append(files, f.Data)
			}
		}
		return nil
	})
	if err != nil || len(files) < 5 {
		t.Fatal(len(files), err)
	}
	for _, a := range files {
		for _, b := range files {
			steps, err := world.Edits("job", a, nil, b, sim.DefaultBounds)
			if err != nil {
				continue // a part less
			}
			text, err := world.JobText("job", a, steps)
			if err != nil {
				t.Fatalf("%v\n%s\n%s\n%v", steps, a, b, err)
			}
			left, err := world.Edits("job", text, nil, b, sim.DefaultBounds)
			if err != nil || len(left) > 0 {
				t.Fatalf("from\n%s\nto\n%s\nsettings %v lead to\n%s\n%v %v", a, b, steps, text, left, err)
			}
		}
	}
}
