package main

import (
	"fmt"
	"os"
	"runtime"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"

	"streaminglab/internal/locale"
	"streaminglab/sim/session"
)

func newDoctor(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Args: exactly(),
		RunE: func(*cobra.Command, []string) error {
			loc := e.localizer()
			dir := "?"
			if s, err := e.store(); err == nil {
				dir = s.Path()
			}
			mode := "cli.doctor.screen"
			if e.byLines() {
				mode = "cli.doctor.lines"
			}
			for _, l := range []struct{ id, value string }{
				{"cli.doctor.version", version()},
				{"cli.doctor.engine", session.EngineVersion},
				{"cli.doctor.go", runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH},
				{"cli.doctor.language", string(loc.Lang())},
				{"cli.doctor.terminal", fmt.Sprintf("TERM=%s %d %s", os.Getenv("TERM"), e.width(), colorprofile.Detect(e.out.w, os.Environ()))},
				{"cli.doctor.mode", loc.Text(mode, nil)},
				{"cli.doctor.progress", dir},
			} {
				fmt.Fprintln(e.out, loc.Text(l.id, locale.Args{"Value": l.value}))
			}
			return nil
		},
	}
}
