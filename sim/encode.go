package sim

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// AppendStep appends the step as one JSON object without a newline. The keys
// stand in a fixed order: seq, t, type, at, rule, cause, then the fields of
// the type in the order of their declaration. Integers that equal
// MinTime or MaxTime are written "MIN" and "MAX".
func AppendStep(dst []byte, s *Step) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendInt(dst, int64(s.Seq), 10)
	dst = append(dst, `,"t":`...)
	dst = AppendTime(dst, s.T)
	dst = append(dst, `,"type":`...)
	dst = AppendString(dst, s.Type())
	dst = append(dst, `,"at":`...)
	dst = AppendString(dst, s.At)
	if s.Job != "" {
		dst = append(dst, `,"beside":`...)
		dst = AppendString(dst, s.Job)
	}
	dst = append(dst, `,"rule":`...)
	dst = AppendString(dst, s.Rule)
	dst = append(dst, `,"cause":[`...)
	for i, c := range s.CauseSeqs() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(dst, int64(c), 10)
	}
	dst = append(dst, ']')
	dst = appendFields(dst, reflect.ValueOf(s.Body), true)
	return append(dst, '}')
}

// AppendTime appends t as a JSON value: a number, or "MIN" or "MAX".
func AppendTime(dst []byte, t int64) []byte {
	switch t {
	case MinTime:
		return append(dst, `"MIN"`...)
	case MaxTime:
		return append(dst, `"MAX"`...)
	}
	return strconv.AppendInt(dst, t, 10)
}

// AppendString appends s as a JSON string. Escaped is what JSON demands, and
// what a terminal that shows the line would act on; bytes that are no UTF-8
// become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c == '\n':
				dst = append(dst, '\\', 'n')
			case c == '\t':
				dst = append(dst, '\\', 't')
			case c < 0x20 || c == 0x7f:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, "\ufffd"...)
		} else if acts(r) {
			dst = append(dst, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		} else {
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return append(dst, '"')
}

// acts: C1 controls, and marks that turn or break the line (all below U+10000).
func acts(r rune) bool {
	return r < 0xa0 || r <= 0xffff && unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// A Field describes one field of a step's type.
type Field struct {
	// Name is the key in JSON.
	Name string
	// Omit says that an empty value is left out.
	Omit bool
	// Index and Type are those of the field of the struct.
	Index int
	Type  reflect.Type
}

var fieldCache sync.Map // reflect.Type -> []Field

// FieldsOf lists the fields of a struct type in the order in which they are
// written.
func FieldsOf(t reflect.Type) []Field {
	if f, ok := fieldCache.Load(t); ok {
		return f.([]Field)
	}
	var out []Field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			panic(fmt.Sprintf("sim: step field %s of %s: embedded structs have no place of their own", f.Name, t))
		}
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			// Elements of the folds are written under the names that expressions use.
			name = f.Tag.Get("expr")
		}
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		out = append(out, Field{Name: name, Omit: opts == "omitempty", Index: i, Type: f.Type})
	}
	fieldCache.Store(t, out)
	return out
}

func appendFields(dst []byte, v reflect.Value, comma bool) []byte {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	for _, f := range FieldsOf(v.Type()) {
		fv := v.Field(f.Index)
		if f.Omit && isEmpty(fv) {
			continue
		}
		if comma {
			dst = append(dst, ',')
		}
		comma = true
		dst = AppendString(dst, f.Name)
		dst = append(dst, ':')
		dst = appendValue(dst, fv)
	}
	return dst
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.String, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func appendValue(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(dst, "null"...)
		}
		return appendValue(dst, v.Elem())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return AppendTime(dst, v.Int())
	case reflect.String:
		return AppendString(dst, v.String())
	case reflect.Slice:
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, v.Index(i))
		}
		return append(dst, ']')
	case reflect.Struct:
		dst = append(dst, '{')
		dst = appendFields(dst, v, false)
		return append(dst, '}')
	}
	panic("sim: a step cannot hold a " + v.Kind().String())
}

// JSON returns any value of a step's field as JSON, in the form of a step.
func JSON(v any) string {
	if v == nil {
		return "null"
	}
	return string(appendValue(nil, reflect.ValueOf(v)))
}
