package script

import (
	"math"
	"slices"
	"strings"

	"streaminglab/sim/kafka"
	"streaminglab/sim/world"
)

var (
	// consumerForms are what a consumer can be asked, each with its form.
	consumerForms = forms{
		{"new", "TOPIC [isolation=read_committed|read_uncommitted] [group=GROUP] [reset=earliest|latest|none]"}, {"poll", ""},
		{"seek", "TOPIC/PARTITION OFFSET"}, {"commit", "[last+1]"}, {"close", ""},
	}
	isolations = []string{kafka.ReadCommitted, kafka.ReadUncommitted}
	resets     = []string{kafka.ResetEarliest, kafka.ResetLatest, kafka.ResetNone}
)

// consumerHead is what stands before each form.
const consumerHead = "consumer NAME"

// lastRecord is the offset behind the last record, not the position.
const lastRecord = "last+1"

var verbConsumer = &Verb{
	Name: "consumer", Class: World,
	Usage: consumerForms.usage(consumerHead, ""),
	Args:  []Arg{{Kind: ArgConsumer}, {Kind: ArgWord, Words: consumerForms.words()}},
	forms: func(words []string) []Arg {
		switch words[1] {
		case "new":
			return []Arg{{Kind: ArgTopic}, {Kind: ArgWord, Words: consumerOptions()}}
		case "seek":
			return []Arg{{Kind: ArgTopicPartition}}
		case "commit":
			return []Arg{{Kind: ArgWord, Words: []string{lastRecord}}}
		}
		return nil
	},
	parse: parseConsumer,
}

func consumerOptions() (out []string) {
	for _, v := range isolations {
		out = append(out, "isolation="+v)
	}
	for _, v := range resets {
		out = append(out, "reset="+v)
	}
	return append(out, "group=")
}

func parseConsumer(l *line) Command {
	c := Consumer{Name: l.word(ArgConsumer).text}
	switch c.Call = l.form(consumerHead, consumerForms); c.Call {
	case "new":
		c.Topic = l.word(ArgTopic).text
		l.options(map[string]func(string, int){
			"isolation": func(v string, col int) { c.Options.Isolation = l.among(v, col, isolations) },
			"reset":     func(v string, col int) { c.Options.Reset = l.among(v, col, resets) },
			"group":     func(v string, _ int) { c.Options.Group = v },
		}, []string{"isolation", "group", "reset"})
	case "seek":
		c.Target = l.topicTarget(false)
		c.Offset = l.integer("OFFSET", 0, math.MaxInt64)
	case "commit":
		if l.more() {
			l.oneOf(lastRecord)
			c.Last = true
		}
	}
	return c
}

// among refuses a value that is none of some.
func (l *line) among(v string, col int, known []string) string {
	if !slices.Contains(known, v) {
		l.fail(col, "script.unknown-word", "Word", v, "Known", strings.Join(known, ", "), "Nearest", world.Nearest(v, known))
	}
	return v
}

// Consumer is a call of a consumer, or makes one.
type Consumer struct {
	command
	Name, Call, Topic string
	Options           world.ConsumerOptions
	Target            world.TopicTarget
	Offset            int64
	// Last commits the offset behind the last record.
	Last bool
}

// Apply implements WorldCommand.
func (c Consumer) Apply(w *world.World, text world.Command, _ Times) error {
	switch c.Call {
	case "new":
		return w.NewConsumer(text, c.Name, c.Topic, c.Options)
	case "poll":
		return w.Poll(text, c.Name)
	case "seek":
		return w.Seek(text, c.Name, c.Target, c.Offset)
	case "commit":
		return w.CommitConsumer(text, c.Name, c.Last)
	}
	return w.CloseConsumer(text, c.Name)
}
