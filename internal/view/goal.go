package view

import (
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/sim/session"
)

// Goal is the goal of an experiment and, where it joins several conditions,
// which of them a run fulfils: in the sentences that its author gave, else as
// they are written. Who asks what is missing reads the conditions; the goal
// alone says nothing about them. Where the goal is in sight, whole, it is not
// said twice.
func (q *Questions) Goal(t session.Texts, r *session.Run, signs Signs, inSight bool) []string {
	if t.Goal == "" {
		return q.Render(q.text("plain.sim.goal-none", nil))
	}
	out := q.Render(q.text("plain.sim.goal", locale.Args{"Goal": t.Goal}))
	names, parts := r.GoalParts()
	if len(parts) == 0 {
		return out
	}
	if out = append(out, ""); inSight {
		out = nil
	}
	said := len(t.Parts) == len(parts)
	held := 0
	for _, p := range parts {
		if p.Held {
			held++
		}
	}
	head := q.text("plain.sim.goal-parts", locale.Args{"Held": held, "Parts": len(parts), "Yes": signs.Fired, "No": signs.Dots, "Said": said})
	out = append(out, q.Render(head)...)
	entry := func(lead string, text []string) {
		for i, l := range text {
			if i > 0 {
				lead = strings.Repeat(" ", markdown.Width(lead))
			}
			out = append(out, lead+l)
		}
	}
	inner := *q
	inner.Options.Width = max(q.Options.Width-4, markdown.MinWidth)
	for i, p := range parts {
		sign := signs.Dots
		if p.Held {
			sign = signs.Fired
		}
		text := markdown.Wrap(p.Text, inner.Options.Width)
		if said {
			text = inner.Render(t.Parts[i])
		}
		entry("  "+sign+" ", text)
	}
	if said {
		return out
	}
	for _, n := range names {
		entry("    ", markdown.Wrap(q.text("plain.sim.goal-name", locale.Args{"Name": n}), inner.Options.Width))
	}
	return out
}
