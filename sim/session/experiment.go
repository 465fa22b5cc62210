package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/BurntSushi/toml"
	"golang.org/x/tools/txtar"

	"streaminglab/sim"
	"streaminglab/sim/script"
)

// An Experiment is what the bench opens: a script that undo and reset never
// cross, the files that it names, a goal, and a reference that reaches it.
type Experiment struct {
	ID string
	// Name is how errors call the file that it was read from.
	Name    string
	Version int
	// Prefix is the fixed script.
	Prefix string
	// Files are the job files by name.
	Files map[string][]byte
	// Goal is an expression; empty: a scenario, which has no goal.
	Goal string
	// Members are scripts to run after the prefix, by name: the reference
	// ("reference.script") and any other.
	Members map[string]string
	// Texts are opaque here, by language.
	Texts map[string]Texts
	// Misconceptions are ids of beliefs that the experiment refutes; Refutes
	// says what proves it of each, by id.
	Misconceptions []string
	Refutes        []Refutation
	// Day is the day of "12:00:05", in ms since the epoch.
	Day int64
	// WallClock is the wall-clock time at which virtual time 0 stands, in ms
	// since the epoch; HasWallClock says whether there is one.
	WallClock    int64
	HasWallClock bool
	Vary         []Variable
	Accept       string
	// View is the picture that the bench opens with, as soon as it has something
	// to show; empty: the first one.
	View   string
	source []byte
}

// Reference is the name of the script that reaches the goal.
const Reference = "reference.script"

// Prefix is how a refutation calls the run of the fixed script alone.
const Prefix = "script"

// A Refutation is what somebody who holds a wrong belief expects to be true of
// a run, and is not.
type Refutation struct {
	Misconception string
	Belief        string // a condition over the trace
	Run           string // Reference, Prefix or another member, run after the prefix
}

// Texts are what a learner reads of an experiment.
type Texts struct {
	Title string `toml:"title"`
	Goal  string `toml:"goal"`
	// Parts say in a sentence each what the goal joins with &&, in its order;
	// none: the conditions speak for themselves.
	Parts    []string `toml:"parts"`
	Hints    []string `toml:"hints"`
	Solution string   `toml:"solution"`
}

// A Variable is a name whose value is drawn from the seed.
type Variable struct {
	Name   string
	Values []string
}

// header is experiment.toml.
type header struct {
	Version        int                 `toml:"version"`
	Goal           string              `toml:"goal"`
	Misconceptions []string            `toml:"misconceptions"`
	Refutes        map[string]refuted  `toml:"refutes"`
	Day            string              `toml:"day"`
	WallClock      string              `toml:"wall_clock"`
	Vary           map[string][]string `toml:"vary"`
	Accept         string              `toml:"accept"`
	View           string              `toml:"view"`
	ES             *Texts              `toml:"es"`
	KO             *Texts              `toml:"ko"`
}

// refuted is one entry of [refutes].
type refuted struct {
	Belief string `toml:"belief"`
	Run    string `toml:"run"`
}

// Views are the pictures that an experiment can open with.
var Views = []string{"lanes", "plane", "matrix", "timeline", "levels", "store", "barriers", "recovery", "log", "transactions", "phases", "latency"}

const headerFile = "experiment.toml"

// maxExperiment is the largest experiment in bytes.
const maxExperiment = 256 << 10

// A FileError is a problem at a place of an experiment's file.
type FileError struct {
	File      string
	Line, Col int
	Problem   *sim.Problem
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Problem)
}

func (e *FileError) Unwrap() error { return e.Problem }

// ParseExperiment reads an experiment. A text without sections is a bare
// script. Places are those of the text; name is how errors call it.
func ParseExperiment(id, name string, text []byte) (*Experiment, error) {
	if len(text) > maxExperiment {
		return nil, &FileError{name, 1, 1, sim.NewProblem("experiment.too-large", "Max", maxExperiment)}
	}
	// Editors of some systems begin a file with a mark of its encoding and end
	// lines in their own way.
	clean := bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))
	a := txtar.Parse(clean)
	e := &Experiment{
		ID: id, Name: name, Prefix: string(a.Comment), Files: map[string][]byte{},
		Members: map[string]string{}, Texts: map[string]Texts{}, source: text,
	}
	for _, f := range a.Files {
		switch {
		case f.Name == headerFile:
			if err := e.header(name, clean, f.Data); err != nil {
				return nil, err
			}
		case strings.HasSuffix(f.Name, ".script"):
			e.Members[f.Name] = string(f.Data)
		default:
			e.Files[f.Name] = f.Data
		}
	}
	return e, nil
}

