package operator

import "errors"

// A Blocked error says that a call has not ended: the thread of the task waits
// for something outside. The call is to be made again, and goes on where it was.
// PrepareBarrier, NotifyComplete, EndOfInput and Start may return it.
type Blocked struct {
	// Again is when to make the call again, in ms.
	Again int64
	// Await asks to be called when it may go on earlier; nil: it may not.
	Await func(func())
}

// Error implements error.
func (b *Blocked) Error() string { return "operator: blocked" }

// AsBlocked is the error as one of that kind, or nil.
func AsBlocked(err error) *Blocked {
	var b *Blocked
	if errors.As(err, &b) {
		return b
	}
	return nil
}

// ErrCrashed is returned by a call in the middle of which the process ended.
var ErrCrashed = errors.New("operator: the process has ended")

// A Starter has something to do outside before its first element, when all state
// is restored. Of a task the last operator starts first. restored is the id of
// the checkpoint that it comes from, 0: none.
type Starter interface{ Start(restored int64) error }

// A Canceler tidies up when its subtask is canceled. Who is killed does not.
type Canceler interface{ Cancel() }
