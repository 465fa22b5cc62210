package progress

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// Problem is an error with a message id. The caller says it and goes on: a
// lesson does not end because progress cannot be kept.
type Problem struct {
	ID   string
	Args map[string]any
	Err  error
}

func (p *Problem) Error() string {
	if p.Err != nil {
		return fmt.Sprintf("%s %v: %v", p.ID, p.Args, p.Err)
	}
	return fmt.Sprintf("%s %v", p.ID, p.Args)
}

func (p *Problem) Unwrap() error { return p.Err }

// cannotWrite names the reason that a learner can do something about.
func cannotWrite(path string, err error) *Problem {
	id := "progress.write"
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		id = "progress.full"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		id = "progress.permission"
	}
	return &Problem{ID: id, Args: map[string]any{"File": path, "Error": reason(err)}, Err: err}
}

func cannotRead(path string, err error) *Problem {
	return &Problem{ID: "progress.read", Args: map[string]any{"File": path, "Error": reason(err)}, Err: err}
}

// reason is the system's own words without the path, which the message has.
func reason(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}
