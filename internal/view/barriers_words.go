package view

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// phaseText is the message of each phase. A source is told of a checkpoint,
// the others see a barrier.
var phaseText = map[fold.Phase]string{
	fold.PhaseNone: "none", fold.PhaseHeld: "held", fold.PhaseAligning: "aligning", fold.PhaseCollecting: "collecting",
	fold.PhaseAsync: "async", fold.PhaseStanding: "standing", fold.PhaseAcknowledged: "acknowledged", fold.PhaseDeclined: "declined",
}

// phaseClass is the look of each phase.
var phaseClass = map[fold.Phase]Class{
	fold.PhaseNone: Faint, fold.PhaseHeld: Warn, fold.PhaseAligning: Warn, fold.PhaseCollecting: Time,
	fold.PhaseAsync: Time, fold.PhaseStanding: Warn, fold.PhaseAcknowledged: Good, fold.PhaseDeclined: Bad,
}

// phase is the message of how a subtask is, and what it counts; empty: there is
// nothing to say.
func (b *Barriers) phase(s *fold.Subtask) (id string, part fold.Part, class Class) {
	x := b.Channels.Shown()
	if x != nil {
		part = s.Part(x.ID)
	}
	pending := x != nil && x.Status == fold.SnapshotPending
	silent := part.Phase == "" || part.Phase == fold.PhaseNone || part.Phase == fold.PhaseHeld
	if s.Head != nil && !s.Failed && !s.Down {
		return "", part, Faint // its task has the state
	}
	switch {
	case s.Failed && s.Down:
		return "failed-down", part, Bad
	case s.Failed:
		return "failed", part, Bad
	case s.Down:
		return "down", part, Warn
	case !b.Channels.Live && silent:
		return "", part, Faint
	case s.Restoring > b.Channels.Now:
		return "restoring", part, Warn
	case silent && s.Ended:
		return "ended", part, Faint
	case silent && (!pending || part.Phase == ""):
		return "", part, Faint
	case pending && part.Phase == fold.PhaseNone && !slices.Contains(x.Missing, s.Name):
		return "finished", part, Faint
	case part.Phase == fold.PhaseNone && len(s.In) == 0:
		return "untold", part, Faint
	}
	return phaseText[part.Phase], part, phaseClass[part.Phase]
}

// state is the state of a subtask in a few cells; what it keeps is counted where
// that has room.
func (b *Barriers) state(p *Picture, s *fold.Subtask, room int) (string, Class) {
	id, part, class := b.phase(s)
	if id == "" {
		return "", class
	}
	text := p.Loc.Text("scene.barriers.state."+id, locale.Args{"N": part.Barriers, "Of": part.Of, "Taken": p.Signs.Fired, "Failed": p.Signs.Fates[Dropped], "Waits": p.Signs.Part})
	if kept := fmt.Sprintf(" %d%s", part.InFlight, p.Signs.Fates[Aside]); part.InFlight > 0 && lipgloss.Width(text+kept) <= room {
		text += kept
	}
	return text, class
}

// over says that the attempt has ended, or that a region waits for its restart;
// empty: all of it runs.
func (b *Barriers) over(p *Picture) string {
	if b.Channels.Live {
		down, all := 0, 0
		for _, v := range b.Channels.Vertices {
			for _, s := range v.Subtasks {
				all++
				if s.Down {
					down++
				}
			}
		}
		if down == 0 {
			return ""
		}
		text := p.Loc.Plural("scene.barriers.down", int64(down), locale.Args{"All": all, "Rest": all > down})
		if lipgloss.Width(text) > p.Width {
			return p.Loc.Plural("scene.barriers.down", int64(down), locale.Args{"All": all, "Rest": false})
		}
		return text
	}
	return p.Loc.Text("scene.barriers.over", locale.Args{"Job": b.Channels.Job, "Attempt": b.Channels.Attempt})
}

