package scratch

import (
	"errors"
	"os"
	"syscall"
)

// lock opens a file that nobody else may open meanwhile.
func lock(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		const sharingViolation = syscall.Errno(32)
		if errors.Is(err, sharingViolation) {
			return nil, errBusy
		}
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// unlock has nothing to do: closing is enough.
func unlock(*os.File) {}

// cannotSync reports whether directories cannot be synced: they cannot here.
func cannotSync(error) bool { return true }
