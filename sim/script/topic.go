package script

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"streaminglab/sim/kafka"
	"streaminglab/sim/world"
)

var verbTopic = &Verb{
	Name: "topic", Class: World, Usage: "topic NAME [partitions=N]",
	Args: []Arg{{Kind: ArgWord}, {Kind: ArgWord, Optional: true, Words: []string{"partitions="}}},
	parse: func(l *line) Command {
		c := Topic{Name: l.word(ArgName).text, Partitions: 1}
		l.options(map[string]func(string, int){
			"partitions": func(v string, col int) { c.Partitions = int(l.integerOf(v, col, 1, math.MaxInt32)) },
		}, []string{"partitions"})
		return c
	},
}

// Topic makes a topic.
type Topic struct {
	command
	Name       string
	Partitions int
}

// Apply implements WorldCommand.
func (c Topic) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Topic(text, c.Name, c.Partitions)
}

func (l *line) integerOf(text string, col int, low, high int64) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < low || n > high {
		l.fail(col, "script.integer", "Value", text, "Low", low, "High", high)
	}
	return n
}

// topicTarget takes TOPIC/PARTITION, or with open also TOPIC alone.
func (l *line) topicTarget(open bool) world.TopicTarget {
	kind := ArgTopicPartition
	if open {
		kind = ArgTopicTarget
	}
	w := l.word(kind)
	return l.topicTargetOf(w.text, w.col, open)
}

func (l *line) topicTargetOf(text string, col int, open bool) world.TopicTarget {
	topic, number, cut := strings.Cut(text, "/")
	t := world.TopicTarget{Topic: topic, Partition: -1}
	n, err := strconv.Atoi(number)
	switch {
	case topic == "" || !cut && !open || cut && (err != nil || n < 0):
		l.fail(col, "script.partition", "Value", text)
	case cut:
		t.Partition = n
	}
	return t
}

// records takes the rest of the line as records of one batch: VALUE or
// KEY=VALUE.
func (l *line) records() (out []kafka.Record) {
	for len(out) == 0 || l.more() {
		w := l.word(ArgValue)
		if l.problem != nil {
			return nil
		}
		r := kafka.Record{Value: w.text}
		if key, value, ok := strings.Cut(w.text, "="); ok && key != "" {
			r.Key, r.Value = key, value
		}
		if max(utf8.RuneCountInString(r.Key), utf8.RuneCountInString(r.Value)) > maxText {
			l.fail(w.col, "script.word-too-long", "Max", maxText)
		}
		out = append(out, r)
	}
	return out
}
