package world

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"streaminglab/sim"
	"streaminglab/sim/cost"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/flink"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

const (
	maxSubtasks = 64
	maxSplits   = 64
	maxVertices = 64
)

var decimalForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9})?$`) })

var pathForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z][a-z0-9]{0,9}:///?)?[\p{L}\p{N}_.-]{1,64}(/[\p{L}\p{N}_.=-]{1,64}){0,8}/?$`)
})

var nameForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\p{L}][\p{L}\p{N}_.-]{0,63}$`) })

// A Setting is a change of the job file (command set).
type Setting struct {
	Path, Value string
	At          SettingPlace
}

// A SettingPlace says where a setting was typed: the columns of its path and
// of its value. Without a line it was not typed.
type SettingPlace struct {
	File        string
	Line        int
	Path, Value int
}

// A SettingProblem is a problem at a place of a setting: what the job file
// would be wrong for was typed there.
type SettingProblem struct {
	File      string
	Line, Col int
	Problem   *sim.Problem
}

func (p *SettingProblem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Problem)
}

func (p *SettingProblem) Unwrap() error { return p.Problem }

func (s Setting) problem(col int, id string, args ...any) error {
	p := sim.NewProblem(id, args...)
	if s.At.Line == 0 {
		return p
	}
	return &SettingProblem{s.At.File, s.At.Line, col, p}
}

// ReadJob reads a job file and returns the job that it describes, or the
// first problem with its place. Nothing of a file with a problem is used.
func ReadJob(file string, text []byte, settings []Setting, b sim.Bounds) (*flink.Spec, error) {
	root, err := parseYAML(file, text)
	if err != nil {
		return nil, err
	}
	for _, s := range settings {
		if option := meantOption(root, s.Path); option != "" {
			return nil, s.problem(s.At.Path, "job.unknown-key", "Key", s.Path, "Nearest", "flinkConfiguration."+option)
		}
		if err := root.set(s); err != nil {
			return nil, err
		}
	}
	r := &jobReader{file: file, bounds: b}
	spec := r.job(root)
	if r.problem != nil {
		return nil, r.problem
	}
	return spec, nil
}

// jobReader keeps the first problem and goes on with harmless values.
type jobReader struct {
	file    string
	bounds  sim.Bounds
	problem error // a *FileProblem or a *SettingProblem
	config  config
	names   map[string]bool
}

func (r *jobReader) fail(n *node, id string, args ...any) {
	r.failWith(n, sim.NewProblem(id, args...))
}

func (r *jobReader) failWith(n *node, p *sim.Problem) {
	if r.problem != nil {
		return
	}
	if n.typed != nil {
		r.problem = &SettingProblem{n.typed.File, n.typed.Line, n.col, p}
	} else {
		r.problem = &FileProblem{r.file, n.line, n.col, p}
	}
}

func (r *jobReader) unknown(e entry, known []string) {
	near := Nearest(e.key, known)
	// A key that belongs one level below is a frequent slip.
	for i := 0; near == "" && i < len(known); i++ {
		if k := Nearest(e.key, below[known[i]]); k != "" {
			near = known[i] + "." + k
		}
	}
	r.fail(e.at, "job.unknown-key", "Key", e.key, "Nearest", near)
}

// below are the keys of the values of some keys.
var below = map[string][]string{"watermark": strategyKeys}

// jobKeys are the keys of a job file.
var jobKeys = []string{"name", "parallelism", "sources", "operators", "sinks", "kafka", "cost-model", "flinkConfiguration"}

// strategyWords are the watermark strategies.
var strategyWords = []string{"bounded-out-of-orderness", "monotonous", "punctuated", "scripted", "none"}

// strategyKeys are the keys of a watermark strategy; sourceStrategyKeys more
// of one in a source.
var (
	strategyKeys       = []string{"strategy", "bound", "idleness", "timestamps"}
	sourceStrategyKeys = []string{"alignment", "delay", "emit"}
)

func (r *jobReader) is(n *node, k nodeKind) bool {
	if n.kind != k {
		r.fail(n, [...]string{"job.want-scalar", "job.want-mapping", "job.want-list"}[k])
		return false
	}
	return true
}

func (r *jobReader) integer(n *node, low, high int64) int64 {
	if !r.is(n, scalarNode) {
		return low
	}
	v, err := strconv.ParseInt(n.scalar, 10, 64)
	if err != nil || v < low || v > high {
		r.fail(n, "job.want-integer", "Value", n.scalar, "Low", low, "High", high)
		return low
	}
	return v
}

// duration reads a duration that is at least low.
func (r *jobReader) duration(n *node, low int64) int64 {
	if !r.is(n, scalarNode) {
		return low
	}
	v, ok := ParseDuration(n.scalar)
	switch {
	case !ok:
		r.fail(n, "job.want-duration", "Value", n.scalar)
		return max(low, 1)
	case v < low:
		r.fail(n, "job.duration-low", "Value", n.scalar, "Low", FormatDuration(low))
		return max(low, 1)
	}
	return v
}

// decimal reads a number with a point, which stays as it is written.
func (r *jobReader) decimal(n *node) string {
	if !r.is(n, scalarNode) {
		return "0"
	}
	if !decimalForm().MatchString(n.scalar) {
		r.fail(n, "job.want-decimal", "Value", n.scalar)
		return "0"
	}
	return n.scalar
}

// memory reads a MemorySize: a number of bytes, or with a binary unit as Flink
// reads it ("20kb" is 20,480 bytes).
func (r *jobReader) memory(n *node, low, high int64) int64 {
	if !r.is(n, scalarNode) {
		return low
	}
	v, ok := ParseMemory(n.scalar)
	if !ok || v < low || v > high {
		r.fail(n, "job.want-memory", "Value", n.scalar, "Low", low, "High", high)
		return low
	}
	return v
}

// path reads the name of a directory in the store.
func (r *jobReader) path(n *node) string {
	if r.is(n, scalarNode) && !pathForm().MatchString(n.scalar) {
		r.fail(n, "job.path", "Value", n.scalar)
	}
	return strings.TrimSuffix(n.scalar, "/")
}

func (r *jobReader) bool(n *node) bool { return r.word(n, "true", "false") == "true" }

func (r *jobReader) word(n *node, known ...string) string {
	if !r.is(n, scalarNode) {
		return known[0]
	}
	for _, k := range known {
		if n.scalar == k {
			return k
		}
	}
	r.fail(n, "job.unknown-word", "Value", n.scalar, "Known", strings.Join(known, ", "), "Nearest", Nearest(n.scalar, known))
	return known[0]
}

func (r *jobReader) name(n *node) string {
	if n == nil {
		return ""
	}
	if r.is(n, scalarNode) && !nameForm().MatchString(n.scalar) {
		r.fail(n, "job.name", "Name", n.scalar)
	}
	return n.scalar
}

func (r *jobReader) strings(n *node) []string {
	if n.kind == scalarNode {
		return []string{n.scalar}
	}
	if !r.is(n, listNode) {
		return nil
	}
	var out []string
	for _, c := range n.items {
		if r.is(c, scalarNode) {
			out = append(out, c.scalar)
		}
	}
	return out
}

// keys refuses keys that are not known.
func (r *jobReader) keys(n *node, known ...string) bool {
	if !r.is(n, mappingNode) {
		return false
	}
	for _, e := range n.entries {
		ok := false
		for _, k := range known {
			ok = ok || e.key == k
		}
		if !ok {
			r.unknown(e, known)
		}
	}
	return true
}

func (r *jobReader) job(n *node) *flink.Spec {
	if !r.keys(n, jobKeys...) {
		return nil
	}
	r.config = defaultConfig()
	if c := n.get("flinkConfiguration"); c != nil {
		r.config = r.configuration(c)
	}
	spec := &flink.Spec{
		Name: "job", Parallelism: r.config.parallelism, Interval: r.config.interval,
		Restart: r.config.restart, Checkpointing: r.config.checkpointing, FinalCheckpoint: r.config.checkpointing.Interval > 0, Slots: r.config.slots, Chaining: r.config.chaining, Network: r.config.network, Heartbeats: r.config.heartbeats, HighAvailability: r.config.ha, Backend: r.config.backend, ForSt: r.config.forSt, MaxParallelism: r.config.maxParallelism,
		MaxParallelismSet: r.config.maxParallelism > 0,
	}
	if v := n.get("name"); v != nil {
		spec.Name = r.name(v)
	}
	if v := n.get("cost-model"); v != nil && r.word(v, "off", "on") == "on" {
		costs := cost.Default
		spec.Costs = &costs
	}
	if v := n.get("parallelism"); v != nil {
		spec.Parallelism = int(r.integer(v, 1, maxSubtasks))
	}
	if spec.MaxParallelism == 0 {
		spec.MaxParallelism, _ = state.DefaultMaxParallelism(spec.Parallelism)
	}
	if v := n.get("kafka"); v != nil {
		spec.Kafka = r.kafka(v)
	}
	r.names = map[string]bool{}
	sources := n.get("sources")
	if sources == nil || len(sources.entries) == 0 {
		r.fail(n, "job.no-source")
		return spec
	}
	if r.is(sources, mappingNode) {
		for _, e := range sources.entries {
			spec.Sources = append(spec.Sources, r.source(e))
		}
	}
	last := ""
	if v := n.get("operators"); v != nil && r.is(v, listNode) {
		for _, c := range v.items {
			if o := r.operator(c, spec, last); o != nil {
				spec.Operators = append(spec.Operators, o)
				last = o.Name
			}
		}
	}
	if v := n.get("sinks"); v != nil && r.is(v, listNode) {
		for _, c := range v.items {
			if !r.keys(c, append([]string{"name", "inputs", "kind", "exchange"}, kafkaSinkKeys...)...) {
				continue
			}
			s := &flink.SinkSpec{Name: r.unique(c), Inputs: r.inputs(c, spec, last)}
			if v := c.get("kind"); v != nil {
				s.Kind = r.word(v, flink.SinkPlain, flink.SinkUpsert, flink.SinkTwoPhase, flink.SinkKafka)
			}
			if v := c.get("exchange"); v != nil {
				s.Exchanges = r.exchanges(v, s.Name, s.Inputs, spec)
			}
			r.kafkaSink(c, s)
			spec.Sinks = append(spec.Sinks, s)
		}
	}
	if len(spec.Operators)+len(spec.Sinks)+len(spec.Sources) > maxVertices {
		r.fail(n, "job.too-many", "Max", maxVertices)
	}
	return spec
}

// exchanges reads how records of inputs are spread, by the name of the input.
func (r *jobReader) exchanges(n *node, name string, inputs []string, spec *flink.Spec) map[string]string {
	if !r.is(n, mappingNode) {
		return nil
	}
	out := map[string]string{}
	for _, e := range n.entries {
		if !slices.Contains(inputs, e.key) {
			r.fail(e.at, "job.unknown-input", "Name", e.key, "Nearest", Nearest(e.key, inputs), "Known", strings.Join(inputs, ", "))
			continue
		}
		out[e.key] = r.word(e.node, sim.ExchangeForward, sim.ExchangeRebalance, sim.ExchangeBroadcast)
		if out[e.key] != sim.ExchangeForward {
			continue
		}
		for _, s := range spec.Sources {
			if s.Name == e.key && s.Parallelism > 0 && s.Parallelism != spec.Parallelism {
				r.refuse(e.node, &sim.Exception{
					Class: "java.lang.UnsupportedOperationException",
					Message: fmt.Sprintf("Forward partitioning does not allow change of parallelism. Upstream operation: %s parallelism: %d, downstream operation: %s parallelism: %d You must use another partitioning strategy, such as broadcast, rebalance, shuffle or global.",
						e.key, s.Parallelism, name, spec.Parallelism),
				})
			}
		}
	}
	return out
}

func (r *jobReader) unique(n *node) string {
	v := n.get("name")
	if v == nil {
		r.fail(n, "job.missing-key", "Key", "name")
		return ""
	}
	name := r.name(v)
	if r.names[name] {
		r.fail(v, "job.duplicate-name", "Name", name)
	}
	r.names[name] = true
	return name
}

// inputs are those that are named, else the operator before, else the sources.
func (r *jobReader) inputs(n *node, spec *flink.Spec, last string) []string {
	v := n.get("inputs")
	if v == nil {
		if last != "" {
			return []string{last}
		}
		var out []string
		for _, s := range spec.Sources {
			out = append(out, s.Name)
		}
		return out
	}
	in := r.strings(v)
	if len(in) == 0 {
		r.fail(v, "job.no-input")
	}
	own := ""
	if m := n.get("name"); m != nil {
		own = m.scalar
	}
	for _, name := range in {
		if !r.names[name] || name == own {
			var known []string
			for k := range r.names {
				if k != own {
					known = append(known, k)
				}
			}
			sort.Strings(known)
			r.fail(v, "job.unknown-input", "Name", name, "Nearest", Nearest(name, known), "Known", strings.Join(known, ", "))
		}
	}
	return in
}

func (r *jobReader) source(e entry) *flink.SourceSpec {
	s := &flink.SourceSpec{Name: e.key, Splits: []string{"0"}}
	if !nameForm().MatchString(e.key) {
		r.fail(e.at, "job.name", "Name", e.key)
	}
	r.names[e.key] = true
	s.Strategy = eventtime.WatermarkStrategy{Generator: eventtime.None}
	n := e.node
	if n.kind == scalarNode && n.scalar == "" {
		return s
	}
	if !r.keys(n, "uid", "splits", "topic", "properties", "stop-by", "parallelism", "spare-readers", "watermark") {
		return s
	}
	r.kafkaSource(n, s)
	if v := n.get("uid"); v != nil {
		s.UID = r.name(v)
	}
	if v := n.get("splits"); v != nil {
		s.Splits = r.splits(v)
	}
	if v := n.get("parallelism"); v != nil {
		s.Parallelism = int(r.integer(v, 1, maxSubtasks))
	}
	if v := n.get("spare-readers"); v != nil {
		s.SpareFinishes = r.word(v, "wait", "finish") == "finish"
	}
	if v := n.get("watermark"); v != nil {
		s.Strategy = r.strategy(v, true)
		if a := v.get("alignment"); a != nil {
			s.Alignment = r.alignment(a)
		}
	}
	return s
}

func (r *jobReader) splits(v *node) []string {
	if v.kind == scalarNode {
		n := r.integer(v, 0, maxSplits)
		out := make([]string, n)
		for i := range out {
			out[i] = strconv.Itoa(i)
		}
		return out
	}
	out := r.strings(v)
	seen := map[string]bool{}
	for _, s := range out {
		if !splitForm().MatchString(s) || seen[s] {
			r.fail(v, "job.split-name", "Name", s)
		}
		seen[s] = true
	}
	if len(out) > maxSplits {
		r.fail(v, "job.too-many", "Max", maxSplits)
	}
	return out
}

var splitForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\p{L}\p{N}_-]{1,32}$`) })

