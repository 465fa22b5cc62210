package check

import (
	"slices"
	"strings"

	"streaminglab/quiz/engine"
	"streaminglab/sim/fold"
	"streaminglab/sim/session"
)

// listed checks that an experiment lists and proves the same misconceptions,
// that they exist, and that it is one which a learner opens.
func (k *checker) listed(file string, x *session.Experiment) {
	for _, m := range x.Misconceptions {
		if k.library != nil && k.library.Misconception(m) == nil {
			k.problem(file, 0, "unknown-misconception", "ID", m)
		}
		if !slices.ContainsFunc(x.Refutes, func(r session.Refutation) bool { return r.Misconception == m }) {
			k.problem(file, k.header(file, "misconceptions"), "belief-missing", "ID", m)
		}
	}
	for _, r := range x.Refutes {
		if !slices.Contains(x.Misconceptions, r.Misconception) {
			k.problem(file, k.belief(file, r.Misconception), "belief-unlisted", "ID", r.Misconception)
		}
	}
	if x.Goal == "" && len(x.Misconceptions)+len(x.Refutes) > 0 {
		k.problem(file, k.header(file, "version"), "belief-scenario")
	}
}

// belief is the line of an entry of [refutes].
func (k *checker) belief(file, id string) int { return k.header(file, id+" ") }

// refutes proves that an experiment contradicts a misconception: what somebody
// who holds it expects is false of the run that a learner sees, and true of
// some other run of the same experiment, so that it could have been true.
func (k *checker) refutes(file string, x *session.Experiment, misconception string, seed uint64) bool {
	inst, _, err := x.Instance(seed)
	if err != nil {
		return false // the goal has said so
	}
	i := slices.IndexFunc(inst.Refutes, func(r session.Refutation) bool { return r.Misconception == misconception })
	r := inst.Refutes[i]
	line := k.belief(file, misconception)
	fail := func(rule string, args ...any) bool {
		k.problem(file, line, rule, append([]any{"ID", misconception}, args...)...)
		return false
	}
	p, err := fold.Compile(r.Belief, inst.Times())
	if err != nil {
		k.add(file, line, "belief", err)
		return false
	}
	if len(p.Reads()) == 0 {
		return fail("belief-reads-nothing")
	}
	text, ok := inst.Members[r.Run]
	if !ok && r.Run != session.Prefix {
		return fail("belief-run", "Run", r.Run)
	}
	if r.Run != session.Prefix && r.Run != session.Reference {
		if missing := untold(inst, text); missing != "" {
			return fail("belief-unseen", "Run", r.Run, "Command", missing)
		}
	}
	run, err := batch(x, text, seed)
	if err != nil {
		k.add(file, k.lineIn(file, err), "belief", err)
		return false
	}
	holds, err := run.Condition(r.Belief)
	if err != nil {
		k.add(file, line, "belief", err)
		return false
	}
	if holds {
		return fail("belief-holds", "Run", r.Run, "Seed", seed)
	}
	if !k.couldHold(x, inst, r, seed) {
		return fail("belief-never-holds", "Seed", seed)
	}
	return true
}

// couldHold looks for a run of which the belief is true: of the fixed script
// alone, of any member, and of the refuting run without one of its lines, of
// the fixed script or of a job file.
func (k *checker) couldHold(x, inst *session.Experiment, r session.Refutation, seed uint64) bool {
	holds := func(x *session.Experiment, text string) bool {
		run, err := batch(x, text, seed)
		if err != nil {
			return false
		}
		ok, err := run.Condition(r.Belief)
		return err == nil && ok
	}
	if holds(x, "") {
		return true
	}
	for _, text := range inst.Members {
		if holds(x, text) {
			return true
		}
	}
	text := inst.Members[r.Run] // none for the fixed script alone
	lines := strings.Split(text, "\n")
	for i := range lines {
		if holds(x, strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "\n")) {
			return true
		}
	}
	for _, less := range engine.Shortened(x) {
		if holds(less, text) {
			return true
		}
	}
	return false
}

// untold is the first command of a member that the note to the solution and
// the hints of some language do not tell a learner to type; "" if there is
// none. A run that nobody is led to refutes nothing.
func untold(x *session.Experiment, text string) string {
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		if l == "" || strings.HasPrefix(l, "#") {
			continue
		}
		for _, lang := range []string{"es", "ko"} {
			t := x.Texts[lang]
			if !strings.Contains(strings.Join(append(slices.Clone(t.Hints), t.Solution), "\n"), "`"+l+"`") {
				return l
			}
		}
	}
	return ""
}
