package script

import (
	"sort"

	"streaminglab/sim/world"
)

// Class says what a verb acts on.
type Class string

// The classes. World verbs change the world and make its steps; question verbs
// are kept in the transcript, outside the world; session verbs act on the list
// of commands and are an error in a batch script.
const (
	World    Class = "world"
	Question Class = "question"
	Session  Class = "session"
)

// ArgKind says what an argument is, for completion and documents.
type ArgKind string

// Kinds of arguments.
const (
	ArgFile        ArgKind = "FILE"
	ArgSource      ArgKind = "SOURCE"
	ArgSplit       ArgKind = "SOURCE/SPLIT"
	ArgTarget      ArgKind = "SOURCE[/SPLIT]"
	ArgOperator    ArgKind = "OPERATOR"
	ArgSubtask     ArgKind = "WHAT"
	ArgTaskManager ArgKind = "TASKMANAGER"
	ArgTime        ArgKind = "TIME"
	ArgDuration    ArgKind = "DURATION"
	ArgKey         ArgKind = "KEY"
	ArgValue       ArgKind = "VALUE"
	ArgNumber      ArgKind = "N"
	ArgStep        ArgKind = "STEP"
	ArgExpression  ArgKind = "EXPR"
	ArgFaultPoint  ArgKind = "FAULTPOINT"
	ArgPath        ArgKind = "PATH"
	ArgObject      ArgKind = "OBJECT"
	ArgPrefix      ArgKind = "PREFIX"
	ArgName        ArgKind = "NAME"
	ArgSnapshot    ArgKind = "SNAPSHOT"
	ArgVerb        ArgKind = "VERB"
	ArgJob         ArgKind = "JOB"
	ArgProducer    ArgKind = "PRODUCER"
	ArgConsumer    ArgKind = "CONSUMER"
	ArgTopic       ArgKind = "TOPIC"
	ArgGroup       ArgKind = "GROUP"

	ArgTopicTarget     ArgKind = "TOPIC[/PARTITION]"
	ArgTopicPartition  ArgKind = "TOPIC/PARTITION"
	ArgTransactionalID ArgKind = "TRANSACTIONAL_ID"

	ArgWord ArgKind = "word"
)

// An Arg is one argument of a verb's form. A word is one of Words.
type Arg struct {
	Kind  ArgKind
	Words []string
	// Optional arguments may be left out.
	Optional bool
}

// A Verb is one entry of the grammar.
type Verb struct {
	Name  string
	Class Class
	// Usage is the form, as the contract writes it.
	Usage string
	// Args describe the form for completion.
	Args []Arg
	// Chapter is where the verb comes to life; empty: it is alive.
	Chapter string
	parse   func(*line) Command
	// forms are the arguments that follow Args, by the words that were typed
	// behind the verb; the last of them is still being typed. The last one goes
	// for all that come. It may be nil.
	forms func(words []string) []Arg
}

// A Command is a parsed line.
type Command interface{ isCommand() }

// A WorldCommand acts on a world.
type WorldCommand interface {
	Command
	// Apply carries the command out. text is what the trace shows. The error is
	// a *sim.Problem, a *world.FileProblem or a *world.SettingProblem when the
	// command could not be used.
	Apply(w *world.World, text world.Command, times Times) error
}

type command struct{}

func (command) isCommand() {}

// Verbs returns the registry, ordered by name.
func Verbs() []*Verb {
	out := append([]*Verb(nil), registry...)
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Find returns a verb by its name, or nil.
func Find(name string) *Verb {
	for _, v := range registry {
		if v.Name == name {
			return v
		}
	}
	return nil
}

func names() []string {
	var out []string
	for _, v := range Verbs() {
		out = append(out, v.Name)
	}
	return out
}

// alive are the names of the verbs that can be typed.
func alive() []string {
	var out []string
	for _, v := range Verbs() {
		if v.Chapter == "" {
			out = append(out, v.Name)
		}
	}
	return out
}

// registry lists every verb of the language. It is filled here and nowhere
// else; the files of the verbs hold the entries.
var registry []*Verb

func init() {
	registry = []*Verb{
		verbJob, verbSet, verbSeed, verbProduce, verbWatermark, verbIdle, verbActive,
		verbAdvance, verbRun, verbPause, verbResume, verbSlow, verbSplit, verbBackpressure,
		verbEnd, verbStop, verbCheckpoint, verbSavepoint, verbCancel, verbDecline, verbCrash, verbFreeze, verbLose, verbDelay, verbRestore, verbRescale, verbFault,
		verbTopic, verbProducer, verbConsumer, verbTool, verbFence, verbExpire, verbCut, verbHeal,
		verbDeny, verbAllow, verbDelete, verbLifecycle, verbCompact,
		verbExpect, verbPredict, verbShow, verbWhy, verbRunbook, verbBudget,
	}
	registry = append(registry, sessionVerbs...)
	registry = append(registry, laterVerbs...)
}
