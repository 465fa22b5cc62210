package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"lab": main})
}

// The command line as scripts, instructors and CI jobs use it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LAB_HOME", e.WorkDir+"/home")
			e.Setenv("LANG", "es_ES.UTF-8")
			e.Setenv("TERM", "xterm-256color")
			// An argument that would clear the screen, colour and turn the line.
			e.Setenv("EVIL", "x\x1b[2J\u009b31m\u202e")
			return nil
		},
	})
}
