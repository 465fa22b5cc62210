package script

import (
	"math"
	"slices"
	"strings"

	"streaminglab/sim/world"
)

// A tool is a tool of Kafka, with one of its actions and the options of it.
type tool struct {
	name, action string
	// options are the names of its options in order; those that begin with ? may
	// be left out.
	options []string
	apply   func(c *Tool, w *world.World, text world.Command) error
}

// tools are the tools that the language has. Their options are those of Kafka;
// kafka-delete-records reads them from a file there.
var tools = []tool{
	{"kafka-transactions", "list", nil, func(_ *Tool, w *world.World, text world.Command) error { return w.ListTransactions(text) }},
	{"kafka-transactions", "describe", []string{"--transactional-id"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.DescribeTransaction(text, c.Text["--transactional-id"])
	}},
	{"kafka-transactions", "describe-producers", []string{"--topic", "--partition"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.DescribeProducers(text, c.target())
	}},
	{"kafka-transactions", "find-hanging", []string{"?--topic", "?--broker-id", "?--max-transaction-timeout"}, func(c *Tool, w *world.World, text world.Command) error {
		minutes, ok := c.Numbers["--max-transaction-timeout"]
		if !ok {
			minutes = -1
		}
		_, broker := c.Numbers["--broker-id"]
		return w.FindHanging(text, c.Text["--topic"], broker, minutes)
	}},
	{"kafka-transactions", "abort", []string{"--topic", "--partition", "--start-offset"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.AbortTransaction(text, c.target(), c.Numbers["--start-offset"])
	}},
	{"kafka-consumer-groups", "describe", []string{"--group"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.DescribeGroup(text, c.Text["--group"])
	}},
	{"kafka-get-offsets", "", []string{"--topic"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.GetOffsets(text, c.Text["--topic"])
	}},
	{"kafka-delete-records", "", []string{"--topic", "--partition", "--offset"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.DeleteRecords(text, c.target(), c.Numbers["--offset"])
	}},
	{"kafka-configs", "", []string{"OPTION=VALUE"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.AlterConfig(text, c.Option, c.Value)
	}},
	{"kafka-features", "upgrade", []string{"transaction.version=N"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.UpdateFeature(text, true, c.Level)
	}},
	{"kafka-features", "downgrade", []string{"transaction.version=N"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.UpdateFeature(text, false, c.Level)
	}},
	{"server.properties", "", []string{"OPTION=VALUE"}, func(c *Tool, w *world.World, text world.Command) error {
		return w.RestartBroker(text, c.Option, c.Value)
	}},
}

// numbers are the lowest values of options that are numbers.
var numbers = map[string]int64{"--partition": 0, "--start-offset": 0, "--offset": -1, "--max-transaction-timeout": 0, "--broker-id": 0}

// usage is the form of a tool with its action.
func (t tool) usage() string {
	words := []string{t.name}
	if t.action != "" {
		words = append(words, t.action)
	}
	for _, o := range t.options {
		name, optional := strings.CutPrefix(o, "?")
		form := name
		if strings.HasPrefix(name, "--") {
			form += " " + strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(name, "--"), "-", "_"))
		}
		if optional {
			form = "[" + form + "]"
		}
		words = append(words, form)
	}
	return strings.Join(words, " ")
}

func toolNames() (out []string) {
	for _, t := range tools {
		if !slices.Contains(out, t.name) {
			out = append(out, t.name)
		}
	}
	return out
}

func actionsOf(name string) (out []string) {
	for _, t := range tools {
		if t.name == name && t.action != "" {
			out = append(out, t.action)
		}
	}
	return out
}

func findTool(name, action string) *tool {
	for i, t := range tools {
		if t.name == name && t.action == action {
			return &tools[i]
		}
	}
	return nil
}

var verbTool = &Verb{
	Name: "tool", Class: World,
	Usage: func() string {
		var forms []string
		for _, t := range tools {
			forms = append(forms, t.usage())
		}
		return "tool " + strings.Join(forms, " | ")
	}(),
	Args:  []Arg{{Kind: ArgWord, Words: toolNames()}},
	forms: toolForms,
	parse: parseTool,
}

