package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"streaminglab/internal/markdown"
	"streaminglab/internal/narrate"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// topics are what lab help explains beside commands and verbs.
var topics = []string{"accessibility", "expressions", "language", "script"}

// topicNames are the names of topics in the languages of the course.
var topicNames = map[string]string{
	"accesibilidad": "accessibility", "접근성": "accessibility", "accessibility": "accessibility",
	"lenguaje": "script", "명령": "script", "script": "script", "commands": "script", "comandos": "script",
	"expresiones": "expressions", "표현식": "expressions", "expressions": "expressions",
	"idioma": "language", "언어": "language", "language": "language",
}

func newHelp(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "help [TOPIC]", Args: atMost(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				e.printHelp("lab")
				return nil
			}
			name := args[0]
			if t, ok := topicNames[strings.ToLower(name)]; ok {
				name = t
			}
			switch {
			case name == "script":
				e.printText(e.localizer().Text("cli.topic.script", nil))
				for _, l := range narrate.Help(e.localizer(), "", e.width()) {
					fmt.Fprintln(e.out, l)
				}
			case name == "expressions":
				for _, l := range narrate.Expressions(e.localizer(), e.width()) {
					fmt.Fprintln(e.out, l)
				}
			case contains(topics, name):
				e.printText(e.localizer().Text("cli.topic."+name, nil))
			case contains(commandNames, name):
				e.printHelp(name)
			case script.Find(name) != nil, narrate.Rule(e.localizer(), strings.ToUpper(name)) != nil:
				for _, l := range narrate.Help(e.localizer(), name, e.width()) {
					fmt.Fprintln(e.out, l)
				}
			default:
				known := append(append([]string{}, commandNames...), topics...)
				for _, v := range script.Verbs() {
					known = append(known, v.Name)
				}
				return sim.NewProblem("cli.unknown-topic", "Topic", name, "Nearest", world.Nearest(name, known))
			}
			return nil
		},
	}
}

func contains(in []string, s string) bool {
	for _, x := range in {
		if x == s {
			return true
		}
	}
	return false
}

// printHelp prints the help of a command.
func (e *env) printHelp(name string) {
	loc := e.localizer()
	if name == "lab" || !loc.Has("cli.help."+name) {
		fmt.Fprintln(e.out, loc.Text("cli.help.lab", nil))
		for _, c := range commandNames {
			if loc.Has("cli.short." + c) {
				e.printText(fmt.Sprintf("  lab %-11s  %s", c, loc.Text("cli.short."+c, nil)))
			}
		}
		e.printText(loc.Text("cli.help.flags", nil))
		return
	}
	e.printText(loc.Text("cli.help."+name, nil))
	e.printText(loc.Text("cli.help.flags", nil))
}

// printText prints a text of several lines; a line that is wider than the
// terminal is broken between words and goes on below its text.
func (e *env) printText(s string) {
	for _, line := range strings.Split(s, "\n") {
		for _, l := range hanging(line, e.width()) {
			fmt.Fprintln(e.out, l)
		}
	}
}

// hanging breaks a line. What stands behind a name and two blanks has a column of
// its own; any other text goes on where it began.
func hanging(line string, width int) []string {
	if markdown.Width(line) <= width {
		return []string{line}
	}
	body := strings.TrimLeft(line, " ")
	at := len(line) - len(body)
	if name, text, ok := strings.Cut(body, "  "); ok && at > 0 {
		text = strings.TrimLeft(text, " ")
		at = markdown.Width(line) - markdown.Width(text)
		if at > width/2 {
			at = markdown.Width(line) - markdown.Width(body) + 2
			return append([]string{"  " + name}, indented(text, at, width)...)
		}
		lines := indented(text, at, width)
		lines[0] = line[:len(line)-len(text)] + lines[0][at:]
		return lines
	}
	return indented(body, at, width)
}

func indented(text string, at, width int) []string {
	lines := markdown.Wrap(text, width-at)
	for i := range lines {
		lines[i] = strings.Repeat(" ", at) + lines[i]
	}
	return lines
}
