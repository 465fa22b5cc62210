package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// An Input is a stream of recordings, plain or compressed.
type Input struct {
	// Name is how the report names it.
	Name   string
	Reader io.Reader
}

// A Tally counts the cases of a kind.
type Tally struct {
	Kind  string `json:"kind"`
	Equal int    `json:"equal"`
	Total int    `json:"total"`
	// Known is false for a kind that cannot be replayed; none of its cases is
	// equal.
	Known bool `json:"known"`
}

// A Report says how far recordings and components agree.
type Report struct {
	// Kinds stand in the order in which they first came.
	Kinds []Tally `json:"kinds"`
	Equal int     `json:"equal"`
	Total int     `json:"total"`
	// Differences has one entry for each case that is not equal and whose kind
	// is known.
	Differences []*Difference `json:"differences"`
	// Unreadable are the lines that are no recordings.
	Unreadable []*LineError `json:"unreadable"`
}

// Run replays all recordings of the inputs.
func Run(inputs ...Input) *Report {
	r := &Report{Kinds: []Tally{}, Differences: []*Difference{}, Unreadable: []*LineError{}}
	index := map[string]int{}
	for _, in := range inputs {
		Read(in.Name, in.Reader, func(line int, c *Recording) {
			i, ok := index[c.Kind]
			if !ok {
				i = len(r.Kinds)
				index[c.Kind] = i
				_, known := kinds[c.Kind]
				r.Kinds = append(r.Kinds, Tally{Kind: c.Kind, Known: known})
			}
			tally := &r.Kinds[i]
			tally.Total++
			r.Total++
			d := Replay(c)
			switch {
			case d == nil:
				tally.Equal++
				r.Equal++
			case tally.Known:
				d.File, d.Line = in.Name, line
				r.Differences = append(r.Differences, d)
			}
		}, func(e *LineError) { r.Unreadable = append(r.Unreadable, e) })
	}
	return r
}

// OK says whether there was something to compare and all of it was equal.
func (r *Report) OK() bool {
	return r.Total > 0 && r.Equal == r.Total && len(r.Unreadable) == 0
}

// firstDifferences is how many differences a report shows that is not verbose.
const firstDifferences = 10

// longestValue is how many bytes of a value a report shows that is not
// verbose.
const longestValue = 400

// WriteText writes the report for a person: a line for each kind, then the
// differences; verbose shows all of them, whole.
func (r *Report) WriteText(w io.Writer, verbose bool) error {
	var b bytes.Buffer
	for _, k := range r.Kinds {
		fmt.Fprintf(&b, "%s %d/%d", k.Kind, k.Equal, k.Total)
		if !k.Known {
			b.WriteString(" (unknown kind)")
		}
		b.WriteByte('\n')
	}
	for i, e := range r.Unreadable {
		if i == firstDifferences && !verbose {
			fmt.Fprintf(&b, "… %d more lines that are no recordings\n", len(r.Unreadable)-i)
			break
		}
		fmt.Fprintf(&b, "unreadable %s\n", shown(e.Error()))
	}
	for i, d := range r.Differences {
		if i == firstDifferences && !verbose {
			fmt.Fprintf(&b, "… %d more cases differ\n", len(r.Differences)-i)
			break
		}
		d.writeText(&b, verbose)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (d *Difference) writeText(b *bytes.Buffer, verbose bool) {
	fmt.Fprintf(b, "\n%s %s", d.Kind, shown(d.ID))
	if d.Step >= 0 {
		fmt.Fprintf(b, " step %d", d.Step)
	}
	b.WriteByte('\n')
	line := func(name, value string) {
		if value == "" {
			return
		}
		if !verbose && len(value) > longestValue {
			value = strings.ToValidUTF8(value[:longestValue], "") + "…"
		}
		fmt.Fprintf(b, "  %-8s %s\n", name, shown(value))
	}
	line("in", string(d.In))
	line("expected", string(d.Expected))
	line("got", string(d.Got))
	line("problem", d.Problem)
}

// shown makes control characters of somebody else's file harmless.
func shown(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '\ufffd'
		}
		return r
	}, s)
}

// WriteJSON writes the report as one JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(r)
}
