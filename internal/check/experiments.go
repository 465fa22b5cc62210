package check

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"streaminglab/internal/markdown"
	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/world"
)

// checkSeeds are the seeds on which an experiment with variables is proved.
const checkSeeds = 8

// experiments proves every experiment: it runs; its goal reads the trace, is
// not reached by doing nothing, is reached by the reference, and is not reached
// by the reference without its deciding line.
func (k *checker) experiments(ctx context.Context) error {
	dir := "assets/experiments"
	entries, err := fs.ReadDir(k.Files, dir)
	if err != nil {
		return nil // a course without experiments has nothing to prove
	}
	for _, f := range entries {
		id, ok := strings.CutSuffix(f.Name(), ".txtar")
		if !ok {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		file := path.Join(dir, f.Name())
		x, err := k.engine.Experiment(id)
		if err != nil {
			k.add(file, fileLine(err), "experiment", err)
			k.breaks(id)
			continue
		}
		k.experiment(file, x)
	}
	return nil
}

func fileLine(err error) int {
	if e, ok := err.(*session.FileError); ok {
		return e.Line
	}
	return 1
}

func (k *checker) experiment(file string, x *session.Experiment) {
	seeds := 1
	if len(x.Vary) > 0 {
		seeds = checkSeeds
	}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		if !k.runs(file, x, seed) {
			k.breaks(x.ID)
			return
		}
	}
	k.listed(file, x)
	if x.Goal == "" {
		return
	}
	k.texts(file, x)
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		if !k.goal(file, x, seed) {
			return
		}
	}
	for _, r := range x.Refutes {
		for seed := uint64(1); seed <= uint64(seeds); seed++ {
			if !k.refutes(file, x, r.Misconception, seed) {
				break
			}
		}
	}
}

// runs checks that the prefix runs without an error.
func (k *checker) runs(file string, x *session.Experiment, seed uint64) bool {
	if _, err := batch(x, "", seed); err != nil {
		k.add(file, k.lineIn(file, err), "does-not-run", err)
		return false
	}
	return true
}

func (k *checker) breaks(id string) {
	if k.broken == nil {
		k.broken = map[string]bool{}
	}
	k.broken[id] = true
}

// lineIn is the line of an error in the file of an experiment. Files and
// scripts that stand in it count their own lines.
func (k *checker) lineIn(file string, err error) int {
	inside := func(name string, line int) int { return k.section(file, name) + max(line, 1) }
	var many script.Errors
	var one *script.Error
	var job *world.FileProblem
	var header *session.FileError
	switch {
	case errors.As(err, &many):
		return inside(many[0].File, many[0].Line)
	case errors.As(err, &one):
		return inside(one.File, one.Line)
	case errors.As(err, &job):
		return inside(job.File, job.Line)
	case errors.As(err, &header):
		return header.Line
	}
	return 1
}

// section is the line of the mark of a section; 0 for what is none: then the
// lines are those of the file.
func (k *checker) section(file, name string) int {
	return lineWith(k.text(file), "-- "+name+" --")
}

// header is the line of a key of experiment.toml.
func (k *checker) header(file, key string) int {
	lines := strings.Split(k.text(file), "\n")
	for i := k.section(file, "experiment.toml"); i < len(lines); i++ {
		if strings.HasPrefix(lines[i], key) {
			return i + 1
		}
	}
	return 1
}

func batch(x *session.Experiment, text string, seed uint64) (*session.Run, error) {
	return batchAs(session.Reference, x, text, seed)
}

// batchAs runs a script of an experiment under its name.
func batchAs(name string, x *session.Experiment, text string, seed uint64) (*session.Run, error) {
	return session.Batch(x, func(t script.Times) ([]*script.Line, error) {
		return script.Parse(name, text, t)
	}, session.Options{Seed: seed})
}

