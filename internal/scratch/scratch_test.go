package scratch_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"streaminglab/internal/scratch"
	"streaminglab/sim"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/world"
)

var _ objectstore.Content = (*scratch.Content)(nil)

func open(t *testing.T, dir string) *scratch.Scratch {
	t.Helper()
	s, err := scratch.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// refused checks the problem of a directory that is not taken, and that
// nothing in it has changed.
func refused(t *testing.T, dir, id string) {
	t.Helper()
	before := list(t, dir)
	s, err := scratch.Open(dir)
	var p *sim.Problem
	if !errors.As(err, &p) || p.ID != id {
		t.Errorf("%v, want %s", err, id)
	}
	if s != nil {
		s.Close()
	}
	if after := list(t, dir); !slices.Equal(before, after) {
		t.Errorf("before %q, after %q", before, after)
	}
}

// list names everything in a directory, files with their bytes.
func list(t *testing.T, dir string) (out []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		if d.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel += " " + string(data)
		}
		out = append(out, filepath.ToSlash(rel))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsWrittenStaysUntilTheNextRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "scratch")
	s := open(t, dir)
	c := s.Content()
	if err := c.Write("j1/chk-1/_metadata", []byte("m")); err != nil {
		t.Fatal(err)
	}
	work, err := s.Work("tm-1")
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(work, "000001.sst"), "x")
	put(t, filepath.Join(dir, "notes.txt"), "mine")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "store", "j1", "chk-1", "_metadata")); err != nil {
		t.Error(err)
	}
	open(t, dir)
	var names []string
	for _, line := range list(t, dir) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, name)
	}
	if want := []string{".", "lab-scratch", "notes.txt", "store", "work"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestOneRunHasIt(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	refused(t, dir, "scratch.busy")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, dir)
}

func TestForeignDirectoriesAreLeftAlone(t *testing.T) {
	for name, make := range map[string]func(string){
		"files":             func(dir string) { put(t, filepath.Join(dir, "thesis.txt"), "years of work") },
		"store":             func(dir string) { os.Mkdir(filepath.Join(dir, "store"), 0o755) },
		"another mark":      func(dir string) { put(t, filepath.Join(dir, "lab-scratch"), "shopping list\n") },
		"empty mark, files": func(dir string) { put(t, filepath.Join(dir, "lab-scratch"), ""); put(t, filepath.Join(dir, "a"), "") },
		"mark is a directory": func(dir string) {
			os.Mkdir(filepath.Join(dir, "lab-scratch"), 0o755)
			put(t, filepath.Join(dir, "lab-scratch", "a"), "b")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			make(dir)
			id := "scratch.foreign"
			if name == "mark is a directory" {
				id = "scratch.io"
			}
			refused(t, dir, id)
		})
	}
	t.Run("mark is a link", func(t *testing.T) {
		dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mark")
		put(t, elsewhere, "streaminglab scratch 1\npid 1\n")
		if err := os.Symlink(elsewhere, filepath.Join(dir, "lab-scratch")); err != nil {
			t.Skip("this system lets no ordinary user make symbolic links: ", err)
		}
		refused(t, dir, "scratch.foreign")
	})
	t.Run("a file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "a-file")
		put(t, path, "x")
		refused(t, path, "scratch.io")
	})
	t.Run("another version", func(t *testing.T) {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "lab-scratch"), "streaminglab scratch 2\npid 1\n")
		refused(t, dir, "scratch.version")
	})
	t.Run("only an empty mark", func(t *testing.T) {
		dir := t.TempDir()
		put(t, filepath.Join(dir, "lab-scratch"), "")
		open(t, dir)
	})
}

// A link in place of store/ is taken away, what it leads to is not touched.
func TestALinkIsNotFollowed(t *testing.T) {
	dir, precious := t.TempDir(), t.TempDir()
	put(t, filepath.Join(precious, "a"), "b")
	s := open(t, dir)
	s.Close()
	os.RemoveAll(filepath.Join(dir, "store"))
	if err := os.Symlink(precious, filepath.Join(dir, "store")); err != nil {
		t.Skip("this system lets no ordinary user make symbolic links: ", err)
	}
	c := open(t, dir).Content()
	if err := c.Write("k", []byte("v")); err != nil {
		t.Fatal(err)
	}
	if got := list(t, precious); !slices.Equal(got, []string{".", "a b"}) {
		t.Errorf("%q", got)
	}
}

