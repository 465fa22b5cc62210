package main

import (
	"strings"
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
)

// What does not fit a line of help goes on below its text, never at the margin.
func TestHelpHangs(t *testing.T) {
	for _, lang := range locale.Langs {
		for _, name := range commandNames {
			text := locale.New(lang).Text("cli.help."+name, nil)
			for _, width := range []int{40, 60, 80, 100} {
				for _, line := range strings.Split(text, "\n") {
					lines := hanging(line, width)
					for i, l := range lines {
						if markdown.Width(l) > width {
							t.Errorf("%s %s at %d is wider: %q", lang, name, width, l)
						}
						if i > 0 && strings.HasPrefix(line, " ") && !strings.HasPrefix(l, "    ") {
							t.Errorf("%s %s at %d: %q", lang, name, width, l)
						}
					}
					if got, want := strings.Fields(strings.Join(lines, " ")), strings.Fields(line); strings.Join(got, "") != strings.Join(want, "") {
						t.Errorf("%s %s at %d loses text: %q", lang, name, width, lines)
					}
				}
			}
		}
	}
}
