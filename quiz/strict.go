package quiz

import (
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// document is a parsed file (TOML or JSON) that is being read strictly: it
// collects every problem instead of stopping at the first, because an author
// wants to mend a file in one go.
type document struct {
	file     string
	src      string
	places   places
	problems Problems
}

// table is one table of a document. Keys are compared exactly: a TOML or JSON
// decoder that fills structs would take "Points" for "points". Each read marks
// its key as known; close reports the others.
type table struct {
	doc  *document
	path string
	m    map[string]any
	seen map[string]bool
}

// readTOML parses a TOML file into its root table. Only a syntax error makes
// the table nil.
func readTOML(file string, data []byte) (*document, *table) {
	doc := &document{file: file, src: string(data), places: places{}}
	if !utf8.Valid(data) {
		doc.add(problem(errEncoding, Pos{File: file}))
		return doc, nil
	}
	var m map[string]any
	if err := toml.Unmarshal(data, &m); err != nil {
		pos := Pos{File: file, Line: 1, Col: 1}
		detail := err.Error()
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			pos.Line, pos.Col = max(1, syntax.Position.Line), max(1, syntax.Position.Col)
			detail = syntax.Message
		}
		doc.add(problem(errSyntax, pos, "Detail", detail))
		return doc, nil
	}
	doc.places = tomlPlaces(doc.src)
	return doc, doc.table("", m)
}

// maxProblems bounds what is said about one file: nobody reads more, and a
// hostile file must not make us count its lines a hundred thousand times.
const maxProblems = 100

func (d *document) add(p Problem) {
	if len(d.problems) < maxProblems {
		d.problems = append(d.problems, p)
	}
}

// pos is where path stands, or else the nearest table around it.
func (d *document) pos(path string) Pos {
	if len(d.problems) >= maxProblems {
		return Pos{File: d.file} // add will drop it
	}
	for p := path; ; p = parent(p) {
		if at, ok := d.places[p]; ok {
			return d.at(at)
		}
		if p == "" {
			return Pos{File: d.file}
		}
	}
}

func (d *document) at(offset int) Pos {
	line, col := lineAndColumn(d.src, offset)
	return Pos{File: d.file, Line: line, Col: col}
}

func parent(path string) string {
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '.' || path[i] == '[' {
			return path[:i]
		}
	}
	return ""
}

func (d *document) table(path string, m map[string]any) *table {
	return &table{doc: d, path: path, m: m, seen: map[string]bool{}}
}

func (t *table) sub(key string) string { return join(t.path, key) }
func (t *table) pos() Pos              { return t.doc.pos(t.path) }
func (t *table) posOf(key string) Pos  { return t.doc.pos(t.sub(key)) }

func (t *table) has(key string) bool {
	_, ok := t.m[key]
	return ok
}

func (t *table) fail(key, id string, pairs ...any) {
	t.doc.add(problem(id, t.posOf(key), append([]any{"Key", t.sub(key)}, pairs...)...))
}

// value reads a key of any type; a missing one is a problem if needed.
func (t *table) value(key string, needed bool) (any, bool) {
	t.seen[key] = true
	v, ok := t.m[key]
	if !ok && needed {
		t.doc.add(problem(errMissingKey, t.pos(), "Key", t.sub(key)))
	}
	return v, ok
}

func (t *table) wrongType(key, want string) { t.fail(key, errKeyType, "Want", want) }

// text reads a string that is not empty.
func (t *table) text(key string, needed bool) string {
	v, ok := t.value(key, needed)
	if !ok {
		return ""
	}
	s, ok := v.(string)
	if !ok {
		t.wrongType(key, "string")
		return ""
	}
	if s == "" && needed {
		t.fail(key, errEmptyKey)
	}
	return s
}

// word reads a string that must be one of a list; without it, the first.
func (t *table) word(key string, needed bool, words ...string) string {
	s := t.text(key, needed)
	if s == "" {
		return words[0]
	}
	if !slices.Contains(words, s) {
		t.fail(key, errUnknownWord, "Value", s, "Want", strings.Join(words, ", "))
		return words[0]
	}
	return s
}

// number reads an integer from lo to hi; without it, def.
func (t *table) number(key string, needed bool, def, lo, hi int) int {
	v, ok := t.value(key, needed)
	if !ok {
		return def
	}
	n, ok := v.(int64)
	if !ok {
		t.wrongType(key, "integer")
		return def
	}
	if n < int64(lo) || n > int64(hi) {
		t.fail(key, errOutOfRange, "Value", n, "Min", lo, "Max", hi)
		return def
	}
	return int(n)
}

func (t *table) flag(key string) bool {
	v, ok := t.value(key, false)
	if !ok {
		return false
	}
	b, ok := v.(bool)
	if !ok {
		t.wrongType(key, "boolean")
	}
	return b
}

// texts reads a list of strings; a bare string counts as a list of one.
func (t *table) texts(key string, needed bool) []string {
	v, ok := t.value(key, needed)
	if !ok {
		return nil
	}
	if s, ok := v.(string); ok {
		return []string{s}
	}
	list, ok := v.([]any)
	if !ok {
		t.wrongType(key, "[string]")
		return nil
	}
	out := make([]string, 0, len(list))
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			t.wrongType(key, "[string]")
			return nil
		}
		out = append(out, s)
	}
	if len(out) == 0 && needed {
		t.fail(key, errEmptyKey)
	}
	return out
}

// child reads a table.
func (t *table) child(key string, needed bool) *table {
	v, ok := t.value(key, needed)
	if !ok {
		return nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		t.wrongType(key, "table")
		return nil
	}
	return t.doc.table(t.sub(key), m)
}

// children reads an array of tables, in the order of the file.
func (t *table) children(key string, needed bool) []*table {
	v, ok := t.value(key, needed)
	if !ok {
		return nil
	}
	var out []*table
	switch list := v.(type) {
	case []map[string]any:
		for i, m := range list {
			out = append(out, t.doc.table(t.sub(key)+index(i), m))
		}
	case []any:
		for i, e := range list {
			m, ok := e.(map[string]any)
			if !ok {
				t.wrongType(key, "[[table]]")
				return nil
			}
			out = append(out, t.doc.table(t.sub(key)+index(i), m))
		}
	default:
		t.wrongType(key, "[[table]]")
	}
	if len(out) == 0 && needed {
		t.fail(key, errEmptyKey)
	}
	return out
}

// close reports the keys that nobody asked for.
func (t *table) close() {
	for _, key := range sortedKeys(t.m) {
		if !t.seen[key] {
			t.fail(key, errUnknownKey, "Nearest", nearest(key, t.seen))
		}
	}
}

// nearest is the known key that most resembles a misspelt one, or "".
func nearest(key string, known map[string]bool) string {
	best, bestAt := "", 3
	for _, k := range sortedKeys(known) {
		if d := editDistance(key, k); d < bestAt {
			best, bestAt = k, d
		}
	}
	return best
}

func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// plain turns a TOML value into what keys are compared with: int64, string,
// bool, exact decimal or list. A TOML float is read by its shortest decimal
// form, so 0.1 is one tenth.
func plain(v any) (any, bool) {
	switch v := v.(type) {
	case int64, string, bool:
		return v, true
	case float64:
		r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'f', -1, 64))
		return r, ok
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			p, ok := plain(e)
			if !ok {
				return nil, false
			}
			out[i] = p
		}
		return out, true
	}
	return nil, false
}
