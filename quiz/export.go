package quiz

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Wording turns a reason into a sentence. With nil the exports hold message
// ids with their arguments, which is what a program wants.
type Wording func(Problem) string

func (w Wording) of(p *Problem) string {
	switch {
	case p == nil:
		return ""
	case w != nil:
		return Visible(w(*p))
	}
	return Visible(Problem{ID: p.ID, Args: withoutCause(p.Args)}.Error())
}

func withoutCause(args map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range args {
		if k != "Cause" { // an error value; Detail says the same
			out[k] = v
		}
	}
	return out
}

// WriteGradebook writes one CSV line for each row, with the points of every
// item as its last columns: the plain flavour (comma, decimal point, no byte
// order mark). Control characters of learners are shown, not passed on.
func (r *Report) WriteGradebook(w io.Writer, wording Wording) error {
	c := csv.NewWriter(w)
	head := []string{"file", "status", "reason", "quiz", "learner_id", "learner_name", "mode", "lang", "seed", "engine", "reworded",
		"started", "finished", "overtime", "answered", "points", "max", "percent", "passed"}
	write := func(cells []string) { _ = c.Write(cells) } // the error is kept and given by Error
	write(append(head, r.Items...))
	for _, row := range r.Rows {
		cells := []string{Visible(row.File), string(row.Status), wording.of(row.Reason), row.Quiz, Visible(row.Learner.ID), Visible(row.Learner.Name)}
		if row.Lang == "" { // nothing could be read
			cells = append(cells, make([]string, 8)...)
		} else {
			cells = append(cells, string(row.Mode), string(row.Lang), strconv.FormatUint(row.Seed, 10), Visible(row.Engine), yes(row.Reworded),
				timeText(row.Started), timeText(row.Finished), yes(row.Overtime))
		}
		points := map[string]string{}
		if row.Scored {
			cells = append(cells, strconv.Itoa(row.Answered), row.Points.String(), row.Max.String(), row.Percent.Decimal(2), yes(row.Passed))
			for _, it := range row.Items {
				points[it.Item] = it.Points.String()
			}
		} else {
			cells = append(cells, make([]string, 5)...)
		}
		for _, id := range r.Items {
			cells = append(cells, points[id])
		}
		write(cells)
	}
	c.Flush()
	return c.Error()
}

// WriteLong writes one CSV line for each item of each scored row.
func (r *Report) WriteLong(w io.Writer, wording Wording) error {
	c := csv.NewWriter(w)
	write := func(cells ...string) { _ = c.Write(cells) }
	write("file", "quiz", "learner_id", "seed", "item", "kind", "verdict", "points", "max", "tries", "hints", "confidence", "misconceptions", "raw", "reason")
	for _, row := range r.Rows {
		for _, it := range row.Items {
			write(Visible(row.File), row.Quiz, Visible(row.Learner.ID), strconv.FormatUint(row.Seed, 10), it.Item, string(it.Kind), string(it.Verdict),
				it.Points.String(), it.Max.String(), strconv.Itoa(it.Tries), strconv.Itoa(it.Hints), strconv.Itoa(it.Confidence),
				strings.Join(it.Misconceptions, " "), VisibleLines(it.Raw), wording.of(it.Reason))
		}
	}
	c.Flush()
	return c.Error()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

type jsonReport struct {
	Schema   int          `json:"schema"`
	Engine   string       `json:"engine"`
	Problems []jsonReason `json:"problems"`
	Rows     []jsonRow    `json:"rows"`
}

type jsonReason struct {
	ID   string         `json:"id"`
	At   string         `json:"at,omitempty"`
	Text string         `json:"text,omitempty"`
	Args map[string]any `json:"args,omitempty"` // encoding/json sorts the keys
}

type jsonRow struct {
	File     string       `json:"file"`
	Status   Status       `json:"status"`
	Reason   *jsonReason  `json:"reason,omitempty"`
	Quiz     string       `json:"quiz,omitempty"`
	Learner  *jsonLearner `json:"learner,omitempty"`
	Mode     Mode         `json:"mode,omitempty"`
	Lang     Lang         `json:"lang,omitempty"`
	Seed     *uint64      `json:"seed,omitempty"`
	Engine   string       `json:"engine,omitempty"`
	Reworded bool         `json:"reworded"`
	Started  string       `json:"started,omitempty"`
	Finished string       `json:"finished,omitempty"`
	Overtime bool         `json:"overtime"`
	Score    *jsonScore   `json:"score,omitempty"`
	Items    []jsonItem   `json:"items,omitempty"`
}

type jsonLearner struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type jsonScore struct {
	Answered int   `json:"answered"`
	Points   Score `json:"points"`
	Max      Score `json:"max"`
	Percent  Score `json:"percent"`
	Passed   bool  `json:"passed"`
}

type jsonItem struct {
	Item           string      `json:"item"`
	Kind           Kind        `json:"kind"`
	Verdict        Verdict     `json:"verdict"`
	Points         Score       `json:"points"`
	Max            Score       `json:"max"`
	Tries          int         `json:"tries"`
	Hints          int         `json:"hints"`
	Confidence     int         `json:"confidence"`
	Raw            string      `json:"raw"`
	Misconceptions []string    `json:"misconceptions,omitempty"`
	Accents        bool        `json:"accents,omitempty"`
	Reason         *jsonReason `json:"reason,omitempty"`
}

// WriteJSON writes the report as one JSON object, schema 1, indented. Raw
// answers are as typed; what would be harmful to a terminal is written as \u
// escapes, which a reader of JSON undoes.
func (r *Report) WriteJSON(w io.Writer, wording Wording) error {
	reason := func(p *Problem) *jsonReason {
		if p == nil {
			return nil
		}
		out := &jsonReason{ID: p.ID, At: p.Pos.String(), Args: withoutCause(p.Args)}
		if wording != nil {
			out.Text = wording(*p)
		}
		return out
	}
	out := jsonReport{Schema: 1, Engine: r.Engine, Problems: []jsonReason{}, Rows: []jsonRow{}}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, *reason(&p))
	}
	for _, row := range r.Rows {
		j := jsonRow{File: row.File, Status: row.Status, Reason: reason(row.Reason), Quiz: row.Quiz, Mode: row.Mode, Lang: row.Lang,
			Engine: row.Engine, Reworded: row.Reworded, Started: timeText(row.Started), Finished: timeText(row.Finished), Overtime: row.Overtime}
		if row.Lang != "" || row.Status == Missing {
			j.Learner = &jsonLearner{row.Learner.ID, row.Learner.Name}
		}
		if row.Lang != "" {
			j.Seed = &row.Seed
		}
		if row.Scored {
			j.Score = &jsonScore{row.Answered, row.Points, row.Max, row.Percent, row.Passed}
		}
		for _, it := range row.Items {
			j.Items = append(j.Items, jsonItem{it.Item, it.Kind, it.Verdict, it.Points, it.Max, it.Tries, it.Hints, it.Confidence,
				it.Raw, it.Misconceptions, it.Accents, reason(it.Reason)})
		}
		out.Rows = append(out.Rows, j)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return err
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// escapeHidden escapes what encoding/json lets through and a terminal or an
// eye might obey: DEL, C1, directions. Outside strings there is none of it.
func escapeHidden(text []byte) []byte {
	var b bytes.Buffer
	for _, r := range string(text) {
		switch {
		case r > 0xFFFF && hidden(r):
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		case r >= 0x7f && r < 0xa0 || hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.Bytes()
}
