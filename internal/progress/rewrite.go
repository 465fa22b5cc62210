package progress

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// rewrite replaces the file by change(text) and gives the name of the copy of
// the old one. Before the new file takes its name, the copy is complete; the
// change of name is atomic; a line that another lab appended to the old file
// in between is carried over.
func (s *Store) rewrite(mark string, change func(text string) string) (backup string, err error) {
	f, err := os.OpenFile(s.Path(), os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return "", cannotRead(s.Path(), err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return "", cannotRead(s.Path(), err)
	}
	backup, err = s.writeBeside(mark, text)
	if err != nil {
		return "", err
	}
	fresh, err := s.writeBeside("new", []byte(change(string(text))))
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "windows" {
		f.Close() // an open file cannot be replaced there
	}
	if err := os.Rename(fresh, s.Path()); err != nil {
		os.Remove(fresh)
		return "", cannotWrite(s.Path(), err)
	}
	if runtime.GOOS == "windows" {
		return backup, nil
	}
	late, err := io.ReadAll(f)
	if err != nil {
		return "", cannotRead(s.Path(), err)
	}
	for line := range strings.SplitSeq(string(late), "\n") {
		if line == "" {
			continue
		}
		if up, err := upgrade(line); err == nil {
			line = up
		}
		if err := s.appendRaw(line); err != nil {
			return "", err
		}
	}
	return backup, nil
}

func (s *Store) appendRaw(line string) error {
	f, err := s.open(s.Path())
	if err != nil {
		return cannotWrite(s.Path(), err)
	}
	defer f.Close()
	if err := appendLine(f, line); err != nil {
		return cannotWrite(s.Path(), err)
	}
	return nil
}

// writeBeside writes a complete file progress.MARK.jsonl, or progress.MARK-2
// and so on: an older copy is never overwritten.
func (s *Store) writeBeside(mark string, text []byte) (string, error) {
	f, err := s.createBeside(mark)
	if err != nil {
		return "", cannotWrite(s.dir, err)
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(f.Name())
		return "", cannotWrite(f.Name(), err)
	}
	return f.Name(), nil
}

func (s *Store) createBeside(mark string) (*os.File, error) {
	for n := 1; ; n++ {
		f, err := os.OpenFile(s.beside(mark, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func (s *Store) beside(mark string, n int) string {
	if n > 1 {
		mark = fmt.Sprintf("%s-%d", mark, n)
	}
	return filepath.Join(s.dir, "progress."+mark+".jsonl")
}