// lineOf is the line of a section's first line of text.
func lineOf(text, section []byte) int {
	i := bytes.Index(text, section)
	if i < 0 || len(section) == 0 {
		return 1
	}
	return bytes.Count(text[:i], []byte("\n")) + 1
}

var variableForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

func (e *Experiment) header(name string, text, section []byte) error {
	base := lineOf(text, section) - 1
	fail := func(line, col int, id string, args ...any) error {
		return &FileError{name, base + line, col, sim.NewProblem(id, args...)}
	}
	var h header
	meta, err := toml.Decode(string(section), &h)
	var pe toml.ParseError
	if errors.As(err, &pe) {
		return fail(pe.Position.Line, max(pe.Position.Col, 1), "experiment.toml", "Detail", pe.Message)
	}
	if err != nil {
		return fail(1, 1, "experiment.toml", "Detail", err.Error())
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return fail(keyLine(section, extra[0].String()), 1, "experiment.unknown-key", "Key", extra[0].String())
	}
	if h.Version < 1 {
		return fail(1, 1, "experiment.version")
	}
	if h.View != "" && !slices.Contains(Views, h.View) {
		return fail(keyLine(section, "view"), 1, "job.unknown-word", "Value", h.View, "Known", strings.Join(Views, ", "), "Nearest", "")
	}
	e.View = h.View
	e.Version, e.Goal, e.Misconceptions, e.Accept = h.Version, strings.TrimSpace(h.Goal), h.Misconceptions, h.Accept
	for id, r := range h.Refutes {
		if r.Run == "" {
			r.Run = Reference
		}
		e.Refutes = append(e.Refutes, Refutation{id, strings.TrimSpace(r.Belief), r.Run})
	}
	sort.Slice(e.Refutes, func(i, j int) bool { return e.Refutes[i].Misconception < e.Refutes[j].Misconception })
	if h.ES != nil {
		e.Texts["es"] = *h.ES
	}
	if h.KO != nil {
		e.Texts["ko"] = *h.KO
	}
	if h.Day != "" {
		if e.Day, err = script.ParseDay(h.Day); err != nil {
			return fail(keyLine(section, "day"), 1, "experiment.day", "Value", h.Day)
		}
	}
	if h.WallClock != "" {
		if e.WallClock, err = (script.Times{Day: e.Day}).Time(h.WallClock); err != nil {
			return fail(keyLine(section, "wall_clock"), 1, "experiment.wall-clock", "Value", h.WallClock)
		}
		e.HasWallClock = true
	}
	for k, v := range h.Vary {
		if !variableForm.MatchString(k) || len(v) == 0 {
			return fail(keyLine(section, k), 1, "experiment.vary", "Name", k)
		}
		e.Vary = append(e.Vary, Variable{k, v})
	}
	sort.Slice(e.Vary, func(i, j int) bool { return e.Vary[i].Name < e.Vary[j].Name })
	return nil
}

// keyLine is the line at which a key begins; of one inside an inline table,
// the line of the table.
func keyLine(section []byte, key string) int {
	parts := strings.Split(key, ".")
	for n := len(parts) - 1; n >= 0; n-- {
		for i, l := range strings.Split(string(section), "\n") {
			if strings.HasPrefix(strings.TrimSpace(l), parts[n]) {
				return i + 1
			}
		}
	}
	return 1
}

// Times reads the times of the experiment.
func (e *Experiment) Times() script.Times { return script.Times{Day: e.Day} }

// Fingerprint is a hash over what decides the trace: script, job files, goal
// and variables, not the texts.
func (e *Experiment) Fingerprint() string {
	h := sha256.New()
	put := func(s string) { fmt.Fprintf(h, "%d:%s\n", len(s), s) }
	put(e.Prefix)
	put(e.Goal)
	put(e.Accept)
	put(fmt.Sprint(e.Day))
	for _, v := range e.Vary {
		put(v.Name)
		for _, x := range v.Values {
			put(x)
		}
	}
	var files []string
	for f := range e.Files {
		files = append(files, f)
	}
	sort.Strings(files)
	for _, f := range files {
		put(f)
		put(string(e.Files[f]))
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// Source is the text that the experiment was read from.
func (e *Experiment) Source() []byte { return e.source }
