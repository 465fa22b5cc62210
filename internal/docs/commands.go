package main

import (
	"streaminglab/internal/narrate"
	"streaminglab/sim"
	"streaminglab/sim/script"
)

// commands writes the registry of verbs and the fault points.
func commands() string {
	p := newPage("The command language")
	p.line("")
	p.line("One command a line, `#` begins a comment except within brackets, quotes keep blanks together. A script is parsed whole before its")
	p.line("first line runs. Times: an integer is ms since the epoch; `4.8s` with a unit; `HH:MM:SS[.mmm]` on the")
	p.line("experiment's day; ISO-8601 with offset; `none`; `MIN`; `MAX`. Durations always have a unit: `200ms`, `4.8s`, `5m`.")
	for _, c := range []struct {
		class script.Class
		title string
	}{
		{script.World, "World verbs: they change the simulation and make its steps"},
		{script.Question, "Question verbs: kept in the transcript, outside the simulation"},
		{script.Session, "Session verbs: interactive only"},
	} {
		p.heading(c.title)
		p.table("form", "class", "es", "ko")
		for _, v := range script.Verbs() {
			if v.Class == c.class && v.Chapter == "" {
				p.row(code(v.Usage), string(v.Class), narrate.Verb(es, v.Name), narrate.Verb(ko, v.Name))
			}
		}
	}
	later := false
	for _, v := range script.Verbs() {
		if v.Chapter == "" {
			continue
		}
		if !later {
			p.heading("Reserved for later chapters")
			p.table("verb", "class", "chapter", "es", "ko")
			later = true
		}
		p.row(code(v.Name), string(v.Class), v.Chapter, narrate.Chapter(es, v.Chapter), narrate.Chapter(ko, v.Chapter))
	}
	p.heading("Fault points")
	p.table("point", "kinds", "rule", "es", "ko")
	for _, f := range sim.FaultPoints() {
		p.row(code(f.Name), codes(f.Kinds), f.Rule, narrate.FaultPoint(es, f.Name), narrate.FaultPoint(ko, f.Name))
	}
	p.heading("Views of `show`")
	p.table("view", "es", "ko")
	for _, v := range script.Views {
		p.row(code(v), narrate.View(es, v), narrate.View(ko, v))
	}
	return p.String()
}
