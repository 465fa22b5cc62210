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
	text, err := s.text()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, cannotRead(s.Path(), err)
	}
	var b strings.Builder
	for line := range strings.SplitSeq(string(text), "\n") {
		if _, ok := intact(line); ok {
			b.WriteString(line + "\n")
			lines++
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return 0, &Problem{ID: "progress.export", Args: map[string]any{"Error": reason(err)}, Err: err}
	}
	return lines, nil
}

// intact gives a line in the current version; a line of a newer lab as it is,
// whatever it says. ok is false for what is no line of progress.
func intact(line string) (up string, ok bool) {
	v, err := versionOf(line)
	if err != nil || v > Version {
		return line, err == nil
	}
	if up, err = upgrade(line); err == nil {
		_, err = decode(up)
	}
	return up, err == nil
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
		up, ok := intact(line)
		if !ok {
			return Imported{}, &Problem{ID: "progress.import.line", Args: map[string]any{"Line": i + 1}}
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
	var at time.Time
	for _, text := range fresh {
		// A line without a time of ours stands behind the one before it.
		if e, err := decode(text); err == nil {
			at = e.At
		}
		if have[text] {
			done.Known++
			continue
		}
		have[text] = true
		done.Added++
		all = append(all, line{at, text})
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