func (r *jobReader) strategy(n *node, source bool) eventtime.WatermarkStrategy {
	s := eventtime.WatermarkStrategy{Generator: eventtime.None}
	known := slices.Clone(strategyKeys)
	if source {
		known = append(known, sourceStrategyKeys...)
	}
	if !r.keys(n, known...) {
		return s
	}
	v := n.get("strategy")
	if v == nil {
		r.fail(n, "job.missing-key", "Key", "strategy")
		return s
	}
	words := slices.Clone(strategyWords)
	if source {
		words = append(words, "sql")
	}
	switch r.word(v, words...) {
	case "bounded-out-of-orderness":
		s.Generator = eventtime.Bounded
		b := n.get("bound")
		if b == nil {
			r.fail(n, "job.missing-key", "Key", "bound")
			return s
		}
		s.Delay = r.duration(b, 0)
	case "monotonous":
		s.Generator = eventtime.Monotonous
	case "punctuated":
		s.Generator = eventtime.Punctuated
	case "scripted":
		s.Generator = eventtime.Scripted
	case "sql":
		s.Generator = eventtime.SQLExpression
		d := n.get("delay")
		if d == nil {
			r.fail(n, "job.missing-key", "Key", "delay")
			return s
		}
		s.Delay = r.duration(d, 0)
		if e := n.get("emit"); e != nil {
			s.OnEvent = r.word(e, "on-periodic", "on-event") == "on-event"
		}
	}
	r.onlyWith(n, "bound", s.Generator == eventtime.Bounded, "strategy: bounded-out-of-orderness")
	r.onlyWith(n, "delay", s.Generator == eventtime.SQLExpression, "strategy: sql")
	r.onlyWith(n, "emit", s.Generator == eventtime.SQLExpression, "strategy: sql")
	if v := n.get("idleness"); v != nil {
		s.IdleTimeout = r.duration(v, 1)
	} else if s.Generator == eventtime.SQLExpression {
		s.IdleTimeout = r.config.idleTimeout
	}
	if v := n.get("timestamps"); v != nil {
		s.AssignTimestamps = r.word(v, "record", "event") == "event"
	}
	return s
}

