package script

import (
	"math"
	"slices"
	"strings"

	"streaminglab/sim/kafka"
	"streaminglab/sim/world"
)

// producerForms are what a producer can be asked, each with its form.
var producerForms = forms{
	{"new", "[id=TRANSACTIONAL_ID] [timeout=DURATION] [linger] [plain]"}, {"init", ""}, {"begin", ""}, {"send", "TOPIC[/PARTITION] [KEY=]VALUE…"},
	{"offsets", "GROUP TOPIC/PARTITION=OFFSET…"}, {"flush", ""}, {"commit", ""}, {"abort", ""}, {"close", ""}, {"kill", ""},
	{"late", "TOPIC/PARTITION SEQUENCE [KEY=]VALUE…"},
}

// forms are the words that follow a name, each with the form of what follows it.
type forms [][2]string

func (f forms) words() (out []string) {
	for _, x := range f {
		out = append(out, x[0])
	}
	return out
}

// usage is the form of one word behind a head, of all without one.
func (f forms) usage(head, word string) string {
	var all []string
	for _, x := range f {
		form := strings.TrimSpace(x[0] + " " + x[1])
		if x[0] == word {
			return head + " " + form
		}
		all = append(all, form)
	}
	return head + " " + strings.Join(all, " | ")
}

// form takes one of the words: the form of what follows is its own.
func (l *line) form(head string, f forms) string {
	word := l.oneOf(f.words()...)
	if l.problem == nil {
		l.usage = f.usage(head, word)
	}
	return word
}

// producerHead is what stands before each form.
const producerHead = "producer NAME"

var verbProducer = &Verb{
	Name: "producer", Class: World,
	Usage: producerForms.usage(producerHead, ""),
	Args:  []Arg{{Kind: ArgProducer}, {Kind: ArgWord, Words: producerForms.words()}},
	forms: func(words []string) []Arg {
		switch words[1] {
		case "new":
			return []Arg{{Kind: ArgWord, Words: []string{"id=", "timeout=", "linger", "plain"}}}
		case "send":
			return []Arg{{Kind: ArgTopicTarget}}
		case "late":
			return []Arg{{Kind: ArgTopicPartition}}
		case "offsets":
			return []Arg{{Kind: ArgGroup}}
		}
		return nil
	},
	parse: parseProducer,
}

func parseProducer(l *line) Command {
	name := l.word(ArgProducer).text
	switch word := l.form(producerHead, producerForms); word {
	case "new":
		return l.newProducer(name)
	case "send":
		return Send{Name: name, Target: l.topicTarget(true), Records: l.records()}
	case "offsets":
		return l.sendOffsets(name)
	case "late":
		return LateProduce{
			Name: name, Target: l.topicTarget(false), Sequence: int32(l.integer(ArgNumber, 0, math.MaxInt32)), Records: l.records(),
		}
	case "close", "kill":
		return CloseProducer{Name: name, Kill: word == "kill"}
	default:
		return ProducerCall{Name: name, Call: word}
	}
}

func (l *line) newProducer(name string) Command {
	c := NewProducer{Name: name}
	l.options(map[string]func(string, int){
		"id": func(v string, col int) {
			if v == "" {
				l.fail(col, "script.missing", "What", "TRANSACTIONAL_ID", "Usage", l.usage)
			}
			c.Options.ID = v
		},
		"timeout": func(v string, col int) {
			if c.Options.Timeout = l.durationOf(v, col); c.Options.Timeout == 0 {
				l.fail(col, "script.negative", "Value", v)
			}
		},
		"linger": func(string, int) { c.Options.Lingers = true },
		"plain":  func(string, int) { c.Options.Plain = true },
	}, []string{"id", "timeout", "linger", "plain"})
	return c
}

func (l *line) sendOffsets(name string) Command {
	c := SendOffsets{Name: name, Group: l.word(ArgGroup).text}
	for len(c.Offsets) == 0 || l.more() {
		w := l.word("TOPIC/PARTITION=OFFSET")
		if l.problem != nil {
			return c
		}
		i := strings.LastIndex(w.text, "=")
		if i < 0 {
			l.fail(w.col, "script.partition-offset", "Value", w.text)
			return c
		}
		t := l.topicTargetOf(w.text[:i], w.col, false)
		if slices.ContainsFunc(c.Offsets, func(o world.PartitionOffset) bool { return o.Target == t }) {
			l.fail(w.col, "script.twice", "Word", w.text[:i])
		}
		offset := l.integerOf(w.text[i+1:], w.col+len([]rune(w.text[:i]))+1, 0, math.MaxInt64)
		c.Offsets = append(c.Offsets, world.PartitionOffset{Target: t, Offset: offset})
	}
	return c
}

// NewProducer makes a producer.
type NewProducer struct {
	command
	Name    string
	Options world.ProducerOptions
}

// Apply implements WorldCommand.
func (c NewProducer) Apply(w *world.World, text world.Command, _ Times) error {
	return w.NewProducer(text, c.Name, c.Options)
}

// ProducerCall is a call of a producer without arguments.
type ProducerCall struct {
	command
	Name, Call string
}

// Apply implements WorldCommand.
func (c ProducerCall) Apply(w *world.World, text world.Command, _ Times) error {
	return w.ProducerCall(text, c.Name, c.Call)
}

// Send lets a producer send records.
type Send struct {
	command
	Name    string
	Target  world.TopicTarget
	Records []kafka.Record
}

// Apply implements WorldCommand.
func (c Send) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Send(text, c.Name, c.Target, append([]kafka.Record(nil), c.Records...))
}

// SendOffsets is sendOffsetsToTransaction.
type SendOffsets struct {
	command
	Name, Group string
	Offsets     []world.PartitionOffset
}

// Apply implements WorldCommand.
func (c SendOffsets) Apply(w *world.World, text world.Command, _ Times) error {
	return w.SendOffsets(text, c.Name, c.Group, c.Offsets)
}

// CloseProducer ends a producer.
type CloseProducer struct {
	command
	Name string
	Kill bool
}

// Apply implements WorldCommand.
func (c CloseProducer) Apply(w *world.World, text world.Command, _ Times) error {
	return w.CloseProducer(text, c.Name, c.Kill)
}

// LateProduce lets a delayed copy of a request of a producer arrive.
type LateProduce struct {
	command
	Name     string
	Target   world.TopicTarget
	Sequence int32
	Records  []kafka.Record
}

// Apply implements WorldCommand.
func (c LateProduce) Apply(w *world.World, text world.Command, _ Times) error {
	return w.LateProduce(text, c.Name, c.Target, c.Sequence, append([]kafka.Record(nil), c.Records...))
}
