package lsm

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/cockroachdb/pebble/v2"
)

// A guard stands between Pebble and the process. Where Pebble would end the
// process it ends the goroutine instead and leaves the instance dead: a panic
// on a goroutine of Pebble could not be recovered.
type guard struct {
	mu   sync.Mutex
	err  error
	dead chan struct{}
}

func newGuard() *guard { return &guard{dead: make(chan struct{})} }

// Infof implements pebble.Logger.
func (g *guard) Infof(string, ...any) {}

// Errorf implements pebble.Logger.
func (g *guard) Errorf(string, ...any) {}

// Fatalf implements pebble.Logger. It must not return.
func (g *guard) Fatalf(format string, args ...any) {
	g.kill(fmt.Errorf(format, args...))
	runtime.Goexit()
}

// background takes an error of a flush or a compaction. Pebble would try again
// at once and for ever; the goroutine ends here instead, its deferred calls
// release the locks.
func (g *guard) background(err error) {
	g.kill(err)
	runtime.Goexit()
}

// corrupt takes what a read found. The read itself returns the error too.
func (g *guard) corrupt(info pebble.DataCorruptionInfo) {}

func (g *guard) kill(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.err == nil {
		g.err = &DeadError{Cause: err}
		close(g.dead)
	}
}

// failed returns the error of a dead instance.
func (g *guard) failed() error {
	select {
	case <-g.dead:
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.err
	default:
		return nil
	}
}

// call runs what can do input and output on a goroutine of its own, which
// Fatalf may end, and waits for it or for the death of the instance. Nothing
// else of the simulator runs meanwhile: the goroutine decides no order.
func (g *guard) call(f func() error) error {
	if err := g.failed(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				g.kill(fmt.Errorf("%v", r))
				done <- g.failed()
			}
		}()
		done <- f()
	}()
	select {
	case err := <-done:
		return err
	case <-g.dead:
		return g.failed()
	}
}
