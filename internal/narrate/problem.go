package narrate

import (
	"errors"
	"reflect"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
)

// Problem words an error of the user: place, what was wrong, what to do. Several
// errors of one script are several lines. An error that is none of the user's
// is shown in its own words.
func Problem(loc *locale.Localizer, err error) string {
	if list := several(err); list != nil {
		lines := make([]string, len(list))
		for i, e := range list {
			lines[i] = Problem(loc, e)
		}
		return strings.Join(lines, "\n")
	}
	var fork *session.NeedsFork
	if errors.As(err, &fork) {
		return loc.Text("session.needs-fork", nil)
	}
	p, ok := find(err)
	if !ok {
		return err.Error()
	}
	return p.placed(loc, p.words(loc))
}

// several are the errors that an error is a list of, or nil.
func several(err error) []error {
	var list script.Errors
	if errors.As(err, &list) {
		out := make([]error, len(list))
		for i, e := range list {
			out[i] = e
		}
		return out
	}
	// quiz.Problems is a list of values; packages to the left have such lists too.
	v := reflect.ValueOf(err)
	if v.Kind() != reflect.Slice {
		return nil
	}
	var out []error
	for i := range v.Len() {
		if e, ok := v.Index(i).Interface().(error); ok {
			out = append(out, e)
		}
	}
	return out
}

// problem is what all problems of the program have in common.
type problem struct {
	id        string
	args      map[string]any
	file      string
	line, col int
	cause     error // what the error wraps
}

// find looks along the chain of an error for a message and for a place. The
// types are many (of the simulator, of quizzes, of lessons, of progress), some
// in packages that this one must not import; what they share are the names of
// their fields.
func find(err error) (p problem, ok bool) {
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.Indirect(reflect.ValueOf(err))
		if v.Kind() != reflect.Struct {
			continue
		}
		p.place(v)
		id, args := field[string](v, "ID"), field[map[string]any](v, "Args")
		if id != "" {
			p.id, p.args, p.cause = id, args, errors.Unwrap(err)
			return p, true
		}
	}
	return p, false
}

// place takes file, line and column, under whichever names they stand; the
// outermost place counts.
func (p *problem) place(v reflect.Value) {
	if p.file != "" {
		return
	}
	if pos := v.FieldByName("Pos"); pos.IsValid() && pos.Kind() == reflect.Struct {
		v = pos
	}
	p.file = field[string](v, "File")
	p.line, p.col = field[int](v, "Line"), field[int](v, "Col")
	if p.col == 0 {
		p.col = field[int](v, "Column")
	}
}

func field[T any](v reflect.Value, name string) (out T) {
	f := v.FieldByName(name)
	if f.IsValid() && f.CanInterface() {
		out, _ = f.Interface().(T)
	}
	return out
}

// placed puts the place in front, as compilers do.
func (p problem) placed(loc *locale.Localizer, text string) string {
	switch {
	case p.file == "":
		return text
	case p.line == 0:
		return loc.Text("problem.file", locale.Args{"File": p.file, "Text": text})
	case p.col == 0:
		return loc.Text("problem.line", locale.Args{"File": p.file, "Line": p.line, "Text": text})
	}
	return loc.Text("problem.place", locale.Args{"File": p.file, "Line": p.line, "Column": p.col, "Text": text})
}

// words is the message, with those arguments worded that are ids themselves.
func (p problem) words(loc *locale.Localizer) string {
	id, args := p.id, locale.Args{}
	for k, v := range p.args {
		args[k] = v
	}
	if c, ok := args["Chapter"].(string); ok {
		args["Chapter"] = Chapter(loc, c)
	}
	if cause, ok := args["Cause"].(error); ok { // what a detail says, in words
		if _, known := find(cause); known || several(cause) != nil {
			args["Detail"] = strings.TrimSuffix(Problem(loc, cause), ".")
		}
		p.cause = cause
	}
	if reason, ok := system(loc, p.cause); ok {
		for _, k := range []string{"Detail", "Error"} {
			if _, has := args[k]; has {
				args[k] = reason
			}
		}
	}
	switch id {
	case "world.bound":
		if b, ok := args["Bound"].(string); ok {
			id += "." + b
		}
	case "expression.not-condition", "expression.predicate", "expression.takes-list", "expression.argument", "expression.operator":
		for _, k := range []string{"Type", "Left", "Right"} {
			if t, ok := args[k].(string); ok && t != "" {
				args[k] = loc.Text("expression.type."+t, nil)
			}
		}
	case "cli.missing-argument": // as the help calls it
		if names, ok := args["Argument"].(string); ok {
			words := strings.Split(names, "|")
			for i, w := range words {
				if id := "cli.argument." + strings.ToLower(w); loc.Has(id) {
					words[i] = loc.Text(id, nil)
				}
			}
			args["Argument"] = strings.Join(words, "|")
		}
	case "job.refused":
		if args["Class"] == "" {
			id += ".bare"
		}
	}
	if !loc.Has(id) {
		return (&sim.Problem{ID: p.id, Args: p.args}).Error()
	}
	return loc.Text(id, args)
}
