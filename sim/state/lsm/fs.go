package lsm

import (
	"io"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// FS is a file system that trees can lie on. The name keeps Pebble's package
// out of those that use this one.
type FS = vfs.FS

// NewMemFS returns an empty file system in memory.
func NewMemFS() FS { return vfs.NewMem() }

// OnDisk is the file system of the machine, for a front end that was told a
// directory. No simulation opens it by itself.
func OnDisk() FS { return vfs.Default }

// ReadFile reads a file.
func ReadFile(fs FS, path string) (content []byte, err error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := f.Close(); err == nil {
			err = closing
		}
	}()
	return io.ReadAll(f)
}

// WriteFile writes a new file, with the directories that it needs.
func WriteFile(fs FS, path string, content []byte) error {
	if dir := fs.PathDir(path); dir != "." && dir != "" {
		if err := fs.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	f, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	// A file system in memory keeps what it is given.
	_, err = f.Write(slices.Clone(content))
	if closing := f.Close(); err == nil {
		err = closing
	}
	return err
}