// status is how the checkpoint stands that is shown, and who is missing.
func (b *Barriers) status(p *Picture) (string, Class) {
	x := b.Channels.Shown()
	if x == nil {
		return p.Loc.Text("scene.barriers.none", nil), Plain
	}
	args := locale.Args{"Label": x.Label(), "Acks": len(x.Acknowledged), "All": x.All(), "D": x.Duration, "Reason": x.Reason}
	switch {
	case x.Status == fold.SnapshotCompleted:
		return p.Loc.Text("scene.barriers.completed", args), Good
	case x.Status == fold.SnapshotAborted:
		return p.Loc.Text("scene.barriers.aborted", args), Bad
	case x.Finalizing || len(x.Missing) == 0:
		return p.Loc.Text("scene.barriers.finalizing", args), Time
	}
	more := ""
	if n := len(b.Channels.Pending) - 1; n > 0 {
		more = " " + p.Loc.Plural("scene.barriers.more-pending", int64(n), nil)
	}
	// As many names as a line takes, the rest is a number.
	for n := len(x.Missing); ; n-- {
		args["Names"], args["Some"], args["More"] = x.Missing[:n], strings.Join(x.Missing[:n], ", "), len(x.Missing)-n
		text := p.Loc.Plural("scene.barriers.missing", int64(len(x.Missing)), args) + more
		if lipgloss.Width(text) <= p.Width || len(x.Missing) == 1 {
			return text, Warn
		}
		if n == 1 {
			args["More"] = len(x.Missing)
			return p.Loc.Text("scene.barriers.missing-short", args) + more, Warn
		}
	}
}

// waiting counts what is in the channels.
func (b *Barriers) waiting(p *Picture) (string, Class) {
	records, kept, blocked, in := 0, 0, 0, 0
	for _, c := range b.Channels.Channels {
		n := c.Waiting()
		records += n
		if n > 0 {
			in++
		}
		if c.Blocked != 0 {
			blocked++
		}
		for _, x := range c.Items {
			if x.InFlight != 0 {
				kept++
			}
		}
	}
	if records == 0 && blocked == 0 {
		return p.Loc.Text("scene.barriers.quiet", nil), Faint
	}
	var out []string
	if records > 0 {
		out = append(out, p.Loc.Plural("scene.barriers.waiting", int64(records), locale.Args{"Channels": in}))
	}
	if blocked > 0 {
		out = append(out, p.Loc.Plural("scene.barriers.blocked", int64(blocked), nil))
	}
	if kept > 0 {
		out = append(out, p.Loc.Plural("scene.barriers.kept", int64(kept), nil))
	}
	return p.join(out), Plain
}

// join puts parts beside each other, the first ones where not all have room.
func (p *Picture) join(parts []string) string {
	text := ""
	for i, part := range parts {
		if i > 0 {
			part = " " + p.Signs.Dots + " " + part
		}
		if i > 0 && lipgloss.Width(text+part) > p.Width {
			break
		}
		text += part
	}
	return text
}

// legend says what the signs are, those that are in the picture first, and
// among them those that say least by themselves.
func (b *Barriers) legend(p *Picture) []string {
	var records, barriers, blocked, collecting, kept, taken, down bool
	for _, c := range b.Channels.Channels {
		records = records || c.Waiting() > 0
		barriers = barriers || len(c.Barriers()) > 0 || c.Blocked != 0
		blocked = blocked || c.Blocked != 0
		collecting = collecting || c.Collecting != 0
		for _, x := range c.Items {
			kept = kept || x.InFlight != 0 || x.Why == fold.WaitRestored
		}
	}
	for _, v := range b.Channels.Vertices {
		for _, s := range v.Subtasks {
			records, down = records || s.Sent != nil, down || s.Down && !s.Failed
			if s.Down {
				continue
			}
			if x := b.Channels.Shown(); x != nil {
				part := s.Part(x.ID)
				taken, kept = taken || part.Phase.Taken(), kept || part.InFlight > 0
			}
		}
	}
	entry := func(id, sign string) string { return p.entry("scene.barriers.legend", id, sign) }
	entries := []struct {
		text string
		used bool
	}{
		{entry("in-flight", p.Signs.Fates[Aside]), kept},
		{entry("collecting", p.Signs.Double), collecting},
		{entry("blocked", p.Signs.Hatch), blocked},
		{entry("barrier", p.Signs.Bar+"n"+p.Signs.Bar), barriers},
		{entry("record", p.Signs.Fates[OnTime]), records},
		{entry("taken", p.Signs.Fired), taken},
	}
	var used, rest []string
	if down {
		used = append(used, entry("down", p.Signs.Part))
	}
	if len(b.Channels.Chains) > 0 {
		used = append(used, entry("chain", chainSign))
	}
	for _, e := range entries {
		if e.used {
			used = append(used, e.text)
		} else {
			rest = append(rest, e.text)
		}
	}
	most := max(len(pack(used, p.Width, len(used))), 1)
	// Signs that are not there get no line that the channels need.
	if p.Height >= 12 {
		most = max(most, 2)
	}
	return pack(append(used, rest...), p.Width, most)
}

