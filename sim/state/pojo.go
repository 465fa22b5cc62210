package state

import (
	"fmt"
	"strings"

	"streaminglab/sim"
)

// A POJO is an object with the fields of its type, in their order: int64 for
// int and long, bool, string, or nil where the type can be null.
type POJO struct{ Values []any }

// POJOCodec writes objects with the description of their type in front, and
// reads those of another type as Flink's serializers do (CP-9.6): fields by
// name, or not at all.
type POJOCodec struct {
	Type TypeInfo
	// Backend words the exception: heap backends have their own.
	Backend string
}

// Describe is the type as its snapshot writes it: "a:int,b:string".
func (t TypeInfo) Describe() string {
	parts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		parts[i] = f.Name + ":" + f.Type
	}
	return strings.Join(parts, ",")
}

// describedPOJO reads what Describe wrote of a POJO.
func describedPOJO(s string) TypeInfo {
	t := TypeInfo{Kind: KindPOJO}
	for _, part := range strings.Split(s, ",") {
		if name, typ, ok := strings.Cut(part, ":"); ok {
			t.Fields = append(t.Fields, Field{Name: name, Type: typ})
		}
	}
	return t
}

// New is an object of the type with the default of each field.
func (t TypeInfo) New() POJO {
	v := POJO{Values: make([]any, len(t.Fields))}
	for i, f := range t.Fields {
		v.Values[i] = f.Default()
	}
	return v
}

// Tags of values.
const (
	tagNull = iota
	tagInteger
	tagTrue
	tagFalse
	tagString
)

// Append writes v.
func (c POJOCodec) Append(dst []byte, v POJO) []byte {
	dst = String{}.Append(dst, c.Type.Describe())
	if len(v.Values) == 0 {
		v = c.Type.New()
	}
	for _, x := range v.Values {
		switch x := x.(type) {
		case int64:
			dst = Int64{}.Append(append(dst, tagInteger), x)
		case bool:
			if x {
				dst = append(dst, tagTrue)
			} else {
				dst = append(dst, tagFalse)
			}
		case string:
			dst = String{}.Append(append(dst, tagString), x)
		default:
			dst = append(dst, tagNull)
		}
	}
	return dst
}

// Read reads an object, of this type or of one that this type can go on with.
// The error is an exception when it cannot.
func (c POJOCodec) Read(src []byte) (POJO, []byte, error) {
	text, src, err := String{}.Read(src)
	if err != nil {
		return POJO{}, nil, err
	}
	old := c.Type
	if text != c.Type.Describe() {
		old = describedPOJO(text)
	}
	v := POJO{}
	for range old.Fields {
		if len(src) == 0 {
			return POJO{}, nil, ErrCodec
		}
		tag := src[0]
		src = src[1:]
		var x any
		switch tag {
		case tagNull:
		case tagInteger:
			x, src, err = anyOf(Int64{}.Read(src))
		case tagTrue, tagFalse:
			x = tag == tagTrue
		case tagString:
			x, src, err = anyOf(String{}.Read(src))
		default:
			err = ErrCodec
		}
		if err != nil {
			return POJO{}, nil, err
		}
		v.Values = append(v.Values, x)
	}
	if text == c.Type.Describe() {
		return v, src, nil
	}
	v, err = c.migrate(old, v)
	return v, src, err
}

func anyOf[V any](v V, rest []byte, err error) (any, []byte, error) { return v, rest, err }

// migrate makes an object of this type from one of another.
func (c POJOCodec) migrate(old TypeInfo, v POJO) (POJO, error) {
	compat, err := c.Type.Resolve(old)
	if err != nil {
		return POJO{}, err
	}
	if compat == Incompatible {
		where := "The"
		if c.Backend == Heap.Name {
			where = "For heap backends, the"
		}
		return POJO{}, &sim.Exception{
			Class: "org.apache.flink.util.StateMigrationException", Rule: "CP-9.6",
			Message: fmt.Sprintf("%s new state serializer (PojoSerializer{%s}) must not be incompatible with the old state serializer (PojoSerializer{%s}).",
				where, c.Type.Describe(), old.Describe()),
		}
	}
	named := map[string]any{}
	for i, f := range old.Fields {
		named[f.Name] = v.Values[i]
	}
	named = c.Type.Migrate(old, named)
	out := POJO{}
	for _, f := range c.Type.Fields {
		out.Values = append(out.Values, named[f.Name])
	}
	return out, nil
}

// Migrates says whether bytes are of another type than the codec's: they are
// written anew when the state is opened, as RocksDB does it.
func (c POJOCodec) Migrates(src []byte) bool {
	text, _, err := String{}.Read(src)
	return err == nil && text != c.Type.Describe()
}

// Format writes the fields with their names.
func (c POJOCodec) Format(v POJO) string {
	parts := make([]string, len(v.Values))
	for i, x := range v.Values {
		if x == nil {
			x = "null"
		}
		parts[i] = fmt.Sprintf("%s: %v", c.Type.Fields[i].Name, x)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
