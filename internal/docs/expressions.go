package main

import (
	"reflect"

	"streaminglab/internal/narrate"
	"streaminglab/sim/fold"
)

// function is a function of the language that expr-lang does not have.
type function struct{ form, gives, doc string }

var functions = []function{
	{`time("12:00:05")`, "integer", "a time in ms since the epoch, in any form of the command language"},
	{`duration("4.8s")`, "integer", "a duration in ms"},
	{`div(7, 2)`, "integer", "integer division; `/` is refused, because it would give a fraction"},
	{`watermark("totals[0]")`, "integer", "the watermark of a split, of a subtask, or the lowest of all subtasks; `MIN` before the first"},
	{`idle("clicks/1")`, "boolean", "whether a split or a subtask is idle; a source or operator is when all its subtasks are"},
	{`held_by("clicks[0]")`, "list of text", "who holds the watermark of a subtask back; empty: nobody"},
	{`metric("totals[0].numLateRecordsDropped")`, "integer", "a metric of the running attempt, of a subtask or summed over subtasks"},
	{`total("totals.numLateRecordsDropped")`, "integer", "a counter over all attempts"},
	{`restorable("job1/chk-3")`, "boolean", "everything that a completed snapshot needs is there: its `_metadata` and each of its files; its name is one that `restore` takes"},
	{`committed("orders/0")`, "list of text", "the values of a partition that a `read_committed` reader gets from its log start, in the order of offsets"},
	{`uncommitted("orders/0")`, "list of text", "the values that a `read_uncommitted` reader gets"},
	{`stored("job1/shared/")`, "integer", "bytes that lie below a prefix: a whole name, one from the directory of a job on, or for the present job one from below it on"},
}

// refusal is something that expr-lang has and the language refuses.
type refusal struct{ example, doc string }

var refusals = []refusal{
	{`now()`, "the clock of the machine; `now` is the virtual time"},
	{`date("2026-11-29")`, "dates and zones of the machine"},
	{`timezone("UTC")`, "dates and zones of the machine"},
	{`7 / 2`, "division with fractions; use `div(7, 2)`"},
	{`2 ** 3`, "powers"},
	{`1.5`, "fractions: everything is a 64-bit integer, and overflow is an error"},
	{`float(1)`, "fractions: everything is a 64-bit integer, and overflow is an error"},
	{`mean(map(records, .ts))`, "fractions: everything is a 64-bit integer, and overflow is an error"},
	{`sum(1..99999999)`, "long ranges, and ranges between values that are not written out"},
	{`toJSON(records)`, "other formats"},
	{`all(records, all(records, any(records, true)))`, "predicates inside predicates inside predicates"},
}

// expressions writes the folds, their elements and the functions.
func expressions() string {
	p := newPage("Expressions")
	p.line("")
	p.line("`expect`, `predict`, `run until`, goals and the keys of quiz items are expressions of one language:")
	p.line("[expr-lang](https://expr-lang.org/docs/language-definition) over the folds below. Fields of an element are")
	p.line("written `.ts` inside a predicate: `any(records, .ts <= .watermark_before && .accepted)`. Times and durations are")
	p.line("integers in ms; `MIN` and `MAX` are the extremes of time. Evaluation is bounded.")
	folds := reflect.TypeFor[fold.Folds]()
	p.heading("Folds")
	p.table("name", "type", "meaning")
	var elements []reflect.StructField
	for i := range folds.NumField() {
		f := folds.Field(i)
		name := f.Tag.Get("expr")
		if name == "" {
			continue
		}
		p.row(code(name), foldType(f.Type), f.Tag.Get("doc"))
		if f.Type.Kind() == reflect.Slice && f.Tag.Get("expr") != "" {
			elements = append(elements, f)
		}
	}
	seen := map[reflect.Type]bool{}
	for _, f := range elements {
		element(p, code(f.Tag.Get("expr")), f.Type.Elem(), seen)
	}
	p.heading("Functions")
	p.line("Besides those of expr-lang (`count`, `any`, `all`, `none`, `one`, `filter`, `map`, `len`, `sum`, `min`, `max`, …):")
	p.line("")
	p.table("form", "gives", "meaning")
	for _, f := range functions {
		p.row(code(f.form), f.gives, f.doc)
	}
	p.heading("Metrics")
	p.table("metric", "es", "ko")
	for _, m := range fold.Metrics {
		p.row(code(m), narrate.Metric(es, m), narrate.Metric(ko, m))
	}
	p.heading("What is refused")
	p.table("example", "why")
	for _, r := range refusals {
		p.row(code(r.example), r.doc)
	}
	return p.String()
}

// element writes the fields of the elements of a fold, and of what they hold.
func element(p *page, of string, t reflect.Type, seen map[reflect.Type]bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	p.heading("An element of " + of)
	p.table("field", "type", "meaning")
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Tag.Get("expr") == "" {
			continue // expressions do not see it
		}
		p.row(code("."+f.Tag.Get("expr")), foldType(f.Type), f.Tag.Get("doc"))
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Type.Kind() == reflect.Slice && f.Tag.Get("expr") != "" {
			element(p, code("."+f.Tag.Get("expr"))+" of "+of, f.Type.Elem(), seen)
		}
	}
}

func foldType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice:
		if k := t.Elem().Kind(); k == reflect.Struct || k == reflect.Pointer {
			return "list"
		}
		return "list of " + foldType(t.Elem())
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "text"
	}
	return "integer"
}
