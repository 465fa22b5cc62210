package narrate

import (
	"strconv"

	"streaminglab/internal/locale"
	"streaminglab/sim/verdict"
)

// looks are how many things a card says to look at first.
const looks = 3

// RunbookKinds are the kinds of verdicts that a card is asked for: one, or all
// that a run shows.
func RunbookKinds(r Run, kind string) []string {
	if kind != "" {
		return []string{kind}
	}
	shown := map[string]bool{}
	for _, v := range verdict.Of(r.Trace) {
		shown[v.Kind] = true
	}
	var out []string
	for _, k := range verdict.Kinds {
		if shown[k] {
			out = append(out, k)
		}
	}
	return out
}

// Runbook is the card of a kind of verdict: what shows it, where to look first,
// what is safe to do and what never to do. Without a kind there are the cards of
// what the run shows; a run that shows nothing gets the list of all kinds.
func Runbook(loc *locale.Localizer, r Run, kind string, width int) []string {
	h := &helper{loc: loc, width: width}
	kinds := RunbookKinds(r, kind)
	if len(kinds) == 0 {
		h.put("", loc.Text("runbook.none", nil))
		column := 0
		for _, k := range verdict.Kinds {
			column = max(column, len(k)+1)
		}
		for _, k := range verdict.Kinds {
			h.entry(k, loc.Text("runbook."+k, nil), column)
		}
		return h.lines
	}
	for i, k := range kinds {
		if i > 0 {
			h.lines = append(h.lines, "")
		}
		h.card(k)
	}
	return h.lines
}

func (h *helper) card(kind string) {
	id := "runbook." + kind
	h.put("", h.loc.Text("runbook.title", locale.Args{"Kind": kind, "Title": h.loc.Text(id, nil)}))
	part := func(name string) {
		h.put("  ", h.loc.Text("runbook.part."+name, locale.Args{"Text": h.loc.Text(id+"."+name, nil)}))
	}
	part("symptom")
	h.put("  ", h.loc.Text("runbook.part.look", nil))
	for i := range looks {
		n := strconv.Itoa(i + 1)
		h.lines = append(h.lines, hang("    "+n+". ", "       ", h.loc.Text(id+".look-"+n, nil), h.width)...)
	}
	part("do")
	part("never")
}
