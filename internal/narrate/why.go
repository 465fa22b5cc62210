package narrate

import (
	"fmt"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/ledger"
)

// Bounds of an explanation: a flush may have hundreds of causes.
const (
	maxCauses = 4
	maxChain  = 40
	maxIndent = 8
)

// Why explains the step seq: the chain of its causes back to the commands, one
// line a step, indented, then the rules that were met. With seq 0 it answers
// "why is nothing coming out?". Lines are at most width wide.
func Why(loc *locale.Localizer, r Run, seq, width int) []string {
	if seq == 0 {
		seq = lastOfClients(r.Trace)
	}
	if seq == 0 {
		return nothing(loc, r, width)
	}
	s := r.Trace.Step(seq)
	if s == nil {
		return wrap(loc.Text("session.no-step", locale.Args{"Step": seq, "Have": r.Trace.Len()}), width)
	}
	c := &chain{loc: loc, trace: r.Trace, width: width, told: map[int]bool{}}
	c.walk(s, 0)
	if remark := remark(loc, r, s); remark != "" {
		c.say(0, remark)
	}
	c.rules()
	return c.lines
}

// lastOfClients is the last step of a run in which clients talk to a broker and
// no job has started: there is no output that could be missing. 0: it is another.
func lastOfClients(t *sim.Trace) (last int) {
	for s := range t.Main() {
		switch s.Body.(type) {
		case sim.JobStarted, sim.JobFailed:
			return 0
		case sim.CommandGiven:
		default:
			last = s.Seq
		}
	}
	return last
}

// chain walks causes, each step once, the nearest first.
type chain struct {
	loc   *locale.Localizer
	trace *sim.Trace
	width int
	lines []string
	told  map[int]bool
	met   []string
	cut   bool
}

func (c *chain) say(depth int, text string) {
	in := strings.Repeat("  ", min(depth, maxIndent, c.width/10))
	c.lines = append(c.lines, hang(in, in+"  ", text, c.width)...)
}

func (c *chain) walk(s *sim.Step, depth int) {
	if c.cut {
		return
	}
	if len(c.told) >= maxChain {
		c.cut = true
		c.say(depth, c.loc.Text("why.cut", nil))
		return
	}
	args := locale.Args{"Seq": s.Seq, "Text": Step(c.loc, s), "Rule": s.Rule}
	switch {
	case c.told[s.Seq]:
		c.say(depth, c.loc.Text("why.told", args))
		return
	case depth == 0:
		c.say(depth, c.loc.Text("why.step", args))
	default:
		c.say(depth, c.loc.Text("why.cause", args))
	}
	c.told[s.Seq] = true
	c.meet(s.Rule)
	// What came last led to the step more directly.
	causes := fold.Causes(c.trace, s)
	for i, n := len(causes)-1, 0; i >= 0; i, n = i-1, n+1 {
		if n == maxCauses {
			c.say(depth+1, c.loc.Plural("why.more", int64(i+1), nil))
			return
		}
		c.walk(causes[i], depth+1)
	}
}

// meet notes a rule. That a command is a cause needs no explanation.
func (c *chain) meet(rule string) {
	if rule == commandRule {
		return
	}
	for _, r := range c.met {
		if r == rule {
			return
		}
	}
	c.met = append(c.met, rule)
}

func (c *chain) rules() {
	if len(c.met) > 0 {
		c.lines = append(c.lines, c.loc.Text("why.rules", nil))
	}
	for _, r := range c.met {
		for i, l := range Rule(c.loc, r) {
			in := "  "
			if i > 0 {
				in = "    "
			}
			c.lines = append(c.lines, hang(in, "    ", l, c.width)...)
		}
	}
}

// Rule is the statement of a rule with its id, and what the lab simplifies. An
// id that the ledger does not know has none.
func Rule(loc *locale.Localizer, id string) []string {
	r, ok := ledger.Find(id)
	if !ok {
		return nil
	}
	out := []string{fmt.Sprintf("%s  %s", id, loc.Text("rule."+id, nil))}
	if r.Simplified {
		out = append(out, loc.Text("why.simplified", locale.Args{"Text": loc.Text("rule."+id+".simplified", nil)}))
	}
	return out
}