// Sentences say all that the picture shows: the checkpoint, each subtask, and
// each channel in which something is.
func (b *Barriers) Sentences(p Picture) (out []string) {
	if len(b.Channels.Vertices) == 0 {
		return nil
	}
	wide := p
	wide.Width = 1 << 20
	if over := b.over(&wide); over != "" {
		out = append(out, over)
	}
	text, _ := b.status(&wide)
	out = append(out, text)
	for _, names := range b.Channels.Chains {
		out = append(out, p.Loc.Text("scene.barriers.say.chain", locale.Args{"Names": names}))
	}
	for _, v := range b.Channels.Vertices {
		if v.Full {
			out = append(out, p.Loc.Text("scene.barriers.full", locale.Args{"Name": v.Name}))
		}
	}
	out = append(out, b.groups(&p)...)
	for _, v := range b.Channels.Vertices {
		for _, s := range v.Subtasks {
			if s.Sent != nil {
				out = append(out, p.Loc.Text("scene.barriers.say.sent", locale.Args{"Name": s.Name, "Record": position(s.Sent.Record)}))
			}
		}
	}
	empty := 0
	for _, c := range b.Channels.Channels {
		if c.Chained {
			continue
		}
		if quiet(c) {
			empty++
			continue
		}
		out = append(out, p.Loc.Text("scene.barriers.say.channel", locale.Args{
			"From": c.From.Name, "To": c.To.Name, "What": strings.Join(b.inside(&p, c), "; "),
		}))
	}
	if empty > 0 {
		out = append(out, p.Loc.Plural("scene.barriers.say.empty", int64(empty), nil))
	}
	return out
}

// groups say of the subtasks how they are, those that are alike together. What a
// checkpoint that has ended left behind goes without saying.
func (b *Barriers) groups(p *Picture) (out []string) {
	x := b.Channels.Shown()
	over := x == nil || x.Status != fold.SnapshotPending
	var said []string
	names := map[string][]string{}
	for _, v := range b.Channels.Vertices {
		for _, s := range v.Subtasks {
			id, part, _ := b.phase(s)
			if id == "" || s.Head != nil || over && (part.Phase == fold.PhaseAcknowledged || part.Phase == fold.PhaseNone) && part.InFlight == 0 && !s.Failed && !s.Down {
				continue
			}
			text := p.Loc.Text("scene.barriers.say."+id, locale.Args{"N": part.Barriers, "Of": part.Of})
			if part.InFlight > 0 {
				text += "; " + p.Loc.Plural("scene.barriers.say.in-flight", int64(part.InFlight), nil)
			}
			if names[text] == nil {
				said = append(said, text)
			}
			names[text] = append(names[text], s.Name)
		}
	}
	for _, text := range said {
		out = append(out, text+": "+strings.Join(few(names[text]), ", ")+".")
	}
	return out
}

// few are the first names of a list, and how many more there are.
func few(names []string) []string {
	if n := len(names); n > mostNames {
		return append(slices.Clone(names[:mostNames-1]), fmt.Sprintf("+%d", n-mostNames+1))
	}
	return names
}

// mostNames are those of a list that are named; the rest is a number.
const mostNames = 6

// inside says what is in a channel, in the order in which it comes out.
func (b *Barriers) inside(p *Picture, c *fold.Channel) (out []string) {
	if c.Blocked != 0 {
		out = append(out, p.Loc.Text("scene.barriers.say.blocked-by", locale.Args{"Label": b.label(c.Blocked)}))
	}
	if c.Collecting != 0 {
		out = append(out, p.Loc.Text("scene.barriers.say.kept-here", locale.Args{"Label": b.label(c.Collecting)}))
	}
	for i := 0; i < len(c.Items); {
		x := c.Items[i]
		if x.Barrier != 0 {
			out = append(out, p.Loc.Text("scene.barriers.say.barrier", locale.Args{"Label": b.label(x.Barrier)}))
			i++
			continue
		}
		var names []string
		for ; i < len(c.Items) && c.Items[i].Barrier == 0 && c.Items[i].InFlight == x.InFlight && c.Items[i].Why == x.Why; i++ {
			names = append(names, position(c.Items[i].Record))
		}
		n := len(names)
		args := locale.Args{"Names": few(names), "Label": ""}
		if x.InFlight != 0 {
			args["Label"] = b.label(x.InFlight)
		}
		out = append(out, p.Loc.Plural("scene.barriers.say."+x.Why, int64(n), args))
	}
	return out
}

// position is where a record stands: clicks/0@3.
func position(r sim.RecordID) string {
	if r.Split == "" {
		return fmt.Sprintf("%s@%d", r.Source, r.Offset)
	}
	return fmt.Sprintf("%s/%s@%d", r.Source, r.Split, r.Offset)
}
