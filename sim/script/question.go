package script

import (
	"math"
	"strconv"

	"streaminglab/sim/fold"
	"streaminglab/sim/verdict"
)

var verbExpect = &Verb{
	Name: "expect", Class: Question, Usage: "expect EXPR", Args: []Arg{{Kind: ArgExpression}},
	parse: func(l *line) Command { return Expect{Condition: l.condition()} },
}

// Expect says what must hold where it stands.
type Expect struct {
	command
	Condition *fold.Program
}

var verbPredict = &Verb{
	Name: "predict", Class: Question, Usage: "predict EXPR", Args: []Arg{{Kind: ArgExpression}},
	parse: func(l *line) Command { return Predict{Condition: l.condition()} },
}

// Predict says what will hold at the end of the list.
type Predict struct {
	command
	Condition *fold.Program
}

// Views are what show can show.
var Views = []string{"watermarks", "windows", "records", "steps", "sources", "state", "job", "metrics", "checkpoints", "objects", "registry", "lsm", "keygroups", "memory", "verdicts", "totals", "exceptions", "topics", "log", "transactions", "producers", "consumers", "tool"}

var verbShow = &Verb{
	Name: "show", Class: Question, Usage: "show watermarks|windows|records|steps|sources|state [--dump]|job|metrics|checkpoints|objects|registry|lsm|keygroups|memory|verdicts|totals|exceptions|topics|log [TOPIC/PARTITION]|transactions|producers|consumers|tool",
	Args: []Arg{{Kind: ArgWord, Words: Views}},
	forms: func(words []string) []Arg {
		switch words[0] {
		case "state":
			return []Arg{{Kind: ArgWord, Words: []string{"--dump"}, Optional: true}}
		case "log":
			return []Arg{{Kind: ArgTopicPartition, Optional: true}}
		}
		return nil
	},
	parse: func(l *line) Command {
		c := Show{View: l.oneOf(Views...)}
		if c.View == "state" && l.more() {
			l.oneOf("--dump")
			c.Dump = true
		}
		if c.View == "log" && l.more() {
			t := l.topicTarget(false)
			c.Of = t.Topic + "/" + strconv.Itoa(t.Partition)
		}
		return c
	},
}

// Show shows a view.
type Show struct {
	command
	View string
	Dump bool
	// Of is the partition of a log, empty: of all.
	Of string
}

var verbWhy = &Verb{
	Name: "why", Class: Question, Usage: "why [STEP]", Args: []Arg{{Kind: ArgStep, Optional: true}},
	parse: func(l *line) Command {
		if !l.more() {
			return Why{}
		}
		return Why{Step: int(l.integer(ArgStep, 1, math.MaxInt32))}
	},
}

// Why walks the causes of a step; 0: the last one, or the answer to "why is
// nothing coming out?".
type Why struct {
	command
	Step int
}

var verbRunbook = &Verb{
	Name: "runbook", Class: Question, Usage: "runbook [KIND]", Args: []Arg{{Kind: ArgWord, Words: verdict.Kinds, Optional: true}},
	parse: func(l *line) Command {
		if !l.more() {
			return Runbook{}
		}
		return Runbook{Kind: l.oneOf(verdict.Kinds...)}
	},
}

// Runbook shows what to do about a kind of verdict; empty: about those of the
// run.
type Runbook struct {
	command
	Kind string
}
