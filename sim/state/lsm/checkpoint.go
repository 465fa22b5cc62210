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
			if err := x.wholeManifest(dir, n); err != nil {
				return nil, nil, err
			}
		}
	}
	slices.Sort(described)
	return tables, described, nil
}

// wholeManifest repairs the copy of a MANIFEST. Pebble copies as much as it has
// written since it was opened, which is nothing when the tree was opened and
// did not change; then the file of the tree itself is the one to copy.
func (x *Instance) wholeManifest(dir, name string) error {
	fs := x.config.FS
	info, err := fs.Stat(fs.PathJoin(dir, name))
	if err != nil || info.Size() > 0 {
		return err
	}
	content, err := ReadFile(fs, fs.PathJoin(x.config.Dir, name))
	if err != nil {
		return err
	}
	if err := fs.Remove(fs.PathJoin(dir, name)); err != nil {
		return err
	}
	return WriteFile(fs, fs.PathJoin(dir, name), content)
}
