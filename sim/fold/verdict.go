package fold

import (
	"slices"

	"streaminglab/sim"
)

// Verdict is something that happened to data, or to what data depends on, and
// that has a name. It is only data here: who judges is a [Judge].
type Verdict struct {
	Kind      string   `expr:"kind" doc:"lost, lost-in-output, doubled-in-state, doubled-in-output, torn, reordered, fenced, replayed, stuck, orphaned, unrestorable or reported-but-harmless"`
	Certainty string   `expr:"certainty" doc:"yes, or open: the run is too short to know"`
	Operator  string   `expr:"operator" doc:"the operator, sink or source; empty: none in particular"`
	At        string   `expr:"at" doc:"where it shows: totals[0], clicks/1, jm"`
	Snapshot  string   `expr:"snapshot" doc:"the snapshot that it has to do with: job1/chk-3, sp1; empty: none"`
	Records   []Line   `expr:"records" doc:"the records, by split and offset"`
	Outputs   []Output `expr:"outputs" doc:"of doubled-in-output: the results"`
	Files     []string `expr:"files" doc:"of orphaned and unrestorable: the objects"`
	Reader    string   `expr:"reader" doc:"of doubled-in-output: read_uncommitted when only such a reader sees it twice; empty: every reader"`
	Partition string   `expr:"partition" doc:"the topic/partition; empty: none in particular"`
	ID        string   `expr:"id" doc:"the transactional.id; empty: none in particular"`
	By        string   `expr:"by" doc:"of fenced: who took the transactional.id; empty: of another verdict"`
	Since     int      `expr:"since" doc:"of lost-in-output: the step at which it could not be avoided any more"`
	Until     int      `expr:"until" doc:"of torn and stuck: when it ends or ended, ms; -1: it cannot be told, or never"`
	Count     int      `expr:"count" doc:"how many records, results, objects or failures it is about"`
	Job       string   `expr:"job" doc:"the job: job1"`
	Attempt   int      `expr:"attempt" doc:"its attempt, from 0"`
	Rule      string   `expr:"rule" doc:"the rule that predicts it"`
	Step      int      `expr:"step" doc:"the first step that shows it"`
	Cause     int      `expr:"cause" doc:"the step that it comes from"`
	T         int      `expr:"t" doc:"virtual time of the first step that shows it, ms"`
}

// Line is a record by its place in a log.
type Line struct {
	Split  string `expr:"split" doc:"source/split"`
	Offset int    `expr:"offset" doc:"its offset in the log"`
	Key    string `expr:"key" doc:"its key"`
}

// Output is a result that a sink took more than once.
type Output struct {
	Key   string `expr:"key" doc:"the key"`
	Start int    `expr:"start" doc:"first ms of the window, 0 when it has none"`
	End   int    `expr:"end" doc:"first ms after the window, 0 when it has none"`
	Value int    `expr:"value" doc:"the number that it has this time"`
	Count int    `expr:"count" doc:"records of the key so far, or rows behind a SQL result, this time"`
	First int    `expr:"first" doc:"the step of the time before"`
	Step  int    `expr:"step" doc:"the step of this time; 0: it is still to come"`
}

// A Judge finds the verdicts of a trace. It stands to the left of this package,
// so whoever evaluates expressions gives it to the folds.
type Judge interface {
	Verdicts(t *sim.Trace) []Verdict
}

// verdicts is the name of the list that only a judge can fill.
const verdicts = "verdicts"

// judge fills the list of verdicts for an expression that reads it. Nothing is
// judged for the others: an expression may be asked after every step.
func (f *Folds) judge(reads []string) error {
	if !slices.Contains(reads, verdicts) {
		return nil
	}
	if f.Judge == nil {
		// An empty list would be a wrong answer.
		return sim.NewProblem("expression.failed", "Detail", "verdicts")
	}
	if f.trace == nil {
		f.trace = &sim.Trace{}
	}
	f.Verdicts = f.Judge.Verdicts(f.trace)
	return nil
}