// onlyWith refuses a key that means nothing beside the others.
func (r *jobReader) onlyWith(n *node, key string, ok bool, with string) {
	if v := n.get(key); v != nil && !ok {
		r.fail(v, "job.only-with", "Key", key, "With", with)
	}
}

func (r *jobReader) alignment(n *node) *flink.AlignmentSpec {
	a := &flink.AlignmentSpec{UpdateInterval: 1000}
	if !r.keys(n, "group", "max-drift", "update-interval") {
		return a
	}
	if v := n.get("group"); v != nil {
		a.Group = r.name(v)
	} else {
		r.fail(n, "job.missing-key", "Key", "group")
	}
	if v := n.get("max-drift"); v != nil {
		a.MaxDrift = r.duration(v, 0)
	} else {
		r.fail(n, "job.missing-key", "Key", "max-drift")
	}
	if v := n.get("update-interval"); v != nil {
		a.UpdateInterval = r.duration(v, 1)
	}
	return a
}

// kinds of operators, each with the keys that may stand beside it.
var operatorKinds = map[string][]string{
	"window":            {"trigger", "evictor", "lateness", "late-output", "offset", "stagger"},
	"sql-window":        {"offset", "zone"},
	"assign-timestamps": nil,
	"sql-watermark":     nil,
	"interval-join":     nil,
	"process":           {"fields"},
	"connect":           nil,
	"keyed-broadcast":   nil,
}