// Whatever the keys are, the content is that of a map, and no key leads out of
// the directory.
func TestContentIsLikeMemory(t *testing.T) {
	keys := []string{
		"j1/chk-1/_metadata", "j1/chk-1/a", "j1/chk-2/_metadata", "j1/shared/000007.sst", "j1/shared", "j1", "J1/CHK-1/A", "j1/chk-1/A",
		"", "/", "//", "a//b", "/abs", "..", "../../etc/passwd", "a/../b", ".", "./a", "a/.", "a.", "a ", "b\\c", "c:d", "*?\"<>|", "%", "%41", "%temp/1", "%other/1", "A",
		"nul\x00byte", "línea\n", "집계/상태", strings.Repeat("long", 100), strings.Repeat("deep/", 60) + "x", "\xff\xfe",
	}
	root := t.TempDir()
	dir := filepath.Join(root, "scratch")
	c := open(t, dir).Content()
	want := objectstore.Memory{}
	draws := rand.New(rand.NewPCG(3, 4))
	rounds := 1000
	if testing.Short() {
		rounds = 200
	}
	for n := range rounds {
		key := keys[draws.IntN(len(keys))]
		switch draws.IntN(4) {
		case 0:
			if err := errors.Join(c.Remove(key), want.Remove(key)); err != nil {
				t.Fatalf("remove %q: %v", key, err)
			}
		case 1:
			if _, is := want[key]; !is {
				if _, err := c.Read(key); err == nil {
					t.Fatalf("%q is not there and can be read", key)
				}
				continue
			}
			got, err := c.Read(key)
			if err != nil || string(got) != string(want[key]) {
				t.Fatalf("%q: %q, %v, want %q", key, got, err, want[key])
			}
		default:
			data := fmt.Append(nil, n)
			if err := errors.Join(c.Write(key, data), want.Write(key, data)); err != nil {
				t.Fatalf("write %q: %v", key, err)
			}
		}
	}
	for key, data := range want {
		if got, err := c.Read(key); err != nil || string(got) != string(data) {
			t.Errorf("%q: %q, %v, want %q", key, got, err, data)
		}
		if rel, err := filepath.Rel(filepath.Join(dir, "store"), c.Path(key)); err != nil || !filepath.IsLocal(rel) {
			t.Errorf("%q lies at %q", key, c.Path(key))
		}
		if err := c.Remove(key); err != nil {
			t.Errorf("remove %q: %v", key, err)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	if left := list(t, filepath.Join(dir, "store")); !slices.Equal(left, []string{".", "%temp"}) {
		t.Errorf("left: %q", left)
	}
}

// What this machine refuses is a problem for the person, and the store
// remembers it.
func TestErrorsOfThisMachine(t *testing.T) {
	dir := t.TempDir()
	c := open(t, dir).Content()
	s := objectstore.New(objectstore.ObjectStore, func() int64 { return 0 }, c)
	if _, err := s.Put("a/b", objectstore.Bytes([]byte("x")), "tm"); err != nil || s.Defect() != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "store")); err != nil {
		t.Fatal(err)
	}
	_, _, err := s.Get("a/b")
	var p *sim.Problem
	if !errors.As(err, &p) || p.ID != "scratch.io" || s.Defect() != err {
		t.Errorf("%v, %v", err, s.Defect())
	}
	// A new world begins with an empty one.
	s2 := open2(t, dir)
	if err := s2.Write("a", nil); err != nil {
		t.Error(err)
	}
}

func open2(t *testing.T, dir string) *scratch.Content {
	t.Helper()
	s, err := scratch.Open(dir + "-2")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	old := s.Content()
	if err := old.Write("a", []byte("1")); err != nil {
		t.Fatal(err)
	}
	c := s.Content()
	if c.Path("a") != "" || len(list(t, filepath.Join(s.Dir(), "store"))) != 1 {
		t.Error("the new content is not empty")
	}
	return c
}

// A run whose directory breaks ends with what is wrong, not with a simulated
// exception that the job would live with.
func TestARunEndsWhenItsDirectoryBreaks(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	w := world.New(world.Config{
		Files: map[string][]byte{"job.yaml": fmt.Appendf(nil, killJob, "hashmap", "1")}, Seed: 1, Content: s.Content(),
	})
	if err := w.Start("job job.yaml", "job.yaml"); err != nil {
		t.Fatal(err)
	}
	if err := w.Advance("advance 3s", 3000); err != nil {
		t.Fatal(err)
	}
	store := filepath.Join(dir, "store")
	if err := os.RemoveAll(store); err != nil {
		t.Fatal(err)
	}
	put(t, store, "a file in the way")
	err := w.Advance("advance 3s", 3000)
	var p *sim.Problem
	if !errors.As(err, &p) || p.ID != "scratch.io" {
		t.Errorf("%v", err)
	}
}
