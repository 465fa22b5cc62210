package quiz

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

//go:embed bank sets misconceptions.toml
var embedded embed.FS

// Embedded is the content that is built into the program.
func Embedded() fs.FS { return embedded }

// Library is all content of a quiz directory.
type Library struct {
	// rest holds the items that have not been read yet; nil: all have been.
	mu    sync.Mutex
	rest  fs.FS
	items map[string]*Item
	sets  map[string]*Set

	misconceptions []Misconception
}

// Open reads the sets and the misconceptions now and each item when it is first
// asked for: a start that asks no question reads none. It is for content that
// has been checked, as the embedded one is by the build: an item with a defect
// is one that does not exist.
func Open(fsys fs.FS) (*Library, error) { return load(fsys, false) }

// Load reads bank/*.toml, sets/*.toml and misconceptions.toml. What is wrong
// with them is a [Problems]; the library then holds the files that were right,
// so that a check can go on.
func Load(fsys fs.FS) (*Library, error) { return load(fsys, true) }

func load(fsys fs.FS, all bool) (*Library, error) {
	lib := &Library{items: map[string]*Item{}, sets: map[string]*Set{}}
	var problems Problems
	note := func(file string, err error) {
		var many Problems
		var one Problem
		switch {
		case errors.As(err, &many):
			problems = append(problems, many...)
		case errors.As(err, &one):
			problems = append(problems, one)
		case err != nil:
			problems = append(problems, problem(errRead, Pos{File: file}, "Detail", err.Error(), "Cause", err))
		}
	}
	each := func(dir string, read func(file string, data []byte) error) {
		entries, err := fs.ReadDir(fsys, dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			note(dir, err)
		}
		for _, e := range entries {
			if file := path.Join(dir, e.Name()); !e.IsDir() && strings.HasSuffix(file, ".toml") {
				data, err := fs.ReadFile(fsys, file)
				if err == nil {
					err = read(file, data)
				}
				note(file, err)
			}
		}
	}
	unread := map[string]bool{} // by id, which is the name of the file
	if all {
		each("bank", func(file string, data []byte) error {
			it, err := ParseItem(file, data)
			if err == nil {
				lib.items[it.ID] = it
			} else {
				unread[strings.TrimSuffix(path.Base(file), ".toml")] = true
			}
			return err
		})
	}
	each("sets", func(file string, data []byte) error {
		s, err := ParseSet(file, data)
		if err == nil {
			lib.sets[s.ID] = s
		}
		return err
	})
	const catalogue = "misconceptions.toml"
	if data, err := fs.ReadFile(fsys, catalogue); err == nil {
		lib.misconceptions, err = ParseMisconceptions(catalogue, data)
		note(catalogue, err)
	} else if !errors.Is(err, fs.ErrNotExist) {
		note(catalogue, err)
	}
	if all {
		problems = append(problems, lib.checkReferences(unread)...)
	} else {
		lib.rest = fsys
	}
	problems.sort()
	return lib, problems.orNil()
}

// checkReferences finds names that nothing in the library has.
// What could not be read has been said to be wrong; it is not missing too.
func (lib *Library) checkReferences(unread map[string]bool) Problems {
	var out Problems
	for _, s := range lib.Sets() {
		for _, m := range s.Members {
			if lib.Item(m) == nil && !unread[m] {
				out = append(out, problem(errNoItem, s.Pos, "Quiz", s.ID, "Item", m))
			}
		}
	}
	for _, it := range lib.Items() {
		named := func(id string, pos Pos) {
			if id != "" && lib.Misconception(id) == nil {
				out = append(out, problem(errNoMisconception, pos, "Item", it.ID, "Value", id))
			}
		}
		for _, o := range it.Options {
			named(o.Misconception, o.Pos)
		}
		for _, w := range it.Wrong {
			named(w.Misconception, w.Pos)
		}
	}
	return out
}

// Item finds an item, or gives nil.
func (lib *Library) Item(id string) *Item {
	lib.mu.Lock()
	defer lib.mu.Unlock()
	it, known := lib.items[id]
	if known || lib.rest == nil || !validID().MatchString(id) {
		return it
	}
	file := path.Join("bank", id+".toml")
	if data, err := fs.ReadFile(lib.rest, file); err == nil {
		if read, err := ParseItem(file, data); err == nil && read.ID == id {
			it = read
		}
	}
	lib.items[id] = it
	return it
}

// Set finds a quiz, or gives nil.
func (lib *Library) Set(id string) *Set { return lib.sets[id] }

// Items lists every item by id.
func (lib *Library) Items() []*Item {
	if lib.rest != nil {
		entries, _ := fs.ReadDir(lib.rest, "bank")
		for _, e := range entries {
			if id, ok := strings.CutSuffix(e.Name(), ".toml"); ok {
				lib.Item(id)
			}
		}
	}
	out := make([]*Item, 0, len(lib.items))
	for _, id := range sortedKeys(lib.items) {
		if it := lib.items[id]; it != nil {
			out = append(out, it)
		}
	}
	return out
}

// Sets lists every quiz by id.
func (lib *Library) Sets() []*Set {
	out := make([]*Set, 0, len(lib.sets))
	for _, id := range sortedKeys(lib.sets) {
		out = append(out, lib.sets[id])
	}
	return out
}

// Members gives the items of a quiz in the order of its file, without those
// that do not exist.
func (lib *Library) Members(s *Set) []*Item {
	var out []*Item
	for _, id := range s.Members {
		if it := lib.Item(id); it != nil {
			out = append(out, it)
		}
	}
	return out
}

// Misconceptions lists every misconception in the order of its file.
func (lib *Library) Misconceptions() []Misconception { return slices.Clone(lib.misconceptions) }

// Misconception finds a misconception, or gives nil.
func (lib *Library) Misconception(id string) *Misconception {
	for i := range lib.misconceptions {
		if lib.misconceptions[i].ID == id {
			return &lib.misconceptions[i]
		}
	}
	return nil
}