var operatorKindNames = []string{"window", "sql-window", "assign-timestamps", "sql-watermark", "interval-join", "process", "connect", "keyed-broadcast"}

func (r *jobReader) operator(n *node, spec *flink.Spec, last string) *flink.OperatorSpec {
	if !r.is(n, mappingNode) {
		return nil
	}
	o := &flink.OperatorSpec{}
	for _, k := range operatorKindNames {
		if n.get(k) != nil {
			if o.Kind != "" {
				r.fail(n.get(k), "job.two-kinds", "First", o.Kind, "Second", k)
			}
			o.Kind = k
		}
	}
	known := append([]string{"name", "uid", "inputs", "key-by", "async", "list-state", "exchange"}, operatorKindNames...)
	if o.Kind == "" {
		for _, more := range operatorKinds {
			known = append(known, more...)
		}
		if r.keys(n, known...) {
			r.fail(n, "job.no-kind", "Known", strings.Join(operatorKindNames, ", "))
		}
		return nil
	}
	if !r.keys(n, append(known, operatorKinds[o.Kind]...)...) {
		return nil
	}
	o.Name = r.unique(n)
	if v := n.get("uid"); v != nil {
		o.UID = r.name(v)
	}
	o.Inputs = r.inputs(n, spec, last)
	v := n.get(o.Kind)
	switch o.Kind {
	case "window":
		o.Keyed, o.Sums = true, v.get("reduce") != nil
		o.New = r.window(n, v)
	case "sql-window":
		o.Keyed, o.Rows = true, true
		o.New = r.sqlWindow(n, v)
	case "assign-timestamps":
		s := r.strategy(v, false)
		interval := r.config.interval
		o.New = func() (operator.Operator, error) {
			return &eventtime.AssignTimestamps{Strategy: s, Interval: interval}, nil
		}
	case "sql-watermark":
		o.New = r.sqlWatermark(v)
	case "interval-join":
		o.Keyed, o.Separate = true, true
		if len(o.Inputs) != 2 {
			r.fail(n, "job.two-inputs", "Name", o.Name)
		}
		o.New = r.intervalJoin(v)
	case "process":
		o.Keyed = true
		if w := r.words(v); len(w) == 1 {
			o.Sums = slices.Contains([]string{"sum", "average", "collect", "distinct", "profile"}, w[0])
		}
		o.New = r.process(n, v)
	case "connect":
		o.Separate = true
		if len(o.Inputs) < 2 {
			r.fail(n, "job.more-inputs", "Name", o.Name)
		}
		o.New = func() (operator.Operator, error) { return &eventtime.Connect{}, nil }
	case "keyed-broadcast":
		o.Keyed, o.Separate, o.Sums = true, true, true
		r.word(v, "multiply")
		if len(o.Inputs) != 2 {
			r.fail(n, "job.two-inputs", "Name", o.Name)
		} else {
			o.Exchanges = map[string]string{o.Inputs[1]: sim.ExchangeBroadcast}
		}
		o.New = func() (operator.Operator, error) { return &eventtime.BroadcastMultiply{}, nil }
	}
	if v := n.get("exchange"); v != nil {
		r.onlyWith(n, "exchange", !o.Keyed, "connect, assign-timestamps, sql-watermark")
		o.Exchanges = r.exchanges(v, o.Name, o.Inputs, spec)
	}
	if v := n.get("list-state"); v != nil {
		o.ListState = r.listState(v)
	}
	if v := n.get("async"); v != nil {
		r.onlyWith(n, "async", o.Keyed, "window, sql-window, interval-join, process")
		o.Async = r.bool(v)
	}
	if v := n.get("key-by"); v != nil {
		r.onlyWith(n, "key-by", o.Keyed, "window, sql-window, interval-join, process")
		o.KeyBy = r.keyBy(v)
	}
	if r.problem == nil && o.New != nil {
		// What Flink refuses when the job is built is refused here, in its words.
		if op, err := o.New(); err != nil {
			r.refuse(v, err)
		} else if c, ok := op.(interface{ Validate() error }); ok {
			if err := c.Validate(); err != nil {
				r.refuse(v, err)
			}
		}
	}
	return o
}

