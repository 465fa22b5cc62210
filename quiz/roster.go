package quiz

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
)

// Roster is the list of learners who should hand something in.
type Roster []Learner

// ReadRoster reads a CSV whose first line names its columns: id is needed,
// name may be there, others are passed over. The separator is a comma or, if
// the first line has one and no comma, a semicolon. Errors are [Problems].
func ReadRoster(file string, r io.Reader) (Roster, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxFileSize+1))
	if err != nil {
		return nil, Problems{unreadable(Pos{File: file}, err)}
	}
	if len(data) > MaxFileSize {
		return nil, Problems{problem(errFileSize, Pos{File: file}, "Max", MaxFileSize)}
	}
	text := strings.TrimPrefix(string(data), "\uFEFF")
	first, _, _ := strings.Cut(text, "\n")
	c := csv.NewReader(strings.NewReader(text))
	c.FieldsPerRecord = -1
	c.TrimLeadingSpace = true
	if strings.Contains(first, ";") && !strings.Contains(first, ",") {
		c.Comma = ';'
	}
	var out Roster
	var problems Problems
	idAt, nameAt := -1, -1
	for n := 0; ; n++ {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			pos := Pos{File: file}
			var pe *csv.ParseError
			if errors.As(err, &pe) {
				pos.Line, pos.Col = pe.Line, pe.Column
				err = pe.Err
			}
			if errors.Is(err, csv.ErrQuote) || errors.Is(err, csv.ErrBareQuote) {
				return nil, Problems{problem(errRosterQuote, pos)}
			}
			return nil, Problems{problem(errSyntax, pos, "Detail", err.Error())}
		}
		line, _ := c.FieldPos(0)
		pos := Pos{File: file, Line: line}
		if n == 0 {
			for i, title := range record {
				switch strings.ToLower(strings.TrimSpace(title)) {
				case "id":
					idAt = i
				case "name":
					nameAt = i
				}
			}
			if idAt < 0 {
				return nil, Problems{problem(errRosterHeader, pos)}
			}
			continue
		}
		cell := func(i int) string {
			if i < 0 || i >= len(record) {
				return ""
			}
			return record[i]
		}
		l, err := NewLearner(cell(idAt), cell(nameAt))
		switch {
		case err != nil || l.ID == "":
			problems = append(problems, problem(errBadID, pos, "Key", "id", "Value", cell(idAt)))
		case slices.ContainsFunc(out, func(o Learner) bool { return o.ID == l.ID }):
			problems = append(problems, problem(errDuplicateID, pos, "Key", "id", "Value", l.ID))
		default:
			out = append(out, l)
		}
	}
	if idAt < 0 {
		return nil, Problems{problem(errRosterHeader, Pos{File: file, Line: 1})}
	}
	return out, problems.orNil()
}

func (r Roster) find(id string) *Learner {
	for i := range r {
		if r[i].ID == id {
			return &r[i]
		}
	}
	return nil
}
