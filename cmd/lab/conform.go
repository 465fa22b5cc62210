package main

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"streaminglab/quiz"
	"streaminglab/sim/conform"
)

func newConform(e *env) *cobra.Command {
	var asJSON, verbose bool
	c := &cobra.Command{
		Use: "conform FILE…", Args: atLeastOne("FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			var inputs []conform.Input
			for _, name := range args {
				f, err := os.Open(name)
				if err != nil {
					return fileError(name, err)
				}
				defer f.Close()
				inputs = append(inputs, conform.Input{Name: name, Reader: f})
			}
			r := conform.Run(inputs...)
			var err error
			if asJSON {
				err = r.WriteJSON(e.out)
			} else {
				var text strings.Builder
				err = r.WriteText(&text, verbose)
				io.WriteString(e.out, quiz.VisibleLines(text.String()))
			}
			switch {
			case err != nil:
				return defect{err}
			case len(r.Unreadable) > 0:
				return exitError(exitInput)
			case !r.OK():
				return exitError(exitNegative)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "")
	c.Flags().BoolVar(&verbose, "verbose", false, "")
	return c
}
