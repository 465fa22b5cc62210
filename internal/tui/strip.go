package tui

import xansi "github.com/charmbracelet/x/ansi"

func strip(s string) string { return xansi.Strip(s) }
