package eventtime_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
)

// stories are the components: the command of a directive makes one from its
// arguments, every line of its input is a step, and the output repeats the
// steps with what came out of them.
var stories = map[string]func(a args) (step func(words []string) error, out *told){
	"generator": generatorStory,
	"splits":    splitsStory,
	"assign":    assignStory,
	"valve":     valveStory,
	"inputs":    inputsStory,
	"alignment": alignmentStory,
	"reader":    readerStory,
	"sql":       sqlStory,
	"windows":   windowsStory,
	"slices":    slicesStory,
	"zone":      zoneStory,
}

func TestStories(t *testing.T) {
	for _, name := range []string{
		"generators", "idleness", "splits", "assign", "valve", "inputs", "alignment", "sqlwatermark",
		"assigners", "slices", "zones",
	} {
		t.Run(name, func(t *testing.T) {
			datadriven.RunTest(t, filepath.Join("testdata", name+".txt"), runStory)
		})
	}
}

func runStory(t *testing.T, d *datadriven.TestData) (result string) {
	story, ok := stories[d.Cmd]
	if !ok {
		d.Fatalf(t, "unknown story %q", d.Cmd)
	}
	a := args{}
	for _, arg := range d.CmdArgs {
		a[arg.Key] = strings.Join(arg.Vals, ",")
	}
	defer func() {
		// Only the making of a component refuses by panicking, see must.
		if r := recover(); r != nil {
			if refused, is := r.(refusal); is {
				result = refused.Error() + "\n"
				return
			}
			panic(r)
		}
	}()
	step, out := story(a)
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		err := step(strings.Fields(line))
		if err != nil {
			out.add("%s", err)
		}
		fmt.Fprintf(&b, "%s:", line)
		for i, s := range out.take() {
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteString(" " + s)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

type refusal struct{ error }

// must ends a story whose component was refused: the refusal is its output.
func must[T any](v T, err error) T {
	if err != nil {
		panic(refusal{err})
	}
	return v
}

// args are the arguments of a directive.
type args map[string]string

func (a args) int(key string) int64 {
	if a[key] == "" {
		return 0
	}
	return number(a[key])
}

func (a args) has(key string) bool {
	_, ok := a[key]
	return ok
}

func (a args) strategy() eventtime.WatermarkStrategy {
	return eventtime.WatermarkStrategy{
		Generator:        eventtime.GeneratorKind(a["generator"]),
		Delay:            a.int("delay"),
		IdleTimeout:      a.int("timeout"),
		OnEvent:          a["emit"] == "on-event",
		AssignTimestamps: a.has("assigner"),
	}
}

// number reads a time. Stories are our own: a mistake is a panic.
func number(word string) int64 {
	switch word {
	case "MIN":
		return sim.MinTime
	case "MAX":
		return sim.MaxTime
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func written(t int64) string {
	switch t {
	case sim.MinTime:
		return "MIN"
	case sim.MaxTime:
		return "MAX"
	}
	return strconv.FormatInt(t, 10)
}

// told collects what a component puts out.
type told struct{ lines []string }

func (o *told) add(format string, a ...any) { o.lines = append(o.lines, fmt.Sprintf(format, a...)) }

func (o *told) take() []string {
	lines := o.lines
	o.lines = nil
	return lines
}

func (o *told) EmitRecord(t int64)    { o.add("e %s", written(t)) }
func (o *told) EmitWatermark(t int64) { o.add("W %s", written(t)) }
func (o *told) EmitWatermarkStatus(s eventtime.WatermarkStatus) {
	o.add("%s", strings.ToUpper(s.String()))
}

func unknown(words []string) error { return fmt.Errorf("unknown step %q", strings.Join(words, " ")) }

func status(word string) (eventtime.WatermarkStatus, bool) {
	switch word {
	case "idle":
		return eventtime.Idle, true
	case "active":
		return eventtime.Active, true
	}
	return 0, false
}

// generatorStory: a generator behind the monotone gate.
func generatorStory(a args) (func([]string) error, *told) {
	out := &told{}
	gate := eventtime.NewWatermarkGate(out)
	g := must(a.strategy().NewGenerator())
	var clock eventtime.PausableRelativeClock
	return func(w []string) error {
		switch w[0] {
		case "e":
			e := &eventtime.Event{Timestamp: number(w[1])}
			for _, flag := range w[2:] {
				e.Mark = e.Mark || flag == "mark"
				e.NullExpression = e.NullExpression || flag == "null"
			}
			g.OnEvent(e.Timestamp, e, gate)
		case "probe":
			now := int64(0)
			if len(w) > 1 {
				now = number(w[1])
			}
			g.OnPeriodicEmit(clock.Read(now), gate)
		case "pause":
			clock.Pause(number(w[1]))
		case "resume":
			return clock.UnPause(number(w[1]))
		default:
			return unknown(w)
		}
		return nil
	}, out
}

// grid runs probes at the multiples of an interval while time passes.
func grid(interval int64, probe func(now int64)) (advance func(to int64), now func() int64) {
	at, next := int64(0), interval
	return func(to int64) {
		for ; interval > 0 && next <= to; next += interval {
			at = next
			probe(at)
		}
		at = to
	}, func() int64 { return at }
}

func splitsStory(a args) (func([]string) error, *told) {
	out := &told{}
	s := must(eventtime.NewProgressiveTimestampsAndWatermarks(a.strategy(), out, nil))
	advance, now := grid(a.int("interval"), s.EmitPeriodicWatermark)
	return func(w []string) error {
		switch w[0] {
		case "add":
			_, err := s.CreateOutputForSplit(now(), w[1])
			return err
		case "remove":
			return s.ReleaseOutputForSplit(w[1])
		case "pause":
			return s.PauseSplit(now(), w[1])
		case "resume":
			return s.ResumeSplit(now(), w[1])
		case "backpressure":
			return s.SetBackpressure(now(), w[1] == "on")
		case "until":
			advance(number(w[1]))
			return nil
		case "held":
			for _, o := range s.HeldBy() {
				out.add("%s at %s", o.Split(), written(o.Watermark()))
			}
			return nil
		}
		o := s.MainOutput()
		if w[0] != "main" {
			if o = s.Output(w[0]); o == nil {
				return unknown(w)
			}
		}
		e := &eventtime.Event{Timestamp: sim.MinTime}
		switch w[1] {
		case "e":
			e.Timestamp = number(w[2])
			e.Mark = len(w) > 3
		case "wm":
			e.Script = eventtime.Emission{Kind: eventtime.EmitsWatermark, Watermark: number(w[2])}
		case "idle":
			e.Script.Kind = eventtime.EmitsIdle
		case "active":
			e.Script.Kind = eventtime.EmitsActive
		default:
			return unknown(w)
		}
		o.Collect(e)
		return nil
	}, out
}

func assignStory(a args) (func([]string) error, *told) {
	out := &told{}
	o := must(eventtime.NewTimestampsAndWatermarksOperator(a.strategy(), out))
	advance, now := grid(a.int("interval"), o.OnProcessingTime)
	return func(w []string) error {
		switch w[0] {
		case "e":
			e := &eventtime.Event{Timestamp: number(w[1])}
			if len(w) > 2 {
				e.EventTime = number(w[2])
			}
			o.ProcessElement(e)
		case "wm":
			o.ProcessWatermark(number(w[1]))
		case "idle", "active":
			to, _ := status(w[0])
			o.ProcessWatermarkStatus(to)
		case "until":
			advance(number(w[1]))
		case "finish":
			o.Finish(now())
		default:
			return unknown(w)
		}
		return nil
	}, out
}

// channel reads "c2" or "i2".
func channel(word string) int { return int(number(word[1:])) }

func valveStory(a args) (func([]string) error, *told) {
	out := &told{}
	v := eventtime.NewStatusWatermarkValve(int(a.int("channels")), out)
	return func(w []string) error {
		if w[0] == "held" {
			for _, c := range v.HeldBy() {
				out.add("c%d", c)
			}
			return nil
		}
		c := channel(w[0])
		if to, ok := status(w[1]); ok {
			v.InputWatermarkStatus(to, c)
			return nil
		}
		v.InputWatermark(number(w[2]), c)
		return nil
	}, out
}

func inputsStory(a args) (func([]string) error, *told) {
	out := &told{}
	var channels []int
	for _, n := range strings.Split(a["channels"], ",") {
		channels = append(channels, int(number(n)))
	}
	m := eventtime.NewMultipleInputs(channels, out)
	return func(w []string) error {
		i, c := channel(w[0]), 0
		if strings.HasPrefix(w[1], "c") {
			c = channel(w[1])
			w = w[1:]
		}
		if to, ok := status(w[1]); ok {
			m.InputWatermarkStatus(to, i, c)
			return nil
		}
		m.InputWatermark(number(w[2]), i, c)
		return nil
	}, out
}

// alignmentStory: sources=(A/g1/1000,B/g1/10), which is source, group, drift.
func alignmentStory(a args) (func([]string) error, *told) {
	out := &told{}
	groups := map[string]*eventtime.AlignmentGroup{}
	sources := map[string]*eventtime.SourceCoordinator{}
	var names []string
	for _, text := range strings.Split(a["sources"], ",") {
		p := strings.Split(text, "/")
		if groups[p[1]] == nil {
			groups[p[1]] = &eventtime.AlignmentGroup{}
		}
		names = append(names, p[0])
		sources[p[0]] = eventtime.NewSourceCoordinator(p[0], number(p[2]), groups[p[1]])
	}
	return func(w []string) error {
		if w[0] != "tick" {
			// A source reports with the watermark of a subtask: A 0 wm 42.
			sources[w[0]].HandleReportedWatermark(int(number(w[1])), number(w[3]))
			return nil
		}
		for _, name := range names {
			maxAllowed, subtasks := sources[name].AnnounceCombinedWatermark()
			for _, s := range subtasks {
				out.add("%s %d may reach %s", name, s, written(maxAllowed))
			}
		}
		return nil
	}, out
}

// control tells what an AlignedReader decides.
type control struct{ *told }

func (c control) WaitForAlignment(wait bool) {
	if wait {
		c.add("wait")
	} else {
		c.add("read")
	}
}

func (c control) PauseOrResumeSplits(pause, resume []string) {
	for _, s := range pause {
		c.add("pause %s", s)
	}
	for _, s := range resume {
		c.add("resume %s", s)
	}
}

func readerStory(args) (func([]string) error, *told) {
	out := &told{}
	r := eventtime.NewAlignedReader(control{out})
	return func(w []string) error {
		switch w[0] {
		case "allowed":
			r.HandleWatermarkAlignmentEvent(number(w[1]))
		case "wm":
			r.UpdateCurrentEffectiveWatermark(number(w[1]))
		case "idle", "active":
			r.UpdateIdle(w[0] == "idle")
		case "finished":
			r.SplitFinished(w[1])
		case "report":
			if t, ok := r.ReportedWatermark(); ok {
				out.add("%s", written(t))
			} else {
				out.add("nothing")
			}
		default:
			r.UpdateCurrentSplitWatermark(w[0], number(w[2]))
		}
		return nil
	}, out
}

func sqlStory(a args) (func([]string) error, *told) {
	out := &told{}
	o := eventtime.NewWatermarkAssignerOperator(0, a.int("delay"), a.int("interval"), a.int("timeout"), out)
	return func(w []string) error {
		switch w[0] {
		case "row":
			if w[1] == "null" {
				return o.ProcessElement(0, true, true)
			}
			return o.ProcessElement(number(w[1]), false, len(w) > 2)
		case "wm":
			o.ProcessWatermark(number(w[1]))
		case "idle", "active":
			to, _ := status(w[0])
			o.ProcessWatermarkStatus(to)
		case "until":
			for {
				at, ok := o.NextTimer()
				if !ok || at > number(w[1]) {
					return nil
				}
				before := len(out.lines)
				o.OnProcessingTime(at)
				for i := before; i < len(out.lines); i++ {
					out.lines[i] += fmt.Sprintf(" @%d", at)
				}
			}
		case "finish":
			o.Finish()
		default:
			return unknown(w)
		}
		return nil
	}, out
}

func windowsStory(a args) (func([]string) error, *told) {
	out := &told{}
	var assigner eventtime.WindowAssigner
	switch size := a.int("size"); a["assigner"] {
	case "tumbling":
		draw := func(n int64) int64 { return n / 3 }
		assigner = must(eventtime.NewTumblingEventTimeWindows(size, a.int("offset"), must(eventtime.ParseStagger(a["stagger"])), draw))
	case "sliding":
		assigner = must(eventtime.NewSlidingEventTimeWindows(size, a.int("slide"), a.int("offset"), int(a.int("bound"))))
	case "session":
		assigner = must(eventtime.NewEventTimeSessionWindows(a.int("gap")))
	default:
		assigner = eventtime.DynamicEventTimeSessionWindows{}
	}
	return func(w []string) error {
		r := &operator.Record{TS: number(w[1])}
		if len(w) > 2 {
			r.Gap = number(w[2])
		}
		windows, err := assigner.Assign(nil, r, a.int("now"))
		for _, x := range windows {
			out.add("[%s,%s)", written(x.Start), written(x.End))
		}
		return err
	}, out
}

func slicesStory(a args) (func([]string) error, *told) {
	out := &told{}
	var s eventtime.SliceAssigner
	switch offset := a.int("offset"); a["window"] {
	case "tumble":
		s = must(eventtime.NewTumblingSliceAssigner(a.int("size"), offset))
	case "hop":
		s = must(eventtime.NewHoppingSliceAssigner(a.int("size"), a.int("slide"), offset))
	default:
		s = must(eventtime.NewCumulativeSliceAssigner(a.int("max"), a.int("step"), offset))
	}
	return func(w []string) error {
		t := number(w[1])
		switch w[0] {
		case "row":
			end := s.AssignSliceEnd(t)
			last := s.LastWindowEnd(end)
			out.add("slice %d", end)
			out.add("last window [%d,%d)", s.WindowStart(last), last)
		case "fire", "fire-empty":
			parts, into, keep := s.MergeSlices(nil, t)
			out.add("window [%d,%d)", s.WindowStart(t), t)
			switch {
			case !s.Shared():
			case keep:
				out.add("merge %d into %d", parts, into)
			default:
				out.add("merge %d", parts)
			}
			out.add("expired %d", s.ExpiredSlices(nil, t))
			if next, ok := s.NextTriggerWindow(t, w[0] == "fire-empty"); ok {
				out.add("next %d", next)
			}
		default:
			return unknown(w)
		}
		return nil
	}, out
}

func zoneStory(a args) (func([]string) error, *told) {
	out := &told{}
	z := must(eventtime.LoadZone(a["name"]))
	return func(w []string) error {
		t := number(w[1])
		switch w[0] {
		case "local":
			out.add("%s", written(eventtime.ToUTCTimestampMills(t, z)))
		case "instant":
			out.add("%s", written(eventtime.ToEpochMills(t, z)))
		case "timer":
			out.add("%s", written(eventtime.ToEpochMillsForTimer(t, z)))
		case "fired":
			out.add("%v", eventtime.IsWindowFired(t, number(w[2]), z))
		case "trigger":
			out.add("%s", written(eventtime.NextTriggerWatermark(t, a.int("interval"), z)))
		default:
			return unknown(w)
		}
		return nil
	}, out
}
