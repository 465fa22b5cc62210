package markdown

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a block.
type Kind int

const (
	Heading Kind = iota
	Prose        // a paragraph, a list, a quotation, a rule
	Table
	Code
	Live // something that the front end brings to life: see Block.Live
)

func (k Kind) String() string {
	return [...]string{"heading", "prose", "table", "code", "live"}[k]
}

// Kinds of live blocks, as they are written after the fence.
const (
	Sim  = "sim"
	Item = "item"
	Poll = "poll"
)

// Block is one block of the top level of a document.
type Block struct {
	Kind      Kind
	Line, End int    // source lines, from 1, both included
	Level     int    // of a heading
	Text      string // plain text of a heading or of prose
	Lang      string // of code
	Code      string // of code
	Live, ID  string // of a live block: Sim, Item or Poll, and the id
}

// Document is a lesson that has been read. It does not change and may be
// shared.
type Document struct {
	File   string
	Title  string
	Blocks []Block

	src   []byte // made harmless, same offsets as the original
	raw   []byte // as read
	lines []int  // offset of each line
}

// Entry is a line of the table of contents.
type Entry struct {
	Level int
	Text  string
	Block int // index in Document.Blocks
	Line  int
}

// Contents lists the headings.
func (d *Document) Contents() []Entry {
	var out []Entry
	for i, b := range d.Blocks {
		if b.Kind == Heading {
			out = append(out, Entry{b.Level, b.Text, i, b.Line})
		}
	}
	return out
}

// Lives lists the live blocks.
func (d *Document) Lives() []Block {
	var out []Block
	for _, b := range d.Blocks {
		if b.Kind == Live {
			out = append(out, b)
		}
	}
	return out
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// place turns an offset into line and column, both from 1; columns count
// characters, because that is what editors show.
func (d *Document) place(offset int) (line, col int) {
	if offset < 0 {
		offset = 0
	}
	if offset > len(d.src) {
		offset = len(d.src)
	}
	line = sort.SearchInts(d.lines, offset+1)
	return line, utf8.RuneCount(d.src[d.lines[line-1]:offset]) + 1
}

func (d *Document) problem(offset int, id string, args map[string]any) Problem {
	line, col := d.place(offset)
	return Problem{File: d.File, Line: line, Col: col, ID: id, Args: args}
}

// firstLine gives a short quotation for a message.
func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}
