package quiz

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// places says at which byte of a text each key stands: "key.computed",
// "option[1].es.text", and also where each table and array element begins.
// Bytes, not lines: counting lines for every key of a large hostile file would
// take a time that grows with the square of its size, and only a problem needs
// a line.
type places map[string]int

// tomlPlaces finds the places of a TOML text.
//
// BurntSushi/toml checks the syntax but tells the position of a key only when
// its value has the wrong type. A missing or unknown key needs a line too, and
// an author with forty options needs the right one of them. So this walks the
// text a second time; it may assume that the syntax is right, because the
// decoder has accepted it before. On anything unexpected it stops: fewer
// positions, never a wrong answer or a panic.
func tomlPlaces(src string) places {
	w := &tomlWalker{src: src, places: places{"": 0}, count: map[string]int{}}
	w.document()
	return w.places
}

type tomlWalker struct {
	src    string
	at     int
	places places
	count  map[string]int // elements so far of each array of tables
	prefix string         // path of the table whose keys are being read
}

func (w *tomlWalker) document() {
	for {
		w.blank(true)
		if w.at >= len(w.src) {
			return
		}
		begin := w.at
		if w.src[w.at] == '[' {
			w.header()
		} else if !w.pair(w.prefix) {
			return
		}
		if w.at == begin {
			return
		}
	}
}

// header reads [a.b] or [[a.b]]; the parts that name an array of tables mean
// its newest element.
func (w *tomlWalker) header() {
	start := w.at
	w.at++
	array := w.at < len(w.src) && w.src[w.at] == '['
	if array {
		w.at++
	}
	parts, ok := w.key()
	if !ok {
		w.at = len(w.src)
		return
	}
	path := ""
	for i, part := range parts {
		path = join(path, part)
		if i == len(parts)-1 && array {
			n := w.count[path]
			w.count[path] = n + 1
			if n == 0 {
				w.mark(path, start)
			}
			path += index(n)
		} else if n := w.count[path]; n > 0 {
			path += index(n - 1)
		}
	}
	w.mark(path, start)
	w.prefix = path
	for w.at < len(w.src) && w.src[w.at] == ']' {
		w.at++
	}
}

// pair reads key = value below path.
func (w *tomlWalker) pair(path string) bool {
	start := w.at
	parts, ok := w.key()
	if !ok || w.at >= len(w.src) || w.src[w.at] != '=' {
		return false
	}
	for _, part := range parts {
		path = join(path, part)
		if _, known := w.places[path]; !known {
			w.mark(path, start)
		}
	}
	w.at++
	w.blank(false)
	return w.value(path)
}

func (w *tomlWalker) value(path string) bool {
	if w.at >= len(w.src) {
		return false
	}
	switch w.src[w.at] {
	case '"', '\'':
		return w.text()
	case '[':
		w.at++
		for n := 0; ; n++ {
			w.blank(true)
			if w.at >= len(w.src) {
				return false
			}
			if w.src[w.at] == ']' {
				w.at++
				return true
			}
			element := path + index(n)
			w.mark(element, w.at)
			if !w.value(element) || !w.comma(']') {
				return false
			}
		}
	case '{':
		w.at++
		for {
			w.blank(true)
			if w.at >= len(w.src) {
				return false
			}
			if w.src[w.at] == '}' {
				w.at++
				return true
			}
			if !w.pair(path) || !w.comma('}') {
				return false
			}
		}
	}
	for w.at < len(w.src) && !strings.ContainsRune(",]}#\r\n", rune(w.src[w.at])) {
		w.at++
	}
	return true
}

// comma skips one comma, or nothing before the closing bracket.
func (w *tomlWalker) comma(closing byte) bool {
	w.blank(true)
	if w.at >= len(w.src) {
		return false
	}
	if w.src[w.at] == ',' {
		w.at++
		return true
	}
	return w.src[w.at] == closing
}

// text skips a string of any of the four forms.
func (w *tomlWalker) text() bool {
	quote := w.src[w.at : w.at+1]
	if strings.HasPrefix(w.src[w.at:], quote+quote+quote) {
		w.at += 3
		for w.at < len(w.src) {
			switch {
			case quote == `"` && w.src[w.at] == '\\':
				w.at += 2
			case strings.HasPrefix(w.src[w.at:], quote+quote+quote):
				w.at += 3
				for w.at < len(w.src) && w.src[w.at:w.at+1] == quote { // up to two quotes may stand before the end
					w.at++
				}
				return true
			default:
				w.at++
			}
		}
		return false
	}
	_, ok := w.quoted()
	return ok
}

// quoted reads a one-line string and returns its text between the quotes,
// escapes unread: no key of ours needs one.
func (w *tomlWalker) quoted() (string, bool) {
	quote := w.src[w.at]
	w.at++
	start := w.at
	for w.at < len(w.src) && w.src[w.at] != '\n' {
		switch {
		case quote == '"' && w.src[w.at] == '\\':
			w.at++
		case w.src[w.at] == quote:
			text := w.src[start:w.at]
			w.at++
			return text, true
		}
		w.at++
	}
	return "", false
}

func (w *tomlWalker) key() ([]string, bool) {
	var parts []string
	for {
		w.blank(false)
		if w.at >= len(w.src) {
			return nil, false
		}
		if c := w.src[w.at]; c == '"' || c == '\'' {
			part, ok := w.quoted()
			if !ok {
				return nil, false
			}
			parts = append(parts, part)
		} else {
			start := w.at
			for w.at < len(w.src) && !strings.ContainsRune(" \t.=]\r\n#", rune(w.src[w.at])) {
				w.at++
			}
			if w.at == start {
				return nil, false
			}
			parts = append(parts, w.src[start:w.at])
		}
		w.blank(false)
		if w.at >= len(w.src) || w.src[w.at] != '.' {
			return parts, true
		}
		w.at++
	}
}

// blank skips spaces; over lines also line ends and comments.
func (w *tomlWalker) blank(lines bool) {
	for w.at < len(w.src) {
		switch c := w.src[w.at]; {
		case c == ' ' || c == '\t':
			w.at++
		case lines && (c == '\n' || c == '\r'):
			w.at++
		case lines && c == '#':
			for w.at < len(w.src) && w.src[w.at] != '\n' {
				w.at++
			}
		default:
			return
		}
	}
}

func (w *tomlWalker) mark(path string, offset int) { w.places[path] = offset }

// lineAndColumn turns a byte offset into a line and a column, both from 1.
func lineAndColumn(src string, offset int) (line, col int) {
	offset = min(max(offset, 0), len(src))
	begin := strings.LastIndexByte(src[:offset], '\n') + 1
	return 1 + strings.Count(src[:offset], "\n"), 1 + utf8.RuneCountInString(src[begin:offset])
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func index(n int) string { return "[" + strconv.Itoa(n) + "]" }
