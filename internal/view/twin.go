package view

import (
	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// plainWidth is how wide a picture is that no screen limits.
const plainWidth = 80

// EventTime says that a trace is worth a picture of event time: it has windows,
// or nothing else to look at.
func EventTime(t *sim.Trace) bool {
	c := Contents(t)
	return c.Windows || !c.Snapshots && (c.Splits || !c.Topics)
}

// Twin is what the pictures of checkpoints say, for a terminal without a
// screen: the matrix and the history as they are drawn, and a sentence for each
// snapshot and for each file that is missing or of nobody; then what is in the
// channels, the attempts of the job, and what stands in topics and what holds it
// back. now is the virtual time where it went on behind the last step.
func Twin(loc *locale.Localizer, t *sim.Trace, now int64, signs Signs) []string {
	out := twinOfSnapshots(loc, t, signs)
	p := Picture{Loc: loc, Width: plainWidth, Signs: signs, Now: now}
	part := func(title string, lines []string) {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, loc.Text(title, nil))
		for _, l := range lines {
			for i, part := range markdown.Wrap(l, plainWidth-4) {
				indent := "  "
				if i > 0 {
					indent = "    "
				}
				out = append(out, indent+part)
			}
		}
	}
	c := Contents(t)
	if c.Channels {
		part("scene.barriers.title", BuildBarriers(t).Sentences(p))
	}
	if c.Attempts {
		part("scene.recovery.title", BuildRecovery(t).Sentences(p))
	}
	if c.Topics || c.Transactions {
		b := BuildBroker(t)
		if lines := b.LogSentences(p); len(lines) > 0 {
			part("scene.log.title", lines)
		}
		if c.Transactions {
			part("scene.transactions.title", b.TransactionSentences(p))
		}
		if c.Phases {
			part("scene.phases.title", BuildPhases(t).Sentences(p))
		}
		if c.Delays {
			part("scene.latency.title", BuildLatency(t).Sentences(p))
		}
	}
	return out
}

func twinOfSnapshots(loc *locale.Localizer, t *sim.Trace, signs Signs) []string {
	s := BuildSnapshots(t)
	if len(s.Store.Snapshots) == 0 {
		return nil
	}
	p := Picture{Loc: loc, Width: plainWidth, Signs: signs, Second: true}
	p.Height = len(s.rows()) + 8
	out := whole(s.DrawMatrix(p))
	p.Height = len(s.Store.Snapshots) + 4
	out = append(append(out, ""), whole(s.DrawTimeline(p))...)
	out = append(out, "")
	for _, x := range s.Store.Snapshots {
		for _, l := range s.aboutSnapshot(&p, x) {
			out = append(out, l.text)
		}
	}
	for _, r := range s.rows() {
		for _, o := range r.objects {
			if !o.Exists && len(s.Store.Users(o)) > 0 || s.Store.StandingOf(o) == fold.Orphan {
				for _, l := range s.aboutObject(&p, o) {
					out = append(out, l.text)
				}
			}
		}
	}
	p.Height = 8
	return append(append(out, ""), whole(DrawCosts(p, []Cost{s.Cost("")}))...)
}

// whole is a picture without the empty lines at its end.
func whole(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
