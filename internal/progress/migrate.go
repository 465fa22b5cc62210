package progress

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// migrations[v] turns the fields of a line of version v into those of v+1.
var migrations = []func(map[string]any) error{
	// Version 0, before the first release: "type" and a time in seconds.
	func(m map[string]any) error {
		kind, ok := m["type"].(string)
		seconds, ok2 := m["time"].(json.Number)
		if !ok || !ok2 {
			return fmt.Errorf("progress: not a line of version 0")
		}
		n, err := seconds.Int64()
		if err != nil {
			return err
		}
		delete(m, "type")
		delete(m, "time")
		m["kind"] = kind
		m["at"] = time.Unix(n, 0).UTC().Format(stamp)
		return nil
	},
}

func needsMigration(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if old(line) {
			return true
		}
	}
	return false
}

// old: an intact line of an older version.
func old(line string) bool {
	v, err := versionOf(line)
	if err != nil || v >= Version || v < 0 {
		return false
	}
	_, err = upgrade(line)
	return err == nil
}

// upgrade gives a line in the current version.
func upgrade(line string) (string, error) {
	v, err := versionOf(line)
	if err != nil {
		return "", err
	}
	if v >= Version {
		return line, nil
	}
	if v < 0 {
		return "", fmt.Errorf("progress: version %d", v)
	}
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber() // seeds have 64 bits
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return "", err
	}
	for ; v < Version; v++ {
		if err := migrations[v](m); err != nil {
			return "", err
		}
	}
	m["v"] = Version
	out, err := json.Marshal(m)
	if err != nil {
		return "", err
	}
	e, err := decode(string(out))
	if err != nil {
		return "", err
	}
	if e.Event == nil {
		return string(out), nil
	}
	return encode(e.At, e.Event)
}

// migrate rewrites the file in the current version. Lines that cannot be read
// are copied as they are.
func (s *Store) migrate() (*Log, error) {
	backup, err := s.rewrite("v0", func(text string) string {
		lines := strings.Split(text, "\n")
		for i, line := range lines {
			if old(line) {
				lines[i], _ = upgrade(line)
			}
		}
		return strings.Join(lines, "\n")
	})
	if err != nil {
		return nil, err
	}
	log, err := s.Read()
	if log != nil {
		log.Backup = backup
	}
	return log, err
}
