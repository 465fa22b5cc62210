package quiz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of an answer file. They are far above what a quiz needs and far
// below what could slow a grader down.
const (
	MaxFileSize = 1 << 20 // bytes of one answer file
	maxAnswers  = 500     // items in one file
	maxAttempts = 100     // tries of one item
)

// Mode says whether a run counts.
type Mode string

// The modes. Practice runs are graded too, but never count as the run of a
// learner who has a graded one.
const (
	Practice Mode = "practice"
	Graded   Mode = "graded"
)

// AnswerFile is what a learner hands in: schema 1 of contract. It holds no
// score; grading computes that again from Raw, Seed and the quiz.
type AnswerFile struct {
	Quiz     string
	QuizHash string // Library.Hash of the quiz that was asked
	TextHash string // Library.TextHash of it
	Engine   string // Engine.Version
	Learner  Learner
	Lang     Lang
	Mode     Mode
	Seed     uint64
	Started  time.Time
	Finished time.Time          // zero while the run is not finished
	Answers  map[string][]Entry // by item, in the order of the tries
}

// Learner is who answered. ID may be empty in practice.
type Learner struct {
	ID   string
	Name string
}

// Entry is one try at one item.
type Entry struct {
	Raw        string
	At         time.Time
	Hints      int // hints seen before this try
	Confidence int // percent; 0 means that it was not asked
}

// learnerID is wider than the ids of items: many schools use mail addresses.
var learnerID = lazy(`^[\p{L}\p{N}._@+-]{0,64}$`)

