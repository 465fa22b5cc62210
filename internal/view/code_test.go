package view

import (
	"strings"
	"testing"
)

// Code stands without backquotes where it has a look, also over the end of a
// line; what is no pair stays, and columns keep their places.
func TestCoded(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"`help` explica", "<help> explica"},
		{"nada", "nada"},
		{"con `a` y `b`", "con <a> y <b>"},
		{"el comando `run|  until x` para", "el comando <run>|<  until x> para"},
		{"un ` solo", "un ` solo"},
		{"un ` solo|y `otro`", "un ` solo|y <otro>"},
		{"`a|b|c` d", "<a>|<b>|<c> d"},
		{"`x`  columna", "<x>    columna"},
		{"  12  `show`  K-1", "  12  <show>    K-1"},
		{"\x1b[1m`x`\x1b[m", "\x1b[1m`x`\x1b[m"},
		{"``", ""},
		{"`", "`"},
	} {
		got := strings.Join(Coded(strings.Split(c.text, "|"), func(s string) string { return "<" + s + ">" }), "|")
		if got != c.want {
			t.Errorf("%q: %q, not %q", c.text, got, c.want)
		}
	}
}
