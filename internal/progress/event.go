package progress

import (
	"encoding/json"
	"fmt"
	"time"
)

// Version is the version of the lines that are written.
const Version = 1

// Event is one thing that happened. Each kind is a type below.
type Event interface{ kind() string }

// LanguageChosen is the answer to the question for the language.
type LanguageChosen struct {
	Lang string `json:"lang"`
}

// LessonOpened and LessonPosition say where the learner is: Block is the index
// of the block of the lesson that was reached, of Blocks.
type LessonOpened struct {
	Lesson string `json:"lesson"`
}

type LessonPosition struct {
	Lesson string `json:"lesson"`
	Block  int    `json:"block"`
	Blocks int    `json:"blocks"`
}

// ExperimentRun is a transcript: what was typed into which experiment, so that
// "reached" can be proved again by replaying it.
type ExperimentRun struct {
	Lesson     string   `json:"lesson,omitempty"`
	Experiment string   `json:"experiment"`
	Version    int      `json:"version"`
	Seed       uint64   `json:"seed"`
	Commands   []string `json:"commands"`
	Reached    bool     `json:"reached"`
	TraceHash  string   `json:"trace_hash,omitempty"`
	Engine     string   `json:"engine,omitempty"`
}

// AnswerLocked is an answer as it was given, before anything was shown. Scores
// are not stored: grading computes them.
type AnswerLocked struct {
	Lesson     string `json:"lesson,omitempty"`
	Quiz       string `json:"quiz,omitempty"`
	Item       string `json:"item"`
	Raw        string `json:"raw"`
	Hints      int    `json:"hints,omitempty"`
	Confidence int    `json:"confidence,omitempty"` // percent; 0: not asked
	Seed       uint64 `json:"seed"`
}

type QuizStarted struct {
	Quiz     string `json:"quiz"`
	QuizHash string `json:"quiz_hash,omitempty"`
	Seed     uint64 `json:"seed"`
	Mode     string `json:"mode,omitempty"`
}

type QuizFinished struct {
	Quiz string `json:"quiz"`
}

// HintShown and SolutionShown belong to an experiment or to an item.
type HintShown struct {
	Experiment string `json:"experiment,omitempty"`
	Item       string `json:"item,omitempty"`
	Hint       int    `json:"hint"` // from 1
}

type SolutionShown struct {
	Experiment string `json:"experiment,omitempty"`
	Item       string `json:"item,omitempty"`
}

func (LanguageChosen) kind() string { return "language" }
func (LessonOpened) kind() string   { return "lesson.opened" }
func (LessonPosition) kind() string { return "lesson.position" }
func (ExperimentRun) kind() string  { return "experiment.run" }
func (AnswerLocked) kind() string   { return "answer.locked" }
func (QuizStarted) kind() string    { return "quiz.started" }
func (QuizFinished) kind() string   { return "quiz.finished" }
func (HintShown) kind() string      { return "hint.shown" }
func (SolutionShown) kind() string  { return "solution.shown" }

// newEvent gives an empty event to decode into.
var newEvent = map[string]func() Event{
	"language":        func() Event { return &LanguageChosen{} },
	"lesson.opened":   func() Event { return &LessonOpened{} },
	"lesson.position": func() Event { return &LessonPosition{} },
	"experiment.run":  func() Event { return &ExperimentRun{} },
	"answer.locked":   func() Event { return &AnswerLocked{} },
	"quiz.started":    func() Event { return &QuizStarted{} },
	"quiz.finished":   func() Event { return &QuizFinished{} },
	"hint.shown":      func() Event { return &HintShown{} },
	"solution.shown":  func() Event { return &SolutionShown{} },
}

// Entry is a line of the file.
type Entry struct {
	At    time.Time
	Event Event // nil when a newer lab wrote a kind that this one does not know
	line  string
}

type header struct {
	V    *int       `json:"v"`
	Kind string     `json:"kind"`
	At   *time.Time `json:"at"`
}

// stamp is the form of times: UTC, milliseconds.
const stamp = "2006-01-02T15:04:05.000Z07:00"

// encode gives the line without its newline. The header comes first, so that
// a person who opens the file sees what and when.
func encode(at time.Time, e Event) (string, error) {
	body, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	head := fmt.Sprintf(`{"v":%d,"kind":%q,"at":%q`, Version, e.kind(), at.UTC().Format(stamp))
	if string(body) == "{}" {
		return head + "}", nil
	}
	return head + "," + string(body[1:]), nil
}

// decode reads a line of the current version.
func decode(line string) (Entry, error) {
	var h header
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		return Entry{}, err
	}
	if h.Kind == "" || h.At == nil {
		return Entry{}, fmt.Errorf("progress: the line has no kind or no time")
	}
	e := Entry{At: *h.At, line: line}
	make, ok := newEvent[h.Kind]
	if !ok {
		return e, nil
	}
	event := make()
	if err := json.Unmarshal([]byte(line), event); err != nil {
		return Entry{}, err
	}
	e.Event = value(event)
	return e, nil
}

// value gives events as values, the way they were appended.
func value(e Event) Event {
	switch e := e.(type) {
	case *LanguageChosen:
		return *e
	case *LessonOpened:
		return *e
	case *LessonPosition:
		return *e
	case *ExperimentRun:
		return *e
	case *AnswerLocked:
		return *e
	case *QuizStarted:
		return *e
	case *QuizFinished:
		return *e
	case *HintShown:
		return *e
	case *SolutionShown:
		return *e
	}
	return e
}

// versionOf tells the version of a line; lines without one are version 0.
func versionOf(line string) (int, error) {
	var h header
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		return 0, err
	}
	if h.V == nil {
		return 0, nil
	}
	return *h.V, nil
}
