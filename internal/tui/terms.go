package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	xansi "github.com/charmbracelet/x/ansi"

	"streaminglab/internal/glossary"
	"streaminglab/internal/markdown"
	"streaminglab/internal/view"
)

// terms walks the words of the glossary that a page says: each term once, in
// the order in which they are read. It is closed when nothing is chosen.
type terms struct {
	found []termAt
	at    int
	open  bool
}

// termAt is a term and the pieces of lines that say it: a term may go on in
// the next line.
type termAt struct {
	term   *glossary.Term
	pieces []piece
}

// piece is a run of cells of a line.
type piece struct{ line, from, to int }

// asked are the words of this program that a newcomer may ask about. Its other
// ones (question, answer, points) say what they are.
var asked = map[string]bool{"step": true, "trace": true, "bench": true, "transcript": true, "fork": true}

// findTerms looks for the terms in lines from..to. Code is no prose.
func findTerms(lang string, lines []markdown.Line, from, to int) []termAt {
	g, err := glossary.Embedded()
	if err != nil {
		return nil
	}
	// One text of the whole page, and where each of its lines begins.
	var text strings.Builder
	starts := make([]int, 0, max(to-from, 0))
	for i := from; i < to; i++ {
		starts = append(starts, text.Len())
		if l := plainText(lines[i].Text); !lines[i].Code && strings.TrimSpace(l) != "" {
			text.WriteString(l)
		} else {
			text.WriteString(".") // nothing goes on over an empty line or over code
		}
		text.WriteString("\n")
	}
	page := text.String()
	var out []termAt
	known := map[string]int{}
	for _, p := range g.Occurrences(lang, page) {
		if p.Term.Area == "course" && !asked[p.Term.ID] {
			continue
		}
		k, ok := known[p.Term.ID]
		if !ok {
			k = len(out)
			known[p.Term.ID] = k
			out = append(out, termAt{term: p.Term})
		}
		for i, begin := range starts {
			end := len(page)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			// Indentation and line end are not part of the word.
			a, b := max(p.Start, begin), min(p.End, end-1)
			for a < b && page[a] == ' ' {
				a++
			}
			if a < b {
				out[k].pieces = append(out[k].pieces, piece{from + i, lipgloss.Width(page[begin:a]), lipgloss.Width(page[begin:b])})
			}
		}
	}
	return out
}

// run is a run of cells of a line that gets another look.
type run struct {
	from, to int
	look     func(string) string
}

// repaint gives runs of a line another look; what is between keeps its own.
// They come in the order of the line.
func repaint(line string, runs []run) string {
	w, at := lipgloss.Width(line), 0
	var b strings.Builder
	for _, r := range runs {
		if r.from < at || r.from >= r.to || r.to > w {
			continue
		}
		b.WriteString(xansi.Cut(line, at, r.from))
		b.WriteString(r.look(strip(xansi.Cut(line, r.from, r.to))))
		at = r.to
	}
	if at == 0 {
		return line
	}
	return b.String() + xansi.TruncateLeft(line, at, "")
}

// walk chooses another term of the page; behind the last one is the first.
func (t *terms) walk(by int) {
	if n := len(t.found); n > 0 {
		t.at = (t.at + by + n) % n
	}
}

// paint marks the terms of line i: those that can be chosen are underlined, the
// chosen one is reversed too.
func (t *terms) paint(i int, text string) string {
	if !t.open {
		return text
	}
	var runs []run
	for k, x := range t.found {
		look := underlined
		if k == t.at {
			look = chosen
		}
		for _, p := range x.pieces {
			if p.line == i {
				runs = append(runs, run{p.from, p.to, look})
			}
		}
	}
	slices.SortFunc(runs, func(a, b run) int { return a.from - b.from })
	return repaint(text, runs)
}

// What stood before keeps no look of its own: both begin anew.
func underlined(s string) string { return "\x1b[m\x1b[4m" + s + "\x1b[m" }

func chosen(s string) string { return "\x1b[m\x1b[4;7m" + s + "\x1b[m" }

// panel is the definition of the chosen term.
func (t *terms) panel(m *Model, w int) []string {
	if !t.open || len(t.found) == 0 {
		return nil
	}
	x := t.found[t.at].term
	lang := string(m.env.Loc.Lang())
	name := x.Main(lang)
	if en := x.EN[0]; !strings.EqualFold(en, name) {
		name += " (" + en + ")"
	}
	out := []string{m.style(view.Faint, strings.Repeat(m.signs.Line, max(w, 1)))}
	for i, l := range markdown.Wrap(name, w) {
		l = m.style(view.Strong, l)
		if n := fmt.Sprintf("%d/%d", t.at+1, len(t.found)); i == 0 && lipgloss.Width(l)+len(n) < w {
			l += strings.Repeat(" ", w-lipgloss.Width(l)-len(n)) + m.style(view.Faint, n)
		}
		out = append(out, l)
	}
	return append(out, m.questions(w).Render(x.Define[lang])...)
}
