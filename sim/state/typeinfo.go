package state

import (
	"slices"

	"streaminglab/sim"
)

// A TypeInfo is the type of a state's values, as its serializer's snapshot
// records it.
type TypeInfo struct {
	// Kind is "pojo", "enum", "tuple", "row", "list" or "basic".
	Kind string
	// Fields are the fields of a POJO; the elements of a tuple, a row or a
	// list, and the one type of a basic kind, have no names.
	Fields []Field
	// Constants are those of an enum, in order.
	Constants []string
}

// A Field has a name, where it needs one, and a type: int, long, boolean,
// string, the boxed Integer, Long, Boolean, or nested, a POJO with one int.
type Field struct{ Name, Type string }

// Kinds of types.
const (
	KindPOJO  = "pojo"
	KindEnum  = "enum"
	KindTuple = "tuple"
	KindRow   = "row"
	KindList  = "list"
	KindBasic = "basic"
)

// FieldTypes are the types that a field can have.
var FieldTypes = []string{"int", "long", "boolean", "string", "Integer", "Long", "Boolean", "nested"}

// Compatibility is the answer of TypeSerializerSnapshot to whether a new
// serializer can go on with values that an old one wrote (CP-9.6).
type Compatibility string

// The answers.
const (
	CompatibleAsIs           Compatibility = "as-is"
	CompatibleAfterMigration Compatibility = "after-migration"
	CompatibleReconfigured   Compatibility = "reconfigured"
	Incompatible             Compatibility = "incompatible"
)

// Resolve says whether a program whose state has this type can read what was
// written as old. An enum that lost a constant throws.
func (t TypeInfo) Resolve(old TypeInfo) (Compatibility, error) {
	if t.Kind != old.Kind {
		return Incompatible, nil
	}
	switch t.Kind {
	case KindPOJO:
		return t.pojo(old), nil
	case KindEnum:
		for _, c := range old.Constants {
			if !slices.Contains(t.Constants, c) {
				return "", &sim.Exception{
					Class:   "java.lang.IllegalStateException",
					Message: "Could not create a restore serializer for enum. Probably because an enum value was removed.", Rule: "CP-9.6",
				}
			}
		}
		if slices.Equal(t.Constants, old.Constants) {
			return CompatibleAsIs, nil
		}
		return CompatibleReconfigured, nil
	}
	same := slices.EqualFunc(t.Fields, old.Fields, func(a, b Field) bool { return serializer(a.Type) == serializer(b.Type) })
	if !same {
		return Incompatible, nil
	}
	return CompatibleAsIs, nil
}

// pojo compares fields by name: their order is free, a field may come or go,
// and one that stays keeps its type.
func (t TypeInfo) pojo(old TypeInfo) Compatibility {
	moved := len(t.Fields) != len(old.Fields)
	for _, f := range t.Fields {
		before, ok := old.field(f.Name)
		switch {
		case !ok:
			moved = true
		case serializer(before.Type) != serializer(f.Type):
			return Incompatible
		}
	}
	if moved {
		return CompatibleAfterMigration
	}
	return CompatibleAsIs
}

func (t TypeInfo) field(name string) (Field, bool) {
	i := slices.IndexFunc(t.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return Field{}, false
	}
	return t.Fields[i], true
}

// serializer is what writes a type: a primitive and its box share one.
func serializer(typ string) string {
	switch typ {
	case "Integer":
		return "int"
	case "Long":
		return "long"
	case "Boolean":
		return "boolean"
	}
	return typ
}

// Default is the value of a field that the stored object did not have: nil
// where the type can be null.
func (f Field) Default() any {
	switch f.Type {
	case "int", "long":
		return int64(0)
	case "boolean":
		return false
	}
	return nil
}

// Migrate reads a POJO that was stored as old: fields by name, new ones with
// their default, those that are gone dropped.
func (t TypeInfo) Migrate(old TypeInfo, value map[string]any) map[string]any {
	out := map[string]any{}
	for _, f := range t.Fields {
		if _, ok := old.field(f.Name); ok {
			out[f.Name] = value[f.Name]
		} else {
			out[f.Name] = f.Default()
		}
	}
	return out
}
