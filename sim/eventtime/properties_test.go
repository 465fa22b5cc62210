package eventtime_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/quick"

	"streaminglab/sim"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/operator"
)

// A law checks what must hold for anything that goes downstream: watermarks
// only rise, statuses only change, and (if strict) no watermark comes while
// idle.
type law struct {
	t      *testing.T
	last   int64
	status eventtime.WatermarkStatus
	strict bool
	n      int
}

func newLaw(t *testing.T, strict bool) *law { return &law{t: t, last: sim.MinTime, strict: strict} }

func (l *law) EmitRecord(int64) {}

func (l *law) EmitWatermark(w int64) {
	l.n++
	if w <= l.last {
		l.t.Errorf("watermark %d after %d", w, l.last)
	}
	if l.strict && l.status.IsIdle() {
		l.t.Errorf("watermark %d while idle", w)
	}
	l.last = w
}

func (l *law) EmitWatermarkStatus(s eventtime.WatermarkStatus) {
	if s == l.status {
		l.t.Errorf("status %s twice", s)
	}
	l.status = s
}

func somebody(r *rand.Rand) eventtime.WatermarkStatus {
	if r.IntN(2) == 0 {
		return eventtime.Idle
	}
	return eventtime.Active
}

// The valve's output obeys the law whatever comes; while nobody was ever idle
// it is exactly the minimum over the channels (EV-2.3).
func TestValveProperties(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		channels := 1 + r.IntN(5)
		out := newLaw(t, true)
		v := eventtime.NewStatusWatermarkValve(channels, out)
		statuses := seed%2 == 0
		highest := make([]int64, channels)
		for i := range highest {
			highest[i] = sim.MinTime
		}
		for range 200 {
			c := r.IntN(channels)
			if statuses && r.IntN(3) == 0 {
				v.InputWatermarkStatus(somebody(r), c)
				continue
			}
			w := int64(r.IntN(100))
			v.InputWatermark(w, c)
			highest[c] = max(highest[c], w)
			if !statuses {
				lowest := sim.MaxTime
				for _, h := range highest {
					lowest = min(lowest, h)
				}
				if lowest != out.last {
					t.Fatalf("seed %d: output %d, minimum %d", seed, out.last, lowest)
				}
			}
		}
	}
}

// The combination of inputs obeys the law, and its watermark never passes the
// highest one of any input.
func TestInputsProperties(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		inputs := 2 + r.IntN(2)
		channels := make([]int, inputs)
		for i := range channels {
			channels[i] = 1 + r.IntN(2)
		}
		out := newLaw(t, false)
		m := eventtime.NewMultipleInputs(channels, out)
		highest := sim.MinTime
		for range 200 {
			i := r.IntN(inputs)
			c := r.IntN(channels[i])
			if r.IntN(3) == 0 {
				m.InputWatermarkStatus(somebody(r), i, c)
			} else {
				w := int64(r.IntN(100))
				m.InputWatermark(w, i, c)
				highest = max(highest, w)
			}
			if out.last > highest {
				t.Fatalf("seed %d: output %d, highest input %d", seed, out.last, highest)
			}
		}
	}
}

// A source obeys the law with every generator, whatever happens to its splits.
// Without idleness it never passes the slowest split that is there from the
// start.
func TestSourceProperties(t *testing.T) {
	kinds := []eventtime.GeneratorKind{eventtime.Bounded, eventtime.Monotonous, eventtime.Punctuated, eventtime.Scripted, eventtime.SQLExpression}
	emitted := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 3))
		strategy := eventtime.WatermarkStrategy{Generator: kinds[r.IntN(len(kinds))], Delay: int64(r.IntN(20)), OnEvent: r.IntN(2) == 0}
		if seed%2 == 0 {
			strategy.IdleTimeout = 1 + int64(r.IntN(30))
		}
		out := newLaw(t, true)
		s, err := eventtime.NewProgressiveTimestampsAndWatermarks(strategy, out, nil)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := s.CreateOutputForSplit(0, "slow")
		if err != nil {
			t.Fatal(err)
		}
		names := []string{"a", "b", "c"}
		now, slowest := int64(0), sim.MinTime
		for range 200 {
			name := names[r.IntN(len(names))]
			e := &eventtime.Event{Timestamp: int64(r.IntN(1000)), Mark: r.IntN(2) == 0}
			if strategy.IdleTimeout != 0 {
				e.Script.Kind = eventtime.EmissionKind(r.IntN(4))
			} else {
				e.Script.Kind = eventtime.EmitsWatermark
			}
			e.Script.Watermark = e.Timestamp
			switch o := s.Output(name); {
			case o == nil:
				_, err = s.CreateOutputForSplit(now, name)
			case r.IntN(10) == 0:
				err = s.ReleaseOutputForSplit(name)
			case r.IntN(10) == 0:
				err = s.SetBackpressure(now, r.IntN(2) == 0)
			case r.IntN(4) == 0:
				slow.Collect(e)
				slowest = max(slowest, e.Timestamp)
			default:
				o.Collect(e)
			}
			if err != nil {
				t.Fatal(err)
			}
			if now++; now%5 == 0 {
				s.EmitPeriodicWatermark(now)
			}
			if strategy.IdleTimeout == 0 && out.last > slowest {
				t.Fatalf("seed %d: %d passes the slowest split at %d", seed, out.last, slowest)
			}
		}
		emitted += out.n
	}
	if emitted < 1000 {
		t.Errorf("only %d watermarks in all: the test tests little", emitted)
	}
}

