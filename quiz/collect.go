package quiz

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Bounds of a directory of answer files.
const (
	MaxFiles    = 2000 // files that one grading reads
	maxDirDepth = 8    // directories below one another
)

// submission is one file that was handed in: what it says, or why not.
type submission struct {
	name string // as it is shown: the argument, and the path below it
	data []byte
	err  *Problem
}

// collect reads every file that the paths name, sorted by name, each once.
//
// Names come from learners, so everything is opened through os.Root: a
// symbolic link that leads out of the directory is refused, whatever it is
// called, and so is everything that is no regular file (a pipe would wait for
// ever). Hidden files (the name begins with a point) below a directory are
// what systems leave behind, and are passed over; every other file becomes a
// row, whatever its name.
func collect(paths []string) ([]submission, Problems) {
	c := &collector{seen: map[string]bool{}}
	for _, p := range paths {
		c.path(p)
	}
	slices.SortFunc(c.out, func(a, b submission) int { return strings.Compare(a.name, b.name) })
	c.problems.sort()
	return c.out, c.problems
}

type collector struct {
	out      []submission
	problems Problems
	seen     map[string]bool
	full     bool
}

func (c *collector) path(p string) {
	name := filepath.ToSlash(filepath.Clean(p))
	info, err := os.Lstat(p)
	if err != nil {
		c.problems = append(c.problems, unreadable(Pos{File: name}, err))
		return
	}
	if info.IsDir() {
		root, err := os.OpenRoot(p)
		if err != nil {
			c.problems = append(c.problems, unreadable(Pos{File: name}, err))
			return
		}
		defer root.Close()
		c.dir(root, name, ".", 1)
		return
	}
	root, err := os.OpenRoot(filepath.Dir(p))
	if err != nil {
		c.problems = append(c.problems, unreadable(Pos{File: name}, err))
		return
	}
	defer root.Close()
	c.file(root, filepath.Base(p), name)
}

func (c *collector) dir(root *os.Root, shown, dir string, depth int) {
	if depth > maxDirDepth {
		c.problems = append(c.problems, problem(errDirDepth, Pos{File: path.Join(shown, dir)}, "Max", maxDirDepth))
		return
	}
	entries, err := fs.ReadDir(root.FS(), dir)
	if err != nil {
		c.problems = append(c.problems, unreadable(Pos{File: path.Join(shown, dir)}, err))
	}
	for _, e := range entries {
		if c.full {
			return
		}
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		below := path.Join(dir, e.Name())
		if e.IsDir() {
			c.dir(root, shown, below, depth+1)
		} else {
			c.file(root, below, path.Join(shown, below))
		}
	}
}

func (c *collector) file(root *os.Root, name, shown string) {
	if c.full || c.seen[shown] {
		return
	}
	if len(c.out) == MaxFiles {
		c.full = true
		c.problems = append(c.problems, problem(errTooManyFiles, Pos{File: shown}, "Max", MaxFiles))
		return
	}
	c.seen[shown] = true
	s := submission{name: shown}
	var p *Problem
	s.data, p = readBelow(root, name, shown)
	s.err = p
	c.out = append(c.out, s)
}

// readBelow reads one regular file of at most MaxFileSize bytes.
func readBelow(root *os.Root, name, shown string) ([]byte, *Problem) {
	refuse := func(id string, pairs ...any) ([]byte, *Problem) {
		p := problem(id, Pos{File: shown}, pairs...)
		return nil, &p
	}
	unread := func(err error) ([]byte, *Problem) {
		p := unreadable(Pos{File: shown}, err)
		return nil, &p
	}
	info, err := root.Stat(name) // before opening: opening a pipe waits for a writer
	if err != nil {
		if link, lerr := root.Lstat(name); lerr == nil && link.Mode()&fs.ModeSymlink != 0 {
			return refuse(errSymlink)
		}
		return unread(err)
	}
	if !info.Mode().IsRegular() {
		return refuse(errNotRegular)
	}
	if info.Size() > MaxFileSize {
		return refuse(errFileSize, "Max", MaxFileSize)
	}
	f, err := root.Open(name)
	if err != nil {
		return unread(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return unread(err)
	}
	if len(data) > MaxFileSize {
		return refuse(errFileSize, "Max", MaxFileSize)
	}
	return data, nil
}

// unreadable says why the system does not give a file. What it has no message
// for is in the system's own words, without the path, which the position has.
func unreadable(pos Pos, err error) Problem {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return problem(errNoFile, pos)
	case errors.Is(err, fs.ErrPermission):
		return problem(errNoPermission, pos)
	case errors.Is(err, syscall.EISDIR):
		return problem(errNotRegular, pos)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return problem(errRead, pos, "Detail", err.Error(), "Cause", err)
}
