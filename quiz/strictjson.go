package quiz

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds the nesting of an answer file; the form needs four levels.
const maxDepth = 8

// readJSON parses a JSON file into its root table, refusing what
// encoding/json lets pass: two keys of the same name (the last would win),
// data after the value, text that is not UTF-8 (it would become U+FFFD),
// any depth. Keys are compared exactly later, by the table.
func readJSON(file string, data []byte) (*document, *table) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	doc := &document{file: file, src: string(data), places: places{"": 0}}
	r := &jsonReader{doc: doc, src: doc.src, dec: json.NewDecoder(bytes.NewReader(data))}
	r.dec.UseNumber()
	if !utf8.Valid(data) || loneSurrogate(r.src) {
		doc.add(problem(errEncoding, Pos{File: file}))
		return doc, nil
	}
	v, ok := r.value("", 1, "")
	if !ok {
		return doc, nil
	}
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		doc.add(problem(errTrailing, r.here()))
		return doc, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		doc.add(problem(errNotObject, Pos{File: file, Line: 1, Col: 1}))
		return doc, nil
	}
	return doc, doc.table("", m)
}

type jsonReader struct {
	doc *document
	src string
	dec *json.Decoder
}

func (r *jsonReader) offset() int { return int(r.dec.InputOffset()) }

func (r *jsonReader) here() Pos { return r.doc.at(r.offset()) }

func (r *jsonReader) fail(id string, pairs ...any) (any, bool) {
	r.doc.add(problem(id, r.here(), pairs...))
	return nil, false
}

// value reads a value. before are the signs of which one must stand in front
// of it, or of which one ends what it would belong to.
func (r *jsonReader) value(path string, depth int, before string) (any, bool) {
	if depth > maxDepth {
		return r.fail(errDepth, "Max", maxDepth)
	}
	start := r.offset() // the decoder passes signs also when it fails
	token, err := r.dec.Token()
	if err != nil {
		return r.fault(start, before, false)
	}
	switch token {
	case json.Delim('{'):
		return r.object(path, depth)
	case json.Delim('['):
		list := []any{}
		for r.dec.More() {
			element := path + index(len(list))
			r.doc.places[element] = r.begin()
			before := ""
			if len(list) > 0 {
				before = ",]"
			}
			v, ok := r.value(element, depth+1, before)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, r.end(",]")
	}
	return token, true
}

func (r *jsonReader) object(path string, depth int) (any, bool) {
	m := map[string]any{}
	before := ""
	for r.dec.More() {
		begin, start := r.begin(), r.offset()
		token, err := r.dec.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return r.fault(start, before, true)
		}
		before = ",}"
		if _, twice := m[key]; twice {
			return r.fail(errDuplicateKey, "Key", key)
		}
		r.doc.places[join(path, key)] = begin
		v, ok := r.value(join(path, key), depth+1, ":")
		if !ok {
			return nil, false
		}
		m[key] = v
	}
	return m, r.end(",}")
}

// begin is where the next token starts: after blanks and a comma.
func (r *jsonReader) begin() int {
	at := r.offset()
	for at < len(r.src) && strings.IndexByte(" \t\r\n,:", r.src[at]) >= 0 {
		at++
	}
	return at
}

// end reads the closing bracket, the last of the signs.
func (r *jsonReader) end(signs string) bool {
	start := r.offset()
	if _, err := r.dec.Token(); err != nil {
		r.fault(start, signs, false)
		return false
	}
	return true
}

// fault says what is wrong behind a token, and where: before is as for value;
// key says that a key is due.
func (r *jsonReader) fault(at int, before string, key bool) (any, bool) {
	fail := func(id string, pairs ...any) (any, bool) {
		r.doc.add(problem(id, r.doc.at(at), pairs...))
		return nil, false
	}
	blanks := func() {
		for at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[at]) >= 0 {
			at++
		}
	}
	blanks()
	if before != "" && at < len(r.src) {
		if r.src[at] != before[0] {
			return fail(errJSONSign, "Value", found(r.src[at:]), "Want", strings.Join(strings.Split(before, ""), " "))
		}
		at++
		blanks()
	}
	switch {
	case at >= len(r.src):
		at = r.offset()
		return fail(errCutOff)
	case r.src[at] == '"':
		return r.faultIn(at)
	case key:
		return fail(errJSONKey, "Value", found(r.src[at:]))
	}
	return fail(errJSONValue, "Value", found(r.src[at:]))
}

// faultIn says what is wrong inside a text that begins at a quote.
func (r *jsonReader) faultIn(quote int) (any, bool) {
	fail := func(at int, id string, pairs ...any) (any, bool) {
		r.doc.add(problem(id, r.doc.at(at), pairs...))
		return nil, false
	}
	for at := quote + 1; at < len(r.src); at++ {
		switch c := r.src[at]; {
		case c < ' ':
			return fail(at, errJSONText, "Value", found(r.src[at:]))
		case c == '\\':
			at++
			if at < len(r.src) && strings.IndexByte("\"\\/bfnrt", r.src[at]) < 0 && !unicodeEscape(r.src[at:]) {
				_, size := utf8.DecodeRuneInString(r.src[at:])
				return fail(at-1, errJSONText, "Value", `\`+found(r.src[at:at+size]))
			}
		case c == '"':
			// The text is sound, so it stands where none may.
			return fail(quote, errJSONValue, "Value", found(r.src[quote:]))
		}
	}
	return fail(quote, errCutOff)
}

func unicodeEscape(s string) bool {
	if len(s) < 5 || s[0] != 'u' {
		return false
	}
	for _, c := range []byte(s[1:5]) {
		if strings.IndexByte("0123456789abcdef", c|0x20) < 0 {
			return false
		}
	}
	return true
}

// found is the word or the sign with which a text begins, as it can be shown.
func found(s string) string {
	n := 0
	for n < len(s) && n < 20 && (s[n] >= '0' && s[n] <= '9' || s[n] >= 'a' && s[n] <= 'z' || s[n] >= 'A' && s[n] <= 'Z' || strings.IndexByte("+-._", s[n]) >= 0) {
		n++
	}
	if n > 0 {
		return s[:n]
	}
	c, size := utf8.DecodeRuneInString(s)
	if size == 0 || !unicode.IsPrint(c) {
		return fmt.Sprintf("U+%04X", c)
	}
	return s[:size]
}

// loneSurrogate finds \uD800 without its other half, which the decoder would
// quietly replace.
func loneSurrogate(src string) bool {
	unit := func(at int) (uint32, bool) {
		if at+6 > len(src) || src[at] != '\\' || src[at+1] != 'u' {
			return 0, false
		}
		var n uint32
		for _, c := range []byte(src[at+2 : at+6]) {
			d := strings.IndexByte("0123456789abcdef", c|0x20)
			if d < 0 {
				return 0, false
			}
			n = n<<4 | uint32(d)
		}
		return n, true
	}
	for at := 0; at < len(src); at++ {
		if src[at] != '\\' {
			continue
		}
		n, ok := unit(at)
		switch {
		case !ok:
			at++ // an escape of two characters
		case n >= 0xD800 && n < 0xDC00:
			low, ok := unit(at + 6)
			if !ok || low < 0xDC00 || low > 0xDFFF {
				return true
			}
			at += 11
		case n >= 0xDC00 && n <= 0xDFFF:
			return true
		default:
			at += 5
		}
	}
	return false
}
