package progress

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sort"
	"strings"
	"time"
)

// maxImport bounds what an import reads: years of lessons are a few megabytes.
const maxImport = 64 << 20

// Export writes the intact lines, those of a newer lab included. The result
// can be imported and read like the file itself.
func (s *Store) Export(w io.Writer) (lines int, err error) {
	if _, err := s.Read(); err != nil { // migrates
		return 0, err
	}
	text, err := os.ReadFile(s.Path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, cannotRead(s.Path(), err)
	}
	var b strings.Builder
	for line := range strings.SplitSeq(string(text), "\n") {
		if _, err := versionOf(line); err == nil {
			b.WriteString(line + "\n")
			lines++
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return 0, &Problem{ID: "progress.export", Args: map[string]any{"Error": reason(err)}, Err: err}
	}
	return lines, nil
}

// Imported says what an import did.
type Imported struct {
	Added, Known int
	Backup       string
}

// Import adds the lines of an exported file, in order of time; lines that are
// already there are not added again, so importing twice does nothing. A file
// that cannot be read as a whole changes nothing.
func (s *Store) Import(r io.Reader) (Imported, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxImport+1))
	if err != nil {
		return Imported{}, &Problem{ID: "progress.import.read", Args: map[string]any{"Error": reason(err)}, Err: err}
	}
	if len(text) > maxImport {
		return Imported{}, &Problem{ID: "progress.import.size", Args: map[string]any{"Megabytes": maxImport >> 20}}
	}
	var fresh []string
	for i, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSuffix(line, "\r"); line == "" {
			continue
		}
		up, err := upgrade(line)
		if err == nil {
			_, err = decode(up)
		}
		if err != nil {
			return Imported{}, &Problem{ID: "progress.import.line", Args: map[string]any{"Line": i + 1}, Err: err}
		}
		fresh = append(fresh, up)
	}
	if _, err := s.Read(); err != nil {
		return Imported{}, err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return Imported{}, cannotWrite(s.dir, err)
	}
	var done Imported
	backup, err := s.rewrite("before-import", func(old string) string {
		done = Imported{}
		return merge(old, fresh, &done)
	})
	if err != nil {
		return Imported{}, err
	}
	done.Backup = backup
	return done, nil
}

// merge keeps the order of the old lines, also of those that cannot be read,
// and sorts the new ones in by their time.
func merge(old string, fresh []string, done *Imported) string {
	type line struct {
		at   time.Time
		text string
	}
	var all []line
	have := map[string]bool{}
	var last time.Time
	for text := range strings.SplitSeq(old, "\n") {
		if text == "" {
			continue
		}
		have[text] = true
		if e, err := decode(text); err == nil && e.At.After(last) {
			last = e.At
		}
		all = append(all, line{last, text})
	}
	for _, text := range fresh {
		if have[text] {
			done.Known++
			continue
		}
		have[text] = true
		done.Added++
		e, _ := decode(text)
		all = append(all, line{e.At, text})
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].at.Before(all[j].at) })
	var b strings.Builder
	for _, l := range all {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// Reset starts anew. The old file keeps everything under a name with the time;
// an empty result means that there was nothing.
func (s *Store) Reset(at time.Time) (backup string, err error) {
	if _, err := os.Stat(s.Path()); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	f, err := s.createBeside(at.UTC().Format("2006-01-02T15-04-05Z"))
	if err != nil {
		return "", cannotWrite(s.dir, err)
	}
	name := f.Name()
	f.Close() // only its name was wanted: the change of name replaces it
	if err := os.Rename(s.Path(), name); err != nil {
		os.Remove(name)
		return "", cannotWrite(s.Path(), err)
	}
	return name, nil
}
