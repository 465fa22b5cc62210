package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// documents are the files and who writes them.
var documents = map[string]func() string{
	"rules.md":       rules,
	"events.md":      events,
	"commands.md":    commands,
	"expressions.md": expressions,
}

func main() {
	if err := write("docs"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range documents {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