// Idle comes after more than the timeout and at most three probes later
// (EV-3.2).
func TestIdlenessWindow(t *testing.T) {
	f := func(timeout16, probe8, record16 uint16) bool {
		timeout, probe, record := int64(timeout16)+1, int64(probe8%1000)+1, int64(record16)
		g, err := eventtime.WatermarkStrategy{Generator: eventtime.None, IdleTimeout: timeout}.NewGenerator()
		if err != nil {
			return false
		}
		out := newLaw(t, false)
		gate := eventtime.NewWatermarkGate(out)
		// Probes before the record keep the count busy with earlier records.
		now := record - record%probe
		g.OnEvent(record, &eventtime.Event{Timestamp: record}, gate)
		for !out.status.IsIdle() {
			now += probe
			g.OnPeriodicEmit(now, gate)
		}
		return now-record > timeout && now-record <= timeout+3*probe
	}
	if err := quick.Check(f, &quick.Config{MaxCount: 500}); err != nil {
		t.Error(err)
	}
}

// An activity clock shows what passed while it was not stopped.
func TestClock(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		var c eventtime.PausableRelativeClock
		now, want, paused := int64(0), int64(0), 0
		for range 100 {
			d := int64(r.IntN(50))
			now += d
			if paused == 0 {
				want += d
			}
			if got := c.Read(now); got != want {
				t.Fatalf("seed %d: %d, want %d", seed, got, want)
			}
			if r.IntN(2) == 0 {
				c.Pause(now)
				paused++
			} else if err := c.UnPause(now); (err == nil) != (paused > 0) {
				t.Fatalf("seed %d: %v at %d pauses", seed, err, paused)
			} else if err == nil {
				paused--
			}
		}
	}
}

// A tumbling window covers its timestamp, is on the grid, and sliding windows
// are exactly those of the grid that cover it (EV-5.1, EV-5.3).
func TestAssignerProperties(t *testing.T) {
	f := func(ts32 int32, size16, slide16, offset16 uint16) bool {
		ts, size, slide := int64(ts32), int64(size16)+1, int64(slide16)+1
		size = min(size, 200*slide)
		offset := int64(offset16)%slide - slide/2
		sliding, err := eventtime.NewSlidingEventTimeWindows(size, slide, offset, 0)
		if err != nil {
			return false
		}
		windows, err := sliding.Assign(nil, &operator.Record{TS: ts}, 0)
		if err != nil {
			return false
		}
		n := int64(0)
		for k := (ts-size-offset)/slide - 2; k*slide+offset <= ts; k++ {
			if start := k*slide + offset; start > ts-size {
				n++
			}
		}
		if int64(len(windows)) != n {
			return false
		}
		for i, w := range windows {
			if w.Start > ts || w.End <= ts || w.End-w.Start != size || (w.Start-offset)%slide != 0 || i > 0 && w.Start >= windows[i-1].Start {
				return false
			}
		}
		tumbling, err := eventtime.NewTumblingEventTimeWindows(slide, offset, eventtime.Aligned, nil)
		if err != nil {
			return false
		}
		one, err := tumbling.Assign(nil, &operator.Record{TS: ts}, 0)
		return err == nil && len(one) == 1 && one[0].Start <= ts && ts < one[0].End && (one[0].Start-offset)%slide == 0
	}
	if err := quick.Check(f, &quick.Config{MaxCount: 2000}); err != nil {
		t.Error(err)
	}
}

// The slices of the windows of a row: the row is in every window from its
// slice's first to its last one, and a window's slices cover it exactly
// (EV-7.2).
func TestSliceProperties(t *testing.T) {
	f := func(ts32 int32, slide16 uint16, n8 uint8, offset16 uint16) bool {
		ts, slide, n := int64(ts32), int64(slide16)+1, int64(n8)%20+1
		size, offset := n*slide, int64(offset16)%slide
		hop, err := eventtime.NewHoppingSliceAssigner(size, slide, offset)
		if err != nil {
			return false
		}
		slice := hop.AssignSliceEnd(ts)
		if ts < slice-slide || ts >= slice {
			return false
		}
		windows := int64(0)
		for end := slice; end <= hop.LastWindowEnd(slice); end += slide {
			windows++
			parts, _, _ := hop.MergeSlices(nil, end)
			if int64(len(parts)) != n || parts[0] != end || parts[n-1] != hop.WindowStart(end)+slide {
				return false
			}
		}
		cumulate, err := eventtime.NewCumulativeSliceAssigner(size, slide, offset)
		if err != nil {
			return false
		}
		slice = cumulate.AssignSliceEnd(ts)
		last := cumulate.LastWindowEnd(slice)
		start := cumulate.WindowStart(last)
		var expired []int64
		for end := slice; end <= last; end += slide {
			if cumulate.WindowStart(end) != start || cumulate.LastWindowEnd(end) != last {
				return false
			}
		}
		for end := start + slide; end <= last; end += slide {
			expired = cumulate.ExpiredSlices(expired, end)
			next, ok := cumulate.NextTriggerWindow(end, true)
			if ok != (end < last) || ok && next != end+slide {
				return false
			}
		}
		// Every slice of the window is given up exactly once; but where the step
		// is the whole window, Flink never gives up its only slice.
		given := n
		if n == 1 {
			given = 0
		}
		return windows == n && last-start == size && int64(len(expired)) == given
	}
	if err := quick.Check(f, &quick.Config{MaxCount: 1000}); err != nil {
		t.Error(err)
	}
}