// toolForms are what may follow a tool: its action, then its options, each with
// its value.
func toolForms(words []string) []Arg {
	action := ""
	if actions := actionsOf(words[0]); len(actions) > 0 {
		if len(words) < 3 {
			return []Arg{{Kind: ArgWord, Words: actions}}
		}
		action = words[1]
	}
	t := findTool(words[0], action)
	if t == nil {
		return nil
	}
	// before is the option whose value is typed.
	before := words[len(words)-2]
	switch before {
	case "--topic":
		return []Arg{{Kind: ArgTopic}}
	case "--transactional-id":
		return []Arg{{Kind: ArgTransactionalID}}
	}
	if strings.HasPrefix(before, "--") {
		return nil
	}
	var offer []string
	for _, o := range t.options {
		switch name := strings.TrimPrefix(o, "?"); {
		case name == "OPTION=VALUE":
			for _, option := range world.BrokerOptions() {
				if option != featureName {
					offer = append(offer, option+"=")
				}
			}
		case strings.HasPrefix(name, featureName):
			offer = append(offer, featureName+"=1", featureName+"=2")
		case !slices.Contains(words, name):
			offer = append(offer, name)
		}
	}
	return []Arg{{Kind: ArgWord, Words: offer}}
}

// featureName is the feature of the cluster that can change.
const featureName = "transaction.version"

func parseTool(l *line) Command {
	name := l.oneOf(toolNames()...)
	action := ""
	if actions := actionsOf(name); len(actions) > 0 && l.problem == nil {
		action = l.oneOf(actions...)
	}
	if l.problem != nil {
		return nil
	}
	t := findTool(name, action)
	l.usage = "tool " + t.usage()
	c := &Tool{tool: t, Text: map[string]string{}, Numbers: map[string]int64{}}
	switch first := append(t.options, "")[0]; first {
	case "OPTION=VALUE", featureName + "=N":
		l.assignment(c, first)
	default:
		l.dashed(c, t)
	}
	return *c
}

// assignment takes OPTION=VALUE.
func (l *line) assignment(c *Tool, form string) {
	w := l.word(ArgKind(form))
	if l.problem != nil {
		return
	}
	option, value, ok := strings.Cut(w.text, "=")
	col := w.col + len([]rune(option)) + 1
	switch {
	case !ok:
		l.fail(w.col, "script.missing", "What", form, "Usage", l.usage)
	case form == featureName+"=N":
		l.among(option, w.col, []string{featureName})
		c.Level = int(l.integerOf(value, col, 1, 2))
	default:
		var known []string
		for _, o := range world.BrokerOptions() {
			if o != featureName {
				known = append(known, o)
			}
		}
		c.Option, c.Value = l.among(option, w.col, known), value
	}
}

// dashed takes options with their values.
func (l *line) dashed(c *Tool, t *tool) {
	var known []string
	for _, o := range t.options {
		known = append(known, strings.TrimPrefix(o, "?"))
	}
	for l.more() && l.problem == nil {
		w := l.word(ArgWord)
		if len(known) == 0 {
			l.fail(w.col, "script.too-many", "Word", w.text, "Usage", l.usage)
			return
		}
		name := l.among(w.text, w.col, known)
		_, twice := c.Text[name]
		if _, number := c.Numbers[name]; number || twice {
			l.fail(w.col, "script.twice", "Word", name)
		}
		value := l.word(ArgKind(name))
		if low, number := numbers[name]; number {
			c.Numbers[name] = l.integerOf(value.text, value.col, low, math.MaxInt32)
		} else {
			c.Text[name] = value.text
		}
	}
	for _, o := range t.options {
		_, text := c.Text[o]
		if _, number := c.Numbers[o]; !text && !number && !strings.HasPrefix(o, "?") {
			l.word(ArgKind(o))
		}
	}
}

// Tool runs a tool of Kafka.
type Tool struct {
	command
	tool *tool
	// Text and Numbers are the values of options by their names.
	Text    map[string]string
	Numbers map[string]int64
	// Option and Value are those of a broker; Level is that of the feature.
	Option, Value string
	Level         int
}

func (c *Tool) target() world.TopicTarget {
	return world.TopicTarget{Topic: c.Text["--topic"], Partition: int(c.Numbers["--partition"])}
}

// Apply implements WorldCommand.
func (c Tool) Apply(w *world.World, text world.Command, _ Times) error {
	return c.tool.apply(&c, w, text)
}
