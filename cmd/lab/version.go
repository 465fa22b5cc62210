package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"streaminglab/sim/session"
)

// version is that of the build: the module's version, or "devel".
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" && b.Main.Version != "(devel)" {
		return b.Main.Version
	}
	return "devel"
}

func newVersion(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "version", Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(e.out, "lab %s (engine %s)\n", version(), session.EngineVersion)
			return nil
		},
	}
}