// keyElse stands in key-by for the keys that are not named.
const keyElse = "else"

// keyBy reads a key selector: the key to partition by of each key, and of all
// others.
func (r *jobReader) keyBy(n *node) func(string) string {
	if !r.is(n, mappingNode) {
		return nil
	}
	to := map[string]string{}
	for _, e := range n.entries {
		if r.is(e.node, scalarNode) {
			to[e.key] = e.node.scalar
		}
	}
	others, some := to[keyElse]
	return func(key string) string {
		if k, ok := to[key]; ok {
			return k
		}
		if some {
			return others
		}
		return key
	}
}

func (r *jobReader) refuse(n *node, err error) {
	if e, ok := err.(*sim.Exception); ok {
		r.fail(n, "job.refused", "Class", e.Class, "Message", e.Message)
		return
	}
	r.fail(n, "job.refused", "Class", "", "Message", err.Error())
}

// words splits a scalar like "tumbling 10s" into its words.
func (r *jobReader) words(n *node) []string {
	if !r.is(n, scalarNode) {
		return nil
	}
	return strings.Fields(n.scalar)
}

// durationWord reads one word of a scalar as a duration.
func (r *jobReader) durationWord(n *node, word string, low int64) int64 {
	return r.duration(&node{line: n.line, col: n.col, scalar: word}, low)
}

