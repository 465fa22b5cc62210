package quiz

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
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
	v, ok := r.value("", 1)
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

func (r *jsonReader) value(path string, depth int) (any, bool) {
	if depth > maxDepth {
		return r.fail(errDepth, "Max", maxDepth)
	}
	token, err := r.dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return r.fail(errCutOff)
		}
		return r.fail(errSyntax, "Detail", err.Error())
	}
	switch token {
	case json.Delim('{'):
		return r.object(path, depth)
	case json.Delim('['):
		list := []any{}
		for r.dec.More() {
			element := path + index(len(list))
			r.doc.places[element] = r.begin()
			v, ok := r.value(element, depth+1)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, r.end()
	}
	return token, true
}

func (r *jsonReader) object(path string, depth int) (any, bool) {
	m := map[string]any{}
	for r.dec.More() {
		begin := r.begin()
		token, err := r.dec.Token()
		if err != nil {
			return r.fail(errSyntax, "Detail", err.Error())
		}
		key, ok := token.(string)
		if !ok {
			return r.fail(errSyntax, "Detail", "key")
		}
		if _, twice := m[key]; twice {
			return r.fail(errDuplicateKey, "Key", key)
		}
		r.doc.places[join(path, key)] = begin
		v, ok := r.value(join(path, key), depth+1)
		if !ok {
			return nil, false
		}
		m[key] = v
	}
	return m, r.end()
}

// begin is where the next token starts: after blanks and a comma.
func (r *jsonReader) begin() int {
	at := r.offset()
	for at < len(r.src) && strings.IndexByte(" \t\r\n,:", r.src[at]) >= 0 {
		at++
	}
	return at
}

// end reads the closing bracket.
func (r *jsonReader) end() bool {
	if _, err := r.dec.Token(); err != nil {
		r.fail(errCutOff)
		return false
	}
	return true
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
