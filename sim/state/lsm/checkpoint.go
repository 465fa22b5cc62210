package lsm

import (
	"fmt"
	"slices"
	"strings"
)

// Checkpoint flushes and makes a directory that holds the tree as it is now:
// its tables as links, which stay when the tree goes on, and copies of the
// small files that describe it. The directory must not exist.
func (x *Instance) Checkpoint(dir string) (tables []Table, described []string, err error) {
	if err := x.Flush(); err != nil {
		return nil, nil, err
	}
	if tables, err = x.Tables(); err != nil {
		return nil, nil, err
	}
	if err := x.guard.call(func() error { return x.db.Checkpoint(dir) }); err != nil {
		return nil, nil, fmt.Errorf("lsm: checkpoint: %w", err)
	}
	names, err := x.config.FS.List(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range names {
		// There is no write-ahead log: what Pebble puts there is empty.
		if strings.HasSuffix(n, ".sst") || strings.HasSuffix(n, ".log") {
			continue
		}
		described = append(described, n)
		if strings.HasPrefix(n, "MANIFEST") {
			if err := x.complete(dir, n); err != nil {
				return nil, nil, err
			}
		}
	}
	slices.Sort(described)
	return tables, described, nil
}

// complete fills a MANIFEST that Pebble left empty: it copies as much as it has
// written since the tree was opened, which is nothing when nothing changed.
// Then the one that the tree was opened with describes it.
func (x *Instance) complete(dir, name string) error {
	fs := x.config.FS
	path := fs.PathJoin(dir, name)
	content, err := ReadFile(fs, path)
	if err != nil || len(content) > 0 {
		return err
	}
	if content, err = ReadFile(fs, fs.PathJoin(x.config.Dir, name)); err != nil {
		return err
	}
	return WriteFile(fs, path, content)
}
