package narrate

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"syscall"

	"streaminglab/internal/locale"
)

// reasons are what a machine refuses most often. The order counts: some errors
// are of several kinds.
var reasons = []struct {
	id string
	is []error
}{
	{"no-program", []error{exec.ErrNotFound}},
	{"full", []error{syscall.ENOSPC, syscall.EDQUOT}},
	{"read-only", []error{syscall.EROFS}},
	{"directory", []error{syscall.EISDIR}},
	{"not-directory", []error{syscall.ENOTDIR}},
	{"not-empty", []error{syscall.ENOTEMPTY}},
	{"long-name", []error{syscall.ENAMETOOLONG}},
	{"many-files", []error{syscall.EMFILE, syscall.ENFILE}},
	{"exists", []error{fs.ErrExist}},
	{"missing", []error{fs.ErrNotExist}},
	{"permission", []error{fs.ErrPermission}},
	{"broken", []error{syscall.EIO}},
	{"closed", []error{syscall.EPIPE}},
}

// System is the reason of an error of the machine: part of a sentence, in the
// language of the reader. What is not known is in the machine's own words,
// without the path, which the sentence has.
func System(loc *locale.Localizer, err error) string {
	if text, ok := system(loc, err); ok {
		return text
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return err.Error()
}

func system(loc *locale.Localizer, err error) (string, bool) {
	for _, r := range reasons {
		for _, is := range r.is {
			if errors.Is(err, is) {
				return loc.Text("problem.system."+r.id, nil), true
			}
		}
	}
	return "", false
}
