package quiz

import (
	"slices"
	"time"
)

// Kind is the form of a question.
type Kind string

// The kinds of items.
const (
	Single         Kind = "single"
	Multiple       Kind = "multiple"
	TrueFalse      Kind = "truefalse"
	Numeric        Kind = "numeric"
	TextKind       Kind = "text"
	OrderKind      Kind = "order"
	Match          Kind = "match"
	Output         Kind = "output"
	Counterexample Kind = "counterexample"
	Fix            Kind = "fix"
	Poll           Kind = "poll"
)

// Kinds lists every kind in the order of the documentation.
var Kinds = []Kind{Single, Multiple, TrueFalse, Numeric, TextKind, OrderKind, Match, Output, Counterexample, Fix, Poll}

// Item is one question in every language, as its file says it. Texts may hold
// ${names} until [Item.Fill] puts in what a seed drew.
type Item struct {
	ID     string
	Kind   Kind
	Pos    Pos // of the file
	Covers []string
	Rules  []string
	Points int // 0 for a poll

	Scoring    Rule   // of kind multiple; "" leaves it to the quiz
	KeepOrder  bool   // options are shown as written, never shuffled
	Vary       string // experiment whose [vary] draws the ${names}; "" when there are none
	Answer     AnswerSpec
	Key        Key
	Options    []Option
	Prompts    []Prompt // left side of a match
	Wrong      []WrongModel
	Properties []Property // what a counterexample or a fix must make true; scored by the share that holds

	Replaces  string // fix: the file of the experiment that the answer replaces
	Seeds     int    // fix: on how many seeds, from the learner's own, each property must hold
	Reference string // counterexample, fix: an answer that is right, for the check

	Texts map[Lang]Texts

	right *Order // order: what is right; nil until [Marker.Present]
}

// Texts is the wording of an item in one language.
type Texts struct {
	Stem    string
	Explain string
	Hints   []string
}

// AnswerSpec says what may be typed and how it is compared.
type AnswerSpec struct {
	Type      AnswerType
	Unit      string // of a bare number
	Day       string // YYYY-MM-DD on which HH:MM:SS stands; "" is 1970-01-01
	Tolerance Score  // absolute
	Relative  Score  // part of |key|
	Text      TextRule
	Glossary  bool // accepted forms come from the glossary too
}

// day is the first millisecond of Day.
func (s AnswerSpec) day() int64 {
	if s.Day == "" {
		return 0
	}
	at, err := time.Parse(time.DateOnly, s.Day)
	if err != nil {
		return 0 // the parser of items has refused it
	}
	return at.UnixMilli()
}

// Key says where the right answer comes from: computed by an experiment
// (Expression may be empty when options or prompts carry their own), or
// stated with a source.
type Key struct {
	Pos        Pos
	Computed   string
	Expression string
	Stated     any // string, bool, int64, *big.Rat or []any of these
	Source     string
}

// Option is a choice, an element to order, or the right side of a match.
type Option struct {
	ID  string
	Pos Pos

	// At most one of these says what the option stands for when the key is
	// computed: a literal, an expression over the trace (a wrong model, or
	// the right one), or a condition that makes the option correct.
	Value   any
	Answers string
	Holds   string

	Misconception string
	RefutedBy     string // experiment
	Source        string // where it is written down that the option is wrong, when no experiment can show it
	Texts         map[Lang]OptionTexts
}

// OptionTexts is the wording of an option in one language.
type OptionTexts struct {
	Text     string
	Feedback string
}

// Prompt is the left side of a match.
type Prompt struct {
	ID      string
	Pos     Pos
	Answers string // expression whose value is the Value of its option
	Texts   map[Lang]string
}

// WrongModel is what a learner who holds a misconception would answer.
type WrongModel struct {
	Misconception string
	Pos           Pos
	Answers       string // expression over the true trace; for order it gives [x, y], what came first
	Prompt        string // of a match: the prompt whose option Answers gives
	Value         any    // with a stated key a literal; for order "b<a", for match "1=a"
	RefutedBy     string
	Source        string
	Feedback      map[Lang]string
}

// Property is one thing that must hold after a counterexample or a fix.
type Property struct {
	ID         string
	Pos        Pos
	Expression string
	Texts      map[Lang]string
}

// OptionIDs lists the ids in the order of the file.
func (it *Item) OptionIDs() []string {
	ids := make([]string, len(it.Options))
	for i, o := range it.Options {
		ids[i] = o.ID
	}
	return ids
}

// PromptIDs lists the ids in the order of the file.
func (it *Item) PromptIDs() []string {
	ids := make([]string, len(it.Prompts))
	for i, p := range it.Prompts {
		ids[i] = p.ID
	}
	return ids
}

// Option finds an option by its id, or gives nil.
func (it *Item) Option(id string) *Option {
	i := slices.IndexFunc(it.Options, func(o Option) bool { return o.ID == id })
	if i < 0 {
		return nil
	}
	return &it.Options[i]
}

// goals are the conditions of a counterexample or a fix.
func (it *Item) goals() []Property {
	if len(it.Properties) > 0 {
		return it.Properties
	}
	return []Property{{ID: "goal", Pos: it.Key.Pos, Expression: it.Key.Expression}}
}
