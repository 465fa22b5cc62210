package progress

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// FileName is the name of the file in the home directory.
const FileName = "progress.jsonl"

// Store is the file of one learner. Several stores, also in several processes,
// may use one file at once.
type Store struct {
	dir  string
	open func(path string) (file, error) // replaced in tests
}

// file is what appending needs of an os.File.
type file interface {
	io.WriteCloser
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// Open gives the store of a home directory. It touches nothing yet, so that
// reading alone never creates a directory.
func Open(dir string) *Store {
	return &Store{dir: dir, open: func(path string) (file, error) {
		return os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	}}
}

// Path is where the file is.
func (s *Store) Path() string { return filepath.Join(s.dir, FileName) }

// Append writes one event in one write. The file is opened for each line, so
// that an import or a reset by another lab is never missed.
func (s *Store) Append(at time.Time, e Event) error {
	line, err := encode(at, e)
	if err != nil {
		return cannotWrite(s.Path(), err)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return cannotWrite(s.dir, err)
	}
	f, err := s.open(s.Path())
	if err != nil {
		return cannotWrite(s.Path(), err)
	}
	err = appendLine(f, line)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return cannotWrite(s.Path(), err)
	}
	return nil
}

func appendLine(f file, line string) error {
	text := line + "\n"
	torn, err := endsTorn(f)
	if err != nil {
		return err
	}
	if torn {
		text = "\n" + text
	}
	n, err := f.Write([]byte(text))
	if err == nil && n < len(text) {
		err = io.ErrShortWrite
	}
	return err
}

// endsTorn: somebody died in the middle of a line.
func endsTorn(f file) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return last[0] != '\n', nil
}