// texts checks that both languages have a title, a goal and three hints, and a
// sentence for each part of the goal where there are any, and lints them.
func (k *checker) texts(file string, x *session.Experiment) {
	for _, lang := range []string{"es", "ko"} {
		t := x.Texts[lang]
		if t.Title == "" || t.Goal == "" || len(t.Hints) != 3 || t.Solution == "" {
			k.problem(file, k.header(file, "["+lang+"]"), "experiment-texts", "Lang", lang)
		}
		if want := len(fold.Conjuncts(x.Goal).Parts); len(x.Texts["es"].Parts)+len(x.Texts["ko"].Parts) > 0 && len(t.Parts) != want {
			k.problem(file, k.header(file, "["+lang+"]"), "experiment-parts", "Lang", lang, "Have", len(t.Parts), "Want", want)
		}
		k.prose(file, k.header(file, "["+lang+"]"), lang, slices.Concat([]string{t.Title, t.Goal, t.Solution}, t.Hints, t.Parts)...)
	}
	es, ko := x.Texts["es"], x.Texts["ko"]
	k.pair(file, es.Title, ko.Title)
	k.pair(file, es.Goal, ko.Goal)
	k.pair(file, es.Solution, ko.Solution)
	for i := range min(len(es.Hints), len(ko.Hints)) {
		k.pair(file, es.Hints[i], ko.Hints[i])
	}
	for i := range min(len(es.Parts), len(ko.Parts)) {
		k.pair(file, es.Parts[i], ko.Parts[i])
	}
}

// pair compares the figures and the code of a text in both languages.
func (k *checker) pair(file, es, ko string) {
	a, _ := markdown.ParseText(file, []byte(es))
	b, _ := markdown.ParseText(file, []byte(ko))
	if a == nil || b == nil || es == "" || ko == "" {
		return
	}
	for _, p := range markdown.Compare(a, b, true, false) {
		p.Line = k.lineOfText(file, ko, 1)
		p.Args["Other"] = "es"
		k.add(file, p.Line, "parity", p)
	}
}

func (k *checker) goal(file string, x *session.Experiment, seed uint64) bool {
	inst, _, err := x.Instance(seed)
	if err != nil {
		k.add(file, 1, "experiment", err)
		return false
	}
	goal, at := k.header(file, "goal"), max(1, k.section(file, session.Reference))
	p, err := fold.Compile(inst.Goal, inst.Times())
	if err != nil {
		k.add(file, goal, "goal", err)
		return false
	}
	if len(p.Reads()) == 0 {
		k.problem(file, goal, "goal-reads-nothing")
		return false
	}
	reference := inst.Members[session.Reference]
	reaches := func(text string) (bool, error) {
		r, err := batch(x, text, seed)
		if err != nil {
			return false, err
		}
		ok, _, err := r.Goal()
		return ok, err
	}
	if ok, err := reaches(""); err != nil || ok {
		if err != nil {
			k.add(file, goal, "goal", err)
		} else {
			k.problem(file, goal, "goal-already-reached", "Seed", seed)
		}
		return false
	}
	r, err := batch(x, reference, seed)
	if err != nil {
		k.add(file, k.lineIn(file, err), "reference", err)
		return false
	}
	if ok, _, err := r.Goal(); err != nil || !ok {
		k.problem(file, at, "reference-fails", "Seed", seed)
		return false
	}
	if r.Failed > 0 {
		k.problem(file, at, "reference-expectation", "Seed", seed)
		return false
	}
	if !k.members(file, x, inst, seed) {
		return false
	}
	return k.deciding(file, reference, reaches, seed)
}

// members checks that the other scripts of an experiment run: the note to the
// solution invites to type them.
func (k *checker) members(file string, x, inst *session.Experiment, seed uint64) bool {
	for _, name := range slices.Sorted(maps.Keys(inst.Members)) {
		if name == session.Reference {
			continue
		}
		if _, err := batchAs(name, x, inst.Members[name], seed); err != nil {
			k.add(file, k.lineIn(file, err), "script", err)
			return false
		}
	}
	return true
}

// deciding checks that taking some single line of the reference away makes the
// goal unreachable: else the goal does not ask for what the reference does.
func (k *checker) deciding(file, reference string, reaches func(string) (bool, error), seed uint64) bool {
	lines := strings.Split(reference, "\n")
	for i, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" || strings.HasPrefix(t, "#") || strings.HasPrefix(t, "expect ") || strings.HasPrefix(t, "predict ") {
			continue
		}
		less := strings.Join(append(append([]string{}, lines[:i]...), lines[i+1:]...), "\n")
		if ok, err := reaches(less); err == nil && !ok {
			return true
		}
	}
	k.problem(file, max(1, k.section(file, session.Reference)), "no-deciding-line", "Seed", seed)
	return false
}
