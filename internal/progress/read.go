package progress

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Damage is a line that could not be read. It stays in the file.
type Damage struct {
	Line int
	Torn bool // the last line, cut off: a kill or a full disk, not a defect
}

// Problem words a damage.
func (d Damage) Problem(path string) *Problem {
	id := "progress.damaged"
	if d.Torn {
		id = "progress.torn"
	}
	return &Problem{ID: id, Args: map[string]any{"File": path, "Line": d.Line}}
}

// Log is what the file holds.
type Log struct {
	Entries []Entry
	Damage  []Damage
	Newer   int    // lines of a newer lab, left alone
	Backup  string // the file as it was before it was migrated, if it was
}

// Read reads the file; a file that does not exist is an empty one. A file of
// an older version is first rewritten, with the old one kept beside it.
func (s *Store) Read() (*Log, error) {
	text, err := s.text()
	if errors.Is(err, fs.ErrNotExist) {
		return &Log{}, nil
	}
	if err != nil {
		return nil, cannotRead(s.Path(), err)
	}
	if needsMigration(string(text)) {
		return s.migrate()
	}
	return parse(string(text)), nil
}

// text is the whole file. A pipe or a device that stands in its place would
// never end.
func (s *Store) text() ([]byte, error) {
	info, err := os.Stat(s.Path())
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return nil, errors.New("not a regular file")
	}
	return os.ReadFile(s.Path())
}

// parse reads the lines of the current version. Two labs write whole lines, so
// lines of both stand between each other but never in each other; what a kill
// cut off ends at the newline that the next writer put before its own line.
func parse(text string) *Log {
	log := &Log{}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		v, err := versionOf(line)
		if err == nil && v > Version {
			log.Newer++
			continue
		}
		var e Entry
		if err == nil {
			e, err = decode(line)
		}
		if err != nil {
			log.Damage = append(log.Damage, Damage{Line: i + 1, Torn: i == len(lines)-1})
			continue
		}
		log.Entries = append(log.Entries, e)
	}
	return log
}
