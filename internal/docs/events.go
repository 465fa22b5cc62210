package main

import (
	"reflect"
	"strings"

	"streaminglab/sim"
)

// events writes the step types with their fields.
func events() string {
	p := newPage("Steps")
	p.line("")
	p.line("Schema version: %d. It rises when a field goes or changes its meaning; a new type or a new field does not raise it.", sim.StepSchema)
	p.line("")
	p.line("`lab run --json` writes one object a line, UTF-8, keys in a fixed order. 64-bit integers are numbers; the")
	p.line("extremes of time are written `\"MIN\"` and `\"MAX\"`. Fields marked *optional* are left out when they are empty.")
	p.heading("Keys of every step")
	p.table("key", "type", "meaning")
	for _, k := range [][3]string{
		{"seq", "integer", "number of the step, from 1"},
		{"t", "integer", "virtual time, ms"},
		{"type", "text", "the type"},
		{"at", "text", "where: `totals[0]`, `split:clicks/1`, `jm`, `lab`"},
		{"rule", "text", "the rule that produced it, see rules.md"},
		{"cause", "list of integers", "the steps that led to it"},
	} {
		p.row(code(k[0]), k[1], k[2])
	}
	for _, b := range sim.StepTypes() {
		p.heading(code(b.StepType()))
		t := reflect.TypeOf(b)
		if t.NumField() == 0 {
			p.line("No fields of its own.")
			continue
		}
		p.table("field", "type", "meaning")
		fields(p, t, "")
	}
	return p.String()
}

// fields writes the fields of a struct, those of structs inside it with their
// path.
func fields(p *page, t reflect.Type, prefix string) {
	for _, f := range sim.FieldsOf(t) {
		doc := t.Field(f.Index).Tag.Get("doc")
		if f.Omit {
			doc = strings.TrimSpace("*optional* " + doc)
		}
		name := prefix + f.Name
		inner, list := f.Type, ""
		for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
			if inner.Kind() == reflect.Slice {
				list = "[]"
			}
			inner = inner.Elem()
		}
		p.row(code(name), typeName(f.Type), doc)
		if inner.Kind() == reflect.Struct {
			fields(p, inner, name+list+".")
		}
	}
}

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.Slice:
		return "list of " + typeName(t.Elem())
	case reflect.Struct:
		return "object"
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "text"
	}
	return "integer"
}