func (r *jobReader) integerWord(n *node, word string, low int64) int64 {
	return r.integer(&node{line: n.line, col: n.col, scalar: word}, low, 1<<40)
}

func (r *jobReader) usage(n *node, forms string) {
	r.fail(n, "job.form", "Value", n.scalar, "Forms", forms)
}

const assignForms = "tumbling SIZE | sliding SIZE SLIDE | session GAP | session dynamic"

func (r *jobReader) window(op, n *node) func() (operator.Operator, error) {
	if !r.keys(n, "assign", "reduce", "process") {
		return nil
	}
	a := n.get("assign")
	if a == nil {
		r.fail(n, "job.missing-key", "Key", "assign")
		return nil
	}
	words := r.words(a)
	offset := int64(0)
	if v := op.get("offset"); v != nil {
		offset = r.duration(v, -1<<62)
	}
	stagger := eventtime.Aligned
	if v := op.get("stagger"); v != nil {
		stagger = eventtime.Stagger(strings.ToUpper(r.word(v, "aligned", "random", "natural")))
	}
	merging := false
	var assigner func(draw func(int64) int64) (eventtime.WindowAssigner, error)
	bound := r.bounds.Windows
	switch {
	case len(words) == 2 && words[0] == "tumbling":
		size := r.durationWord(a, words[1], 0)
		assigner = func(draw func(int64) int64) (eventtime.WindowAssigner, error) {
			return eventtime.NewTumblingEventTimeWindows(size, offset, stagger, draw)
		}
	case len(words) == 3 && words[0] == "sliding":
		size, slide := r.durationWord(a, words[1], 0), r.durationWord(a, words[2], 0)
		assigner = func(func(int64) int64) (eventtime.WindowAssigner, error) {
			return eventtime.NewSlidingEventTimeWindows(size, slide, offset, bound)
		}
	case len(words) == 2 && words[0] == "session" && words[1] == "dynamic":
		merging = true
		assigner = func(func(int64) int64) (eventtime.WindowAssigner, error) {
			return eventtime.DynamicEventTimeSessionWindows{}, nil
		}
	case len(words) == 2 && words[0] == "session":
		merging = true
		gap := r.durationWord(a, words[1], 0)
		assigner = func(func(int64) int64) (eventtime.WindowAssigner, error) {
			return eventtime.NewEventTimeSessionWindows(gap)
		}
	default:
		r.usage(a, assignForms)
		return nil
	}
	r.onlyWith(op, "offset", !merging, "tumbling, sliding")
	r.onlyWith(op, "stagger", words[0] == "tumbling", "tumbling")
	function := eventtime.Reduce
	switch v, p := n.get("reduce"), n.get("process"); {
	case v != nil && p != nil:
		r.fail(p, "job.two-kinds", "First", "reduce", "Second", "process")
	case v != nil:
		r.word(v, "sum")
	case p != nil:
		r.word(p, "list")
		function = eventtime.Process
	default:
		r.fail(n, "job.missing-key", "Key", "reduce")
	}
	trigger := r.trigger(op.get("trigger"))
	evictor := r.evictor(op.get("evictor"))
	lateness := int64(0)
	if v := op.get("lateness"); v != nil {
		if v.kind == scalarNode && v.scalar == "MAX" {
			lateness = sim.MaxTime
		} else {
			lateness = r.duration(v, 0)
		}
	}
	late := ""
	if v := op.get("late-output"); v != nil {
		late = r.name(v)
	}
	return func() (operator.Operator, error) {
		c := eventtime.WindowConfig{
			Trigger: trigger(), Evictor: evictor, Function: function, Lateness: lateness, LateOutput: late,
		}
		o := eventtime.NewWindowOperator(c)
		var err error
		// The operator knows its random stream only once it is open.
		o.Assigner, err = assigner(func(n int64) int64 { return o.Random.Below(n) })
		return o, err
	}
}

