package scratch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"streaminglab/sim"
)

const (
	markName  = "lab-scratch"
	markTitle = "streaminglab scratch "
	storeName = "store"
	workName  = "work"
)

// Version is the version of the layout. A directory of another one is refused.
const Version = "1"

// A Scratch is a directory that this run has for itself.
type Scratch struct {
	dir  string
	mark *os.File
}

// errBusy says that another process holds the lock.
var errBusy = errors.New("locked")

// Open makes a directory the scratch of this run: it is created if it is not
// there, locked, marked and wiped. The error is a *sim.Problem.
func Open(dir string) (*Scratch, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, failed(dir, err)
	}
	if err := unknown(dir); err != nil {
		return nil, err
	}
	mark := filepath.Join(dir, markName)
	// A mark that is a link or a directory is none of ours.
	if info, err := os.Lstat(mark); err == nil && !info.Mode().IsRegular() {
		return nil, sim.NewProblem("scratch.foreign", "Dir", dir)
	}
	f, err := lock(mark)
	if errors.Is(err, errBusy) {
		return nil, sim.NewProblem("scratch.busy", "Dir", dir)
	}
	if err != nil {
		return nil, failed(mark, err)
	}
	s := &Scratch{dir: dir, mark: f}
	if err := s.begin(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// unknown refuses a directory that is not empty and has no mark. An empty file
// of that name is a mark: the run before was killed before it could write it.
func unknown(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return failed(dir, err)
	}
	if len(entries) == 0 {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(dir, markName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return sim.NewProblem("scratch.foreign", "Dir", dir)
	case err != nil:
		return failed(dir, err)
	case len(text) == 0 && len(entries) == 1:
		return nil
	}
	line, _, _ := strings.Cut(string(text), "\n")
	version, ours := strings.CutPrefix(line, markTitle)
	switch {
	case !ours:
		return sim.NewProblem("scratch.foreign", "Dir", dir)
	case version != Version:
		return sim.NewProblem("scratch.version", "Dir", dir, "Value", version)
	}
	return nil
}

// begin marks the locked directory and wipes it. Between the first look and the
// lock somebody may have put something there, so it looks again.
func (s *Scratch) begin() error {
	if err := unknown(s.dir); err != nil {
		return err
	}
	// The mark is never empty again: a run that is killed here leaves it valid.
	text := fmt.Sprintf("%s%s\npid %d\n", markTitle, Version, os.Getpid())
	if _, err := s.mark.WriteAt([]byte(text), 0); err != nil {
		return failed(s.mark.Name(), err)
	}
	if err := s.mark.Truncate(int64(len(text))); err != nil {
		return failed(s.mark.Name(), err)
	}
	if err := s.mark.Sync(); err != nil {
		return failed(s.mark.Name(), err)
	}
	for _, name := range []string{storeName, workName} {
		if err := s.wipe(name); err != nil {
			return err
		}
	}
	return nil
}

// wipe makes a directory anew.
func (s *Scratch) wipe(name string) error {
	path := filepath.Join(s.dir, name)
	if err := os.RemoveAll(path); err != nil {
		return failed(path, err)
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return failed(path, err)
	}
	return syncDirectory(s.dir)
}

// Dir is the directory.
func (s *Scratch) Dir() string { return s.dir }

// Work returns an empty directory for a purpose, below work/.
func (s *Scratch) Work(purpose string) (string, error) {
	path := filepath.Join(s.dir, workName, escape(purpose))
	if err := os.RemoveAll(path); err != nil {
		return "", failed(path, err)
	}
	if err := os.MkdirAll(path, 0o755); err != nil {
		return "", failed(path, err)
	}
	return path, nil
}

// Close gives the lock back. What was written stays.
func (s *Scratch) Close() error {
	unlock(s.mark)
	if err := s.mark.Close(); err != nil && !errors.Is(err, fs.ErrClosed) {
		return failed(s.dir, err)
	}
	return nil
}

// failed is an error of this machine.
func failed(path string, err error) error {
	var p *sim.Problem
	if errors.As(err, &p) {
		return p
	}
	// The path stands in the message already.
	var pe *fs.PathError
	if errors.As(err, &pe) {
		path, err = pe.Path, pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		path, err = le.New, le.Err
	}
	return sim.NewProblem("scratch.io", "Path", path, "Detail", err.Error(), "Cause", err)
}

// syncDirectory makes names in a directory last.
func syncDirectory(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return failed(dir, err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !cannotSync(err) {
		return failed(dir, err)
	}
	return nil
}

// write writes a new file whose bytes last.
func write(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	n, err := f.Write(data)
	if err == nil && n < len(data) {
		err = io.ErrShortWrite
	}
	return errors.Join(err, f.Sync(), f.Close())
}
