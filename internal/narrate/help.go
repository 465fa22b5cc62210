package narrate

import (
	"slices"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// Help explains a verb: its form, a sentence, and what it can name. Without a
// name it lists the verbs that are alive. Lines are at most width wide.
func Help(loc *locale.Localizer, verb string, width int) []string {
	h := &helper{loc: loc, width: width}
	if verb == "" {
		h.all()
		return h.lines
	}
	v := script.Find(verb)
	if lines := Rule(loc, strings.ToUpper(verb)); v == nil && lines != nil {
		for _, l := range lines {
			h.put("", l)
		}
		return h.lines
	}
	if v == nil {
		var known []string
		for _, v := range script.Verbs() {
			if v.Chapter == "" {
				known = append(known, v.Name)
			}
		}
		h.put("", Problem(loc, sim.NewProblem("script.unknown-verb", "Verb", verb, "Nearest", world.Nearest(verb, known))))
		return h.lines
	}
	if v.Chapter != "" {
		h.put("", Problem(loc, sim.NewProblem("script.later", "Verb", v.Name, "Chapter", v.Chapter)))
		return h.lines
	}
	h.put("", v.Usage)
	h.put("  ", Verb(loc, v.Name))
	if id := "verb." + v.Name + ".more"; loc.Has(id) {
		h.put("  ", loc.Text(id, nil))
	}
	switch verb {
	case "fault", "crash":
		h.put("", loc.Text("help.fault-points", nil))
		for _, p := range sim.FaultPoints() {
			if verb == "fault" || p.Kinds[0] == sim.FaultCrash {
				h.entry(p.Name, FaultPoint(loc, p.Name)+" ("+strings.Join(p.Kinds, ", ")+")", 25)
			}
		}
	case "show":
		h.put("", loc.Text("help.views", nil))
		for _, name := range script.Views {
			h.entry(name, View(loc, name), 13)
		}
	case "expect", "predict", "run":
		h.expressions()
	}
	return h.lines
}

type helper struct {
	loc   *locale.Localizer
	width int
	lines []string
}

func (h *helper) put(in, text string) {
	h.lines = append(h.lines, hang(in, in+"  ", text, h.width)...)
}

// entry is a name with what it is, in two columns, or below it where a column
// would be narrow.
func (h *helper) entry(name, text string, column int) {
	if column > h.width/3 {
		h.lines = append(h.lines, "  "+name)
		h.lines = append(h.lines, hang("    ", "    ", text, h.width)...)
		return
	}
	in := strings.Repeat(" ", column+2)
	h.lines = append(h.lines, hang("  "+pad(name, column, false), in, text, h.width)...)
}

// Expressions says what an expression may name.
func Expressions(loc *locale.Localizer, width int) []string {
	h := &helper{loc: loc, width: width}
	h.expressions()
	return h.lines
}

func (h *helper) expressions() {
	for _, l := range strings.Split(h.loc.Text("help.expressions", nil), "\n") {
		h.put("", l)
	}
	h.put("", h.loc.Text("help.metrics", nil))
	for _, m := range fold.Metrics {
		if !slices.Contains(fold.JobMetrics, m) {
			h.entry(m, Metric(h.loc, m), 26)
		}
	}
	h.put("", h.loc.Text("help.metrics.job", locale.Args{"Names": strings.Join(fold.JobMetrics, ", ")}))
}

// all lists the verbs by class.
func (h *helper) all() {
	for _, class := range []script.Class{script.World, script.Question, script.Session} {
		switch class {
		case script.World:
			h.put("", h.loc.Text("help.class.world", nil))
		case script.Question:
			h.put("", h.loc.Text("help.class.question", nil))
		case script.Session:
			h.put("", h.loc.Text("help.class.session", nil))
		}
		for _, v := range script.Verbs() {
			if v.Class == class && v.Chapter == "" {
				h.entry(v.Name, Verb(h.loc, v.Name), 14)
			}
		}
	}
	h.put("", h.loc.Text("help.more", nil))
}

// Verb is a sentence about a verb of the language.
func Verb(loc *locale.Localizer, name string) string { return named(loc, "verb", name) }

// FaultPoint says where a fault point is.
func FaultPoint(loc *locale.Localizer, name string) string { return named(loc, "fault", name) }

// Chapter is the title of a chapter.
func Chapter(loc *locale.Localizer, name string) string { return named(loc, "chapter", name) }

// Metric is a sentence about a metric of Flink.
func Metric(loc *locale.Localizer, name string) string { return named(loc, "metric", name) }

// View is the title of a view of show.
func View(loc *locale.Localizer, name string) string { return named(loc, "view", name) }

// named is the message of a name, or the name when it has none.
func named(loc *locale.Localizer, kind, name string) string {
	if id := kind + "." + name; loc.Has(id) {
		return loc.Text(id, nil)
	}
	return name
}

// Judged says how a question ended: verb is expect or predict, expr its
// expression.
func Judged(loc *locale.Localizer, verb, expr string, held bool) string {
	args := locale.Args{"Expression": expr}
	switch {
	case verb == "predict" && held:
		return loc.Text("help.predict.held", args)
	case verb == "predict":
		return loc.Text("help.predict.failed", args)
	case held:
		return loc.Text("help.expect.held", args)
	}
	return loc.Text("help.expect.failed", args)
}