// Encode writes the answer file: fixed order of keys, items sorted by id,
// times in UTC with milliseconds, no HTML escapes, one trailing newline. The
// same answers always give the same bytes. The error is an answer file that
// could not be read back.
func (f *AnswerFile) Encode() ([]byte, error) {
	var b bytes.Buffer
	field := func(before, key string, v any) {
		b.WriteString(before)
		b.Write(jsonText(key))
		b.WriteString(": ")
		switch v := v.(type) {
		case string:
			b.Write(jsonText(v))
		case time.Time:
			b.Write(jsonText(timeText(v)))
		case int:
			b.WriteString(strconv.Itoa(v))
		case uint64:
			b.WriteString(strconv.FormatUint(v, 10))
		}
	}
	field("{\n  ", "schema", 1)
	field(",\n  ", "quiz", f.Quiz)
	field(",\n  ", "quiz_hash", f.QuizHash)
	field(",\n  ", "text_hash", f.TextHash)
	field(",\n  ", "engine", f.Engine)
	b.WriteString(",\n  \"learner\": ")
	field("{", "id", f.Learner.ID)
	field(", ", "name", f.Learner.Name)
	b.WriteString("}")
	field(",\n  ", "lang", string(f.Lang))
	field(",\n  ", "mode", string(f.Mode))
	field(",\n  ", "seed", f.Seed)
	field(",\n  ", "started", f.Started)
	field(",\n  ", "finished", f.Finished)
	b.WriteString(",\n  \"answers\": {")
	for i, id := range sortedKeys(f.Answers) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %s: [", jsonText(id))
		for j, e := range f.Answers[id] {
			if j > 0 {
				b.WriteByte(',')
			}
			field("\n      {", "raw", e.Raw)
			field(", ", "at", e.At)
			field(", ", "hints", e.Hints)
			field(", ", "confidence", e.Confidence)
			b.WriteByte('}')
		}
		b.WriteString("\n    ]")
	}
	b.WriteString("\n  }\n}\n")
	if _, err := ReadAnswerFile("", b.Bytes()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// jsonText encodes a string; invalid UTF-8 becomes U+FFFD, which reading back
// accepts: a program must never lose a whole answer file to one bad byte.
func jsonText(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

const timeForm = "2006-01-02T15:04:05.000Z"

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeForm)
}

// ReadAnswerFile reads an answer file strictly. Every refusal is a [Problems]
// with the place: unknown, missing, duplicate or differently cased keys, data
// after the object, text that is not UTF-8, too large, too deep, ids that are
// none. Answers themselves are not looked into here.
func ReadAnswerFile(file string, data []byte) (*AnswerFile, error) {
	if len(data) > MaxFileSize {
		return nil, Problems{problem(errFileSize, Pos{File: file}, "Max", MaxFileSize)}
	}
	doc, t := readJSON(file, data)
	if t == nil {
		return nil, doc.problems
	}
	schema, _ := t.value("schema", true)
	if n, ok := schema.(json.Number); !ok || n.String() != "1" {
		if t.has("schema") {
			t.fail("schema", errSchema, "Value", fmt.Sprint(schema), "Want", 1)
		}
		return nil, doc.problems
	}
	f := &AnswerFile{Answers: map[string][]Entry{}}
	f.Quiz = t.matching("quiz", validID())
	f.QuizHash = t.hash("quiz_hash")
	f.TextHash = t.hash("text_hash")
	f.Engine = t.short("engine")
	if lt := t.child("learner", true); lt != nil {
		f.Learner.ID = norm.NFC.String(lt.matching("id", learnerID()))
		f.Learner.Name = norm.NFC.String(lt.short("name"))
		lt.close()
	}
	lang := t.text("lang", true)
	if f.Lang = Lang(lang); lang != "" && !slices.Contains(Languages, f.Lang) {
		t.fail("lang", errUnknownWord, "Value", lang, "Want", "es, ko")
	}
	f.Mode = Mode(t.word("mode", true, string(Practice), string(Graded)))
	f.Seed = t.seed("seed")
	f.Started = t.moment("started", true)
	f.Finished = t.moment("finished", false)
	if at := t.child("answers", true); at != nil {
		f.readAnswers(at)
	}
	t.close()
	doc.problems.sort()
	if err := doc.problems.orNil(); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *AnswerFile) readAnswers(t *table) {
	if len(t.m) > maxAnswers {
		t.doc.add(problem(errTooMany, t.pos(), "Key", t.path, "Max", maxAnswers))
		return
	}
	for _, id := range sortedKeys(t.m) {
		if !validID().MatchString(id) {
			t.seen[id] = true
			t.fail(id, errBadID, "Value", id)
			continue
		}
		entries := t.children(id, true)
		if len(entries) > maxAttempts {
			t.fail(id, errTooMany, "Max", maxAttempts)
			continue
		}
		for _, et := range entries {
			e := Entry{At: et.moment("at", true)}
			raw, _ := et.value("raw", true)
			var isText bool
			if e.Raw, isText = raw.(string); !isText && et.has("raw") {
				et.wrongType("raw", "string")
			}
			if len(e.Raw) > maxRaw {
				et.fail("raw", errAnswerTooLong, "Max", maxRaw)
			}
			e.Hints = et.count("hints", 1000)
			e.Confidence = et.count("confidence", 100)
			et.close()
			f.Answers[id] = append(f.Answers[id], e)
		}
	}
}

func (t *table) matching(key string, form *regexp.Regexp) string {
	v, ok := t.value(key, true)
	s, isText := v.(string)
	switch {
	case !ok:
	case !isText:
		t.wrongType(key, "string")
	case !form.MatchString(norm.NFC.String(s)):
		t.fail(key, errBadID, "Value", s)
	}
	return s
}

var hashForm = lazy(`^sha256:[0-9a-f]{64}$`)

func (t *table) hash(key string) string { return t.matching(key, hashForm()) }

// short reads a text that may be empty and is at most 200 characters.
func (t *table) short(key string) string {
	v, ok := t.value(key, true)
	s, isText := v.(string)
	switch {
	case !ok:
	case !isText:
		t.wrongType(key, "string")
	case utf8.RuneCountInString(s) > 200:
		t.fail(key, errTooLong, "Max", 200)
		return ""
	}
	return s
}

func (t *table) seed(key string) uint64 {
	v, ok := t.value(key, true)
	n, isNumber := v.(json.Number)
	if !ok {
		return 0
	}
	seed, err := strconv.ParseUint(n.String(), 10, 64)
	if !isNumber || err != nil {
		t.wrongType(key, "integer, 0–18446744073709551615")
	}
	return seed
}

// count reads an integer from 0 to most; without it, 0.
func (t *table) count(key string, most int) int {
	v, ok := t.value(key, false)
	if !ok {
		return 0
	}
	number, isNumber := v.(json.Number)
	n, err := strconv.Atoi(number.String())
	switch {
	case !isNumber || err != nil:
		t.wrongType(key, "integer")
		return 0
	case n < 0 || n > most:
		t.fail(key, errOutOfRange, "Value", n, "Min", 0, "Max", most)
		return 0
	}
	return n
}

// moment reads a time of RFC 3339; one that is not needed may be "".
func (t *table) moment(key string, needed bool) time.Time {
	v, ok := t.value(key, true)
	if !ok {
		return time.Time{}
	}
	s, isText := v.(string)
	if isText && s == "" && !needed {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339Nano, s)
	if !isText || err != nil || at.Year() < 1970 || at.Year() > 9999 {
		t.wrongType(key, "RFC 3339, 2026-11-29T10:00:00.000Z")
		return time.Time{}
	}
	return at.UTC().Truncate(time.Millisecond)
}

// NewLearner makes a learner from what was typed: trimmed, composed, without
// characters that nobody sees. The error is a [Problem] when the id has other
// characters than letters, digits and . _ @ + -, or is longer than 64.
func NewLearner(id, name string) (Learner, error) {
	clean := func(s string) string {
		s, ok := CleanText(s)
		if !ok {
			return ""
		}
		out := []rune{}
		for _, r := range s {
			if !unicode.IsControl(r) {
				out = append(out, r)
			}
		}
		return string(out[:min(len(out), 200)])
	}
	l := Learner{ID: clean(id), Name: clean(name)}
	if !learnerID().MatchString(l.ID) {
		return l, problem(errBadID, Pos{}, "Key", "learner.id", "Value", l.ID)
	}
	return l, nil
}
