package view

import (
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/rivo/uniseg"
)

// Class says what a piece of a picture means; a theme gives it a look. Every
// class has a sign or a word of its own beside it: colour is never the only mark.
type Class byte

// The classes.
const (
	Plain Class = iota
	Faint
	Strong
	Good
	Warn
	Bad
	Time
	Selected
	// Code is what stands between backquotes where there is no such look.
	Code
)

// A Style turns a piece of text of a class into what the terminal shows.
type Style func(c Class, s string) string

// Unstyled leaves text as it is: the text twin.
func Unstyled(_ Class, s string) string { return s }

// Signs are the marks of the pictures.
type Signs struct {
	Fates                         [6]string
	Rise, Line, Bar, Tick, Cross  string
	Fill, Double, Arrow, Fired    string
	Open, Hatch, Dots, Stair, Sel string
	Part                          string // not all of it
	To                            string // from one result to the next
	// An object of the store that is missing, deleted, of nobody.
	Missing, Deleted, Orphan string
	UpDown                   string // the keys that choose a row
}

// Unicode are the signs of a terminal that shows them, each one cell wide.
var Unicode = Signs{
	Fates: [6]string{"·", "●", "○", "✗", "◇", "?"},
	Rise:  "▲", Line: "─", Bar: "│", Tick: "┼", Cross: "┤",
	Fill: "█", Double: "═", Arrow: "▶", Fired: "✓",
	Open: "…", Hatch: "░", Part: "▒", Dots: "·", Stair: "─", Sel: "▸", To: "→",
	Missing: "!", Deleted: "-", Orphan: "?", UpDown: "↑↓",
}

// ASCII are signs for terminals on which others are wide or missing.
var ASCII = Signs{
	Fates: [6]string{".", "*", "o", "x", "#", "?"},
	Rise:  "^", Line: "-", Bar: "|", Tick: "+", Cross: "+",
	Fill: "#", Double: "=", Arrow: ">", Fired: "+",
	Open: "..", Hatch: ":", Part: "%", Dots: ".", Stair: "-", Sel: ">", To: "->",
	Missing: "!", Deleted: "-", Orphan: "?", UpDown: "Up/Dn",
}

type cell struct {
	text  string // "" behind a wide character
	class Class
}

// A canvas is a grid of cells.
type canvas struct {
	w, h  int
	cells []cell
}

func newCanvas(w, h int) *canvas {
	c := &canvas{w: max(w, 0), h: max(h, 0)}
	c.cells = make([]cell, c.w*c.h)
	for i := range c.cells {
		c.cells[i].text = " "
	}
	return c
}

// oneCell says that a text is one sign of one cell, as most of a picture is:
// ten thousand records need no look at grapheme clusters.
func oneCell(text string) bool {
	if len(text) == 1 {
		return text[0] >= ' ' && text[0] < 0x7f
	}
	r, n := utf8.DecodeRuneInString(text)
	// Box drawing, blocks, geometric shapes up to the wide ones of emoji.
	return n == len(text) && (r == '·' || r >= 0x2500 && r < 0x25E0)
}

// put writes text from a cell on and returns the cell behind it. What does not
// fit is cut at a whole character.
func (c *canvas) put(x, y int, class Class, text string) int {
	if y < 0 || y >= c.h {
		return x
	}
	if oneCell(text) {
		if x < 0 || x >= c.w {
			return x
		}
		c.cells[y*c.w+x] = cell{text, class}
		return x + 1
	}
	g := uniseg.NewGraphemes(text)
	for g.Next() {
		s := g.Str()
		w := lipgloss.Width(s)
		if w == 0 {
			continue
		}
		if x < 0 || x+w > c.w {
			return x
		}
		c.cells[y*c.w+x] = cell{s, class}
		for i := 1; i < w; i++ {
			c.cells[y*c.w+x+i] = cell{"", class}
		}
		x += w
	}
	return x
}

// at is what a cell shows; empty: it is not on the canvas.
func (c *canvas) at(x, y int) string {
	if x < 0 || x >= c.w || y < 0 || y >= c.h {
		return ""
	}
	return c.cells[y*c.w+x].text
}

// lines returns the rows, without blanks at their ends.
func (c *canvas) lines(style Style) []string {
	out := make([]string, c.h)
	for y := range c.h {
		row := c.cells[y*c.w : (y+1)*c.w]
		end := len(row)
		for end > 0 && row[end-1].text == " " && row[end-1].class != Selected {
			end--
		}
		var b, run strings.Builder
		class := Plain
		flush := func() {
			if run.Len() > 0 {
				b.WriteString(style(class, run.String()))
				run.Reset()
			}
		}
		for _, x := range row[:end] {
			if x.class != class {
				flush()
				class = x.class
			}
			run.WriteString(x.text)
		}
		flush()
		out[y] = b.String()
	}
	return out
}

// Fit cuts a text to a width, with a sign that says so.
func Fit(s string, width int, signs Signs) string {
	if lipgloss.Width(s) <= width {
		return s
	}
	c := newCanvas(max(width-lipgloss.Width(signs.Open), 0), 1)
	c.put(0, 0, Plain, s)
	return c.lines(Unstyled)[0] + signs.Open
}
