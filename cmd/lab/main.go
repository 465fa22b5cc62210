package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"streaminglab/internal/locale"
	"streaminglab/internal/narrate"
	"streaminglab/internal/plain"
)

// Exit codes (contract).
const (
	exitDone        = 0
	exitNegative    = 1
	exitInput       = 2
	exitDefect      = 3
	exitInterrupted = 130
)

// An exitError carries an exit code; what there is to say was said.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// A defect is an error of lab itself.
type defect struct{ err error }

func (d defect) Error() string { return d.err.Error() }
func (d defect) Unwrap() error { return d.err }

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is main with its surroundings as arguments.
func run(args []string, in *os.File, out, errOut io.Writer) (code int) {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		os.Exit(exitInterrupted)
	}()
	e := newEnv(in, out, errOut)
	defer func() {
		if r := recover(); r != nil {
			code = e.defect(args, fmt.Sprint(r))
		}
	}()
	e.asked = asked(args)
	root := newRoot(e)
	root.SetArgs(args)
	err := root.Execute()
	return max(e.code(args, err), e.written())
}

// asked is the language that a command line names, wherever it stands: the last
// one counts, as for any flag.
func asked(args []string) (lang string) {
	for i, a := range args {
		if a == "--" {
			break
		}
		if value, ok := strings.CutPrefix(a, "--lang="); ok {
			lang = value
		} else if a == "--lang" && i+1 < len(args) {
			lang = args[i+1]
		}
	}
	return lang
}

// code says what went wrong and chooses the exit code.
func (e *env) code(args []string, err error) int {
	var exit exitError
	var bad defect
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return int(exit)
	case errors.Is(err, plain.ErrLost):
		e.err.say(e.localizer().Text("cli.input-ended-lost", nil))
		return exitInput
	case errors.Is(err, plain.ErrInput):
		e.err.say(e.localizer().Text("cli.input-ended", nil))
		return exitInput
	case errors.As(err, &bad):
		return e.defect(args, bad.Error())
	}
	e.err.say(narrate.Problem(e.localizer(), err))
	return exitInput
}

// written says when the output could not be written. A pipe whose reader has
// left is no error.
func (e *env) written() int {
	err := e.out.err
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return exitDone
	}
	loc := e.localizer()
	e.err.say(loc.Text("cli.output", locale.Args{"Detail": narrate.System(loc, err)}))
	return exitInput
}

// defect reports an error of lab with how to see it again.
func (e *env) defect(args []string, what string) int {
	what, _, _ = strings.Cut(what, "\n")
	e.err.say(e.localizer().Text("cli.defect", locale.Args{
		"What": what, "Command": "lab " + strings.Join(args, " "), "Version": version(),
	}))
	return exitDefect
}
