package check

import (
	"io/fs"
	"path"
	"sort"
	"strings"

	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/sim"
)

// A Covered statement says who teaches and who asks it.
type Covered struct {
	ID      string
	Chapter int
	Text    string
	Lessons []string
	Items   []string
}

// Coverage lists every statement of the map with what claims it.
func Coverage(c Content) ([]Covered, error) {
	lessonTree, err := fs.Sub(c.Files, "lessons")
	if err != nil {
		return nil, err
	}
	course, err := lessons.Load(lessonTree)
	if err != nil {
		return nil, err
	}
	quizTree, err := fs.Sub(c.Files, "quiz")
	if err != nil {
		return nil, err
	}
	library, err := quiz.Load(quizTree)
	if library == nil {
		return nil, err
	}
	var out []Covered
	for _, s := range c.Coverage.Statements {
		x := Covered{ID: s.ID, Chapter: s.Chapter, Text: s.Text}
		for _, l := range course.Lessons() {
			for _, id := range l.Covers {
				if id == s.ID {
					x.Lessons = append(x.Lessons, l.ID)
				}
			}
		}
		for _, it := range library.Items() {
			for _, id := range it.Covers {
				if id == s.ID {
					x.Items = append(x.Items, it.ID)
				}
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// A Reached fault point says which scripts reach it.
type Reached struct {
	Point   string
	Stories []string
}

// Faults lists every fault point with the experiments and stories that name it.
func Faults(files fs.FS) ([]Reached, error) {
	scripts := map[string]string{}
	for _, dir := range []string{"assets/experiments", "sim/world/testdata"} {
		entries, err := fs.ReadDir(files, dir)
		if err != nil {
			continue // the binary carries no stories
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			text, err := fs.ReadFile(files, path.Join(dir, e.Name()))
			if err != nil {
				return nil, err
			}
			scripts[path.Join(dir, e.Name())] = string(text)
		}
	}
	var out []Reached
	for _, p := range sim.FaultPoints() {
		r := Reached{Point: p.Name}
		for name, text := range scripts {
			for _, l := range strings.Split(text, "\n") {
				f := strings.Fields(l)
				if len(f) > 1 && (f[0] == "fault" && f[1] == p.Name || f[0] == "crash" && f[len(f)-1] == p.Name) {
					r.Stories = append(r.Stories, name)
					break
				}
			}
		}
		sort.Strings(r.Stories)
		out = append(out, r)
	}
	return out, nil
}