// Wall clock and instant are inverse to each other but for the hours that a
// change skips or repeats, and a timer never fires before its wall clock.
func TestZoneProperties(t *testing.T) {
	const day = 24 * 3600 * 1000
	for _, name := range []string{
		"UTC", "Asia/Shanghai", "Asia/Seoul", "Asia/Kolkata", "America/Los_Angeles", "America/New_York", "Europe/Madrid",
		"Europe/Dublin", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "America/Santiago", "GMT-03:00",
	} {
		z, err := eventtime.LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(5, 5))
		odd := 0
		for range 5000 {
			at := int64(r.Uint64N(100*365*day)) - 20*365*day
			local := eventtime.ToUTCTimestampMills(at, z)
			if d := local - at; d < -day || d > day {
				t.Fatalf("%s: offset %d at %d", name, d, at)
			}
			if back := eventtime.ToEpochMills(local, z); back != at {
				// The second pass of a repeated hour: the first is meant.
				odd++
				if back > at || at-back > day || eventtime.ToUTCTimestampMills(back, z) != local {
					t.Fatalf("%s: %d comes back as %d", name, at, back)
				}
			}
			timer := eventtime.ToEpochMillsForTimer(at, z)
			if d := timer - eventtime.ToEpochMills(at, z); d > 3600*1000 || d < -3600*1000 {
				t.Fatalf("%s: timer of %d is %d away", name, at, d)
			}
			if trigger := eventtime.NextTriggerWatermark(at, 3600*1000, z); trigger <= at || trigger > at+3*3600*1000 {
				t.Fatalf("%s: next trigger of %d is %d", name, at, trigger)
			}
		}
		if odd > 5000/100 {
			t.Errorf("%s: %d of 5000 instants lie in a repeated hour", name, odd)
		}
	}
	if z, err := eventtime.LoadZone("Asia/Shanghai"); err != nil || z.UsesDaylight() {
		t.Error("Shanghai has no daylight saving now")
	}
	if z, err := eventtime.LoadZone("Europe/Madrid"); err != nil || !z.UsesDaylight() {
		t.Error("Madrid has daylight saving")
	}
}

// Sums wrap around as in Java and never panic.
func TestOverflow(t *testing.T) {
	sum := int64(0)
	edge := []int64{sim.MinTime, sim.MinTime + 1, -1, 0, 1, sim.MaxTime - 1, sim.MaxTime}
	for _, ts := range edge {
		for _, size := range edge {
			for _, offset := range edge {
				if size != 0 {
					sum += eventtime.WindowStart(ts, offset, size)
				}
				if a, err := eventtime.NewTumblingEventTimeWindows(size, offset, eventtime.Natural, nil); err == nil {
					_, _ = a.Assign(nil, &operator.Record{TS: ts}, ts)
				}
				if a, err := eventtime.NewSlidingEventTimeWindows(10, size, offset, 100); err == nil {
					_, _ = a.Assign(nil, &operator.Record{TS: ts}, 0)
				}
			}
		}
		b, err := eventtime.NewBoundedOutOfOrdernessWatermarks(math.MaxInt64)
		if err != nil {
			t.Fatal(err)
		}
		b.OnEvent(ts, &eventtime.Event{}, nil)
	}
	t.Logf("sum of all starts: %d", sum)
}

// A record on its way through a source, an operator or a valve costs no
// allocation.
func TestNoAllocations(t *testing.T) {
	out := newLaw(t, true)
	s, err := eventtime.NewProgressiveTimestampsAndWatermarks(
		eventtime.WatermarkStrategy{Generator: eventtime.SQLExpression, OnEvent: true, IdleTimeout: 100}, out, nil)
	if err != nil {
		t.Fatal(err)
	}
	split, err := s.CreateOutputForSplit(0, "s0")
	if err != nil {
		t.Fatal(err)
	}
	v := eventtime.NewStatusWatermarkValve(1, newLaw(t, true))
	e := &eventtime.Event{}
	if n := testing.AllocsPerRun(1000, func() {
		e.Timestamp++
		split.Collect(e)
		s.EmitPeriodicWatermark(e.Timestamp)
		v.InputWatermark(e.Timestamp, 0)
	}); n != 0 {
		t.Errorf("%v allocations a record", n)
	}
	if out.n < 1000 {
		t.Errorf("%d watermarks", out.n)
	}
}