const triggerForms = "event | purging | count N | purging count N | continuous INTERVAL"

func (r *jobReader) trigger(n *node) func() eventtime.Trigger {
	event := func() eventtime.Trigger { return &eventtime.EventTimeTrigger{} }
	if n == nil {
		return event
	}
	words := r.words(n)
	purging := len(words) > 0 && words[0] == "purging"
	if purging {
		words = words[1:]
	}
	inner := event
	switch {
	case len(words) == 0 && purging, len(words) == 1 && words[0] == "event" && !purging:
	case len(words) == 2 && words[0] == "count":
		count := r.integerWord(n, words[1], 1)
		inner = func() eventtime.Trigger { return &eventtime.CountTrigger{Max: count} }
	case len(words) == 2 && words[0] == "continuous" && !purging:
		interval := r.durationWord(n, words[1], 1)
		inner = func() eventtime.Trigger { return &eventtime.ContinuousEventTimeTrigger{Interval: interval} }
	default:
		r.usage(n, triggerForms)
	}
	if purging {
		return func() eventtime.Trigger { return &eventtime.PurgingTrigger{Trigger: inner()} }
	}
	return inner
}

const evictorForms = "count N [after] | time SPAN [after] | delta THRESHOLD [after]"

func (r *jobReader) evictor(n *node) *eventtime.Evictor {
	if n == nil {
		return nil
	}
	words := r.words(n)
	e := &eventtime.Evictor{}
	if len(words) == 3 && words[2] == "after" {
		e.After = true
		words = words[:2]
	}
	if len(words) != 2 {
		r.usage(n, evictorForms)
		return nil
	}
	e.Kind = words[0]
	switch e.Kind {
	case "count", "delta":
		e.Limit = r.integerWord(n, words[1], 0)
	case "time":
		e.Limit = r.durationWord(n, words[1], 0)
	default:
		r.usage(n, evictorForms)
	}
	return e
}

const sqlForms = "tumble SIZE | hop SIZE SLIDE | cumulate MAX STEP | session GAP"

func (r *jobReader) sqlWindow(op, n *node) func() (operator.Operator, error) {
	if n.kind == mappingNode && !r.keys(n, "assign") {
		return nil
	}
	a := n
	if n.kind == mappingNode {
		a = n.get("assign")
	}
	if a == nil {
		r.fail(n, "job.missing-key", "Key", "assign")
		return nil
	}
	words := r.words(a)
	offset := int64(0)
	if v := op.get("offset"); v != nil {
		offset = r.duration(v, -1<<62)
	}
	c := eventtime.SQLWindowConfig{}
	if v := op.get("zone"); v != nil && r.is(v, scalarNode) {
		z, err := eventtime.LoadZone(v.scalar)
		if err != nil {
			r.fail(v, "job.zone", "Zone", v.scalar)
			return nil
		}
		c.Zone = z
	}
	var err error
	switch {
	case len(words) == 2 && words[0] == "tumble":
		c.Slices, err = eventtime.NewTumblingSliceAssigner(r.durationWord(a, words[1], 1), offset)
	case len(words) == 3 && words[0] == "hop":
		c.CountStar = true
		c.Slices, err = eventtime.NewHoppingSliceAssigner(r.durationWord(a, words[1], 1), r.durationWord(a, words[2], 1), offset)
	case len(words) == 3 && words[0] == "cumulate":
		c.Slices, err = eventtime.NewCumulativeSliceAssigner(r.durationWord(a, words[1], 1), r.durationWord(a, words[2], 1), offset)
	case len(words) == 2 && words[0] == "session":
		c.Gap = r.durationWord(a, words[1], 1)
		r.onlyWith(op, "offset", false, "tumble, hop, cumulate")
	default:
		r.usage(a, sqlForms)
		return nil
	}
	if err != nil {
		r.refuse(a, err)
		return nil
	}
	if n := r.bounds.Windows; n > 0 && c.WindowsOfRow() > int64(n) {
		r.fail(a, "world.bound", "Bound", "windows", "Limit", int64(n))
		return nil
	}
	return func() (operator.Operator, error) { return eventtime.NewSQLWindowOperator(c), nil }
}

