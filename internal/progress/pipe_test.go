//go:build unix

package progress

import (
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the place of the file would wait for ever: it is refused.
func TestAPipeIsNoProgress(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, FileName), 0o600); err != nil {
		t.Skip("this file system has no named pipes: ", err)
	}
	if _, err := Open(dir).Read(); err == nil {
		t.Error("a pipe was read")
	}
}
