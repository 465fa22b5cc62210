package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Content keeps the bytes of the objects of one store below store/. It is not
// for several goroutines.
type Content struct {
	root string
	// paths are where the objects are, by key.
	paths map[string]string
	// moved and temp count files below %other and %temp.
	moved, temp int
	// err is what went wrong when it was made.
	err error
}

// Content returns an empty Content for a new store. What one before it has
// written is gone; that one must not be used any more.
func (s *Scratch) Content() *Content {
	return &Content{
		root: filepath.Join(s.dir, storeName), paths: map[string]string{}, err: s.wipe(storeName),
	}
}

// Names below store/ that no key leads to: a % stands before two hex digits
// elsewhere.
const (
	tempName  = "%temp"
	otherName = "%other"
)

// Path returns where an object is; empty: there is none.
func (c *Content) Path(key string) string { return c.paths[key] }

// Write keeps the bytes under a key and replaces what was there.
func (c *Content) Write(key string, data []byte) error {
	if c.err != nil {
		return c.err
	}
	path, known := c.paths[key]
	if !known {
		path = filepath.Join(c.root, filepath.FromSlash(route(key)))
	}
	temp := filepath.Join(c.root, tempName)
	if err := os.MkdirAll(temp, 0o755); err != nil {
		return failed(temp, err)
	}
	c.temp++
	temp = filepath.Join(temp, fmt.Sprint(c.temp))
	if err := write(temp, data); err != nil {
		return failed(temp, err)
	}
	if !known {
		var err error
		if path, err = c.place(path); err != nil {
			return err
		}
	}
	if err := os.Rename(temp, path); err != nil {
		return failed(path, err)
	}
	if err := syncDirectory(filepath.Dir(path)); err != nil {
		return err
	}
	c.paths[key] = path
	return nil
}

// place makes the directory of a new object. Keys that a file system cannot
// tell apart, or of which one would be a directory and a file at once, or that
// are too long for it, get a number below %other instead.
func (c *Content) place(path string) (string, error) {
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) && c.makeDirectory(filepath.Dir(path)) == nil {
		return path, nil
	}
	c.moved++
	path = filepath.Join(c.root, otherName, fmt.Sprint(c.moved))
	return path, c.makeDirectory(filepath.Dir(path))
}

// makeDirectory makes a directory below the root, and those above it, so that
// they last.
func (c *Content) makeDirectory(dir string) error {
	if info, err := os.Lstat(dir); err == nil {
		if info.IsDir() {
			return nil
		}
		return failed(dir, syscall.ENOTDIR)
	}
	up := filepath.Dir(dir)
	if up == dir || len(up) < len(c.root) {
		return failed(c.root, os.ErrNotExist)
	}
	if err := c.makeDirectory(up); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return failed(dir, err)
	}
	return syncDirectory(up)
}

// Read returns the bytes under a key.
func (c *Content) Read(key string) ([]byte, error) {
	path, known := c.paths[key]
	if !known {
		return nil, failed(key, os.ErrNotExist)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, failed(path, err)
	}
	return data, nil
}

// Remove forgets a key. Directories that hold nothing any more go too: an
// object store has none.
func (c *Content) Remove(key string) error {
	path, known := c.paths[key]
	if !known {
		return nil
	}
	if err := os.Remove(path); err != nil {
		return failed(path, err)
	}
	delete(c.paths, key)
	dir := filepath.Dir(path)
	for ; dir != c.root; dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			break
		}
	}
	return syncDirectory(dir)
}

// route is the path of a key, with slashes: its own, where a file system can
// hold it.
func route(key string) string {
	parts := strings.Split(key, "/")
	for i, p := range parts {
		parts[i] = escape(p)
	}
	return strings.Join(parts, "/")
}

// escape writes a part of a key as a name: %XX stands for a byte that a name
// cannot hold, a lone % for an empty part.
func escape(part string) string {
	if part == "" {
		return "%"
	}
	var b strings.Builder
	for i := range len(part) {
		c := part[i]
		switch {
		case c < 0x20, c == 0x7f, strings.IndexByte(`%/\:*?"<>|`, c) >= 0, (c == '.' || c == ' ') && i == len(part)-1:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