func (r *jobReader) sqlWatermark(n *node) func() (operator.Operator, error) {
	if !r.keys(n, "delay", "idleness") {
		return nil
	}
	d := n.get("delay")
	if d == nil {
		r.fail(n, "job.missing-key", "Key", "delay")
		return nil
	}
	delay, interval, timeout := r.duration(d, 0), r.config.interval, r.config.idleTimeout
	if v := n.get("idleness"); v != nil {
		timeout = r.duration(v, 0)
	}
	return func() (operator.Operator, error) {
		return &eventtime.AssignSQLWatermark{Delay: delay, Interval: interval, Timeout: timeout}, nil
	}
}

func (r *jobReader) intervalJoin(n *node) func() (operator.Operator, error) {
	if !r.keys(n, "lower", "upper", "lower-exclusive", "upper-exclusive", "late-left", "late-right") {
		return nil
	}
	c := eventtime.IntervalJoinConfig{}
	for _, k := range []struct {
		key  string
		into *int64
	}{{"lower", &c.Lower}, {"upper", &c.Upper}} {
		v := n.get(k.key)
		if v == nil {
			r.fail(n, "job.missing-key", "Key", k.key)
			continue
		}
		*k.into = r.duration(v, -1<<62)
	}
	if v := n.get("lower-exclusive"); v != nil {
		c.LowerExclusive = r.bool(v)
	}
	if v := n.get("upper-exclusive"); v != nil {
		c.UpperExclusive = r.bool(v)
	}
	if v := n.get("late-left"); v != nil {
		c.LateLeft = r.name(v)
	}
	if v := n.get("late-right"); v != nil {
		c.LateRight = r.name(v)
	}
	return func() (operator.Operator, error) { return eventtime.NewIntervalJoinOperator(c), nil }
}

const processForms = "count | count-on-timer AFTER | sum | average | collect | distinct | profile"

// fields reads the type of a profile; without one it counts visits.
func (r *jobReader) fields(op *node) state.TypeInfo {
	t := state.TypeInfo{Kind: state.KindPOJO}
	v := op.get("fields")
	if v == nil {
		t.Fields = []state.Field{{Name: "visits", Type: "int"}}
		return t
	}
	if !r.is(v, mappingNode) {
		return t
	}
	for _, e := range v.entries {
		if !nameForm().MatchString(e.key) {
			r.fail(e.at, "job.name", "Name", e.key)
		}
		// A nested type needs a definition of its own.
		t.Fields = append(t.Fields, state.Field{Name: e.key, Type: r.word(e.node, state.FieldTypes[:len(state.FieldTypes)-1]...)})
	}
	return t
}

// listState reads a list of operator state.
func (r *jobReader) listState(n *node) *flink.ListState {
	l := &flink.ListState{Mode: state.SplitDistribute}
	if !r.keys(n, "name", "mode", "clear") {
		return nil
	}
	if v := n.get("name"); v != nil {
		l.Name = r.name(v)
	} else {
		r.fail(n, "job.missing-key", "Key", "name")
	}
	if v := n.get("mode"); v != nil && r.word(v, "split", "union") == "union" {
		l.Mode = state.UnionMode
	}
	if v := n.get("clear"); v != nil {
		l.Clear = r.bool(v)
	}
	return l
}

func (r *jobReader) process(op, n *node) func() (operator.Operator, error) {
	words := r.words(n)
	functions := map[string]func() eventtime.ProcessFunction{
		"count":    func() eventtime.ProcessFunction { return eventtime.Counter{} },
		"sum":      func() eventtime.ProcessFunction { return &eventtime.Sum{} },
		"average":  func() eventtime.ProcessFunction { return &eventtime.Average{} },
		"collect":  func() eventtime.ProcessFunction { return &eventtime.Collect{} },
		"distinct": func() eventtime.ProcessFunction { return &eventtime.Distinct{} },
	}
	var f func() eventtime.ProcessFunction
	if v := op.get("fields"); v != nil {
		r.onlyWith(op, "fields", len(words) == 1 && words[0] == "profile", "process: profile")
	}
	switch {
	case len(words) == 1 && words[0] == "profile":
		t := r.fields(op)
		f = func() eventtime.ProcessFunction { return &eventtime.Profile{Type: t} }
	case len(words) == 1:
		f = functions[words[0]]
	case len(words) == 2 && words[0] == "count-on-timer":
		after := r.durationWord(n, words[1], -1<<62)
		f = func() eventtime.ProcessFunction { return eventtime.CountOnTimer{After: after} }
	}
	if f == nil {
		r.usage(n, processForms)
		return nil
	}
	return func() (operator.Operator, error) { return &eventtime.KeyedProcessOperator{Function: f()}, nil }
}
