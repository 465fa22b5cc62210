package script

import (
	"strconv"
	"unicode/utf8"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/world"
)

var verbProduce = &Verb{
	Name: "produce", Class: World,
	Usage: "produce SOURCE[/SPLIT] TIME|none KEY VALUE [mark] [event=TIME] [expr=none] [gap=DURATION] [op=+I|-U|+U|-D]",
	Args: []Arg{
		{Kind: ArgTarget}, {Kind: ArgTime}, {Kind: ArgKey}, {Kind: ArgValue},
		{Kind: ArgWord, Optional: true, Words: []string{"mark", "event=", "expr=none", "gap=", "op=+I", "op=-U", "op=+U", "op=-D"}},
	},
	parse: parseProduce,
}

// maxText is the longest key or word of a record, in characters.
const maxText = 64

// Produce appends a record.
type Produce struct {
	command
	Target world.Target
	Record operator.Record
}

func parseProduce(l *line) Command {
	c := Produce{Target: l.target(false)}
	r := &c.Record
	if l.peek() == "none" {
		l.word(ArgTime)
		r.TS = sim.MinTime
	} else {
		r.TS = l.time()
	}
	key := l.word(ArgKey)
	r.Name = key.text
	value := l.word(ArgValue)
	if n, err := strconv.ParseInt(value.text, 10, 64); err == nil {
		r.Value = n
	} else {
		r.Word = value.text
	}
	for _, w := range []word{key, value} {
		if utf8.RuneCountInString(w.text) > maxText {
			l.fail(w.col, "script.word-too-long", "Max", maxText)
		}
	}
	l.options(map[string]func(string, int){
		"mark": func(string, int) { r.Mark = true },
		"event": func(v string, col int) {
			r.Event, r.HasEvent = l.timeOf(v, col), true
		},
		"expr": func(v string, col int) {
			if v != "none" {
				l.fail(col, "script.unknown-word", "Word", v, "Known", "none", "Nearest", "none")
			}
			r.NullExpr = true
		},
		"gap": func(v string, col int) { r.Gap = l.durationOf(v, col) },
		"op": func(v string, col int) {
			for k := operator.Insert; k <= operator.Delete; k++ {
				if k.String() == v {
					r.Kind = k
					return
				}
			}
			l.fail(col, "script.unknown-word", "Word", v, "Known", "+I, -U, +U, -D", "Nearest", "+I")
		},
	}, []string{"mark", "event", "expr", "gap", "op"})
	return c
}

// Apply implements WorldCommand.
func (c Produce) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Produce(text, c.Target, c.Record)
}
