package eventtime

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// IntervalJoinConfig configures an IntervalJoinOperator. Bounds are in ms and
// inclusive unless said otherwise: a right record joins a left one when its
// timestamp is in [left + Lower, left + Upper].
type IntervalJoinConfig struct {
	Lower, Upper                   int64
	LowerExclusive, UpperExclusive bool
	// LateLeft and LateRight are the tags of the late side outputs; empty:
	// late records vanish.
	LateLeft, LateRight string
}

// IntervalJoinOperator joins two keyed streams by time (EV-6.11). It mirrors
// org.apache.flink.streaming.api.operators.co.IntervalJoinOperator.
type IntervalJoinOperator struct {
	operator.Base
	IntervalJoinConfig
	lower, upper int64
	buffers      [2]*state.Table[[]joinBucket]
	latest       map[joinEntryID]*sim.Step
	out          operator.Record
}

// joinBucket holds the records of one side of a key with one timestamp.
type joinBucket struct {
	TS      int64
	Entries []joinEntry
}

type joinEntry struct {
	Word  string
	Value int64
}

type joinEntryID struct {
	side int
	key  *state.Key
	ts   int64
	n    int
}

const (
	left  = 0
	right = 1
)

var sideNames = [2]string{"left", "right"}

// Namespaces of the cleanup timers.
var cleanupNamespaces = [2]state.Namespace{{Start: 0, End: 1}, {Start: 1, End: 2}}

// NewIntervalJoinOperator returns an operator that is not open yet.
func NewIntervalJoinOperator(c IntervalJoinConfig) *IntervalJoinOperator {
	return &IntervalJoinOperator{IntervalJoinConfig: c}
}

// Validate checks the bounds as the DataStream API does: exclusive bounds are
// narrowed by one first.
func (c IntervalJoinConfig) Validate() error {
	lower, upper := c.narrowed()
	if lower > upper {
		return &sim.Exception{Class: "java.lang.IllegalArgumentException", Message: "lowerBound <= upperBound must be fulfilled"}
	}
	return nil
}

func (c IntervalJoinConfig) narrowed() (lower, upper int64) {
	lower, upper = c.Lower, c.Upper
	if c.LowerExclusive {
		lower++
	}
	if c.UpperExclusive {
		upper--
	}
	return lower, upper
}

// Open declares state and timers.
func (o *IntervalJoinOperator) Open(c *operator.Context) error {
	if err := o.Validate(); err != nil {
		return err
	}
	o.lower, o.upper = o.narrowed()
	o.Init(c, state.OpenTimers(c.State, "CLEANUP_TIMER"), o.onEventTime)
	codec := state.List[joinBucket]{Of: joinBucketCodec{}}
	o.buffers[left] = state.Open(c.State, "LEFT_BUFFER", codec)
	o.buffers[right] = state.Open(c.State, "RIGHT_BUFFER", codec)
	if c.Trace != nil {
		o.latest = map[joinEntryID]*sim.Step{}
	}
	return nil
}

// ProcessRecord stores a record, joins it with the stored records of the
// other side, and sets the timer that removes it.
func (o *IntervalJoinOperator) ProcessRecord(side int, r *operator.Record) error {
	o.Metrics.NumRecordsIn++
	if r.TS == sim.MinTime {
		return &sim.Exception{
			Rule:    "EV-6.11",
			Class:   "org.apache.flink.util.FlinkException",
			Message: "Long.MIN_VALUE timestamp: Elements used in interval stream joins need to have timestamps meaningful timestamps.",
		}
	}
	if o.Watermark != sim.MinTime && r.TS < o.Watermark {
		o.late(side, r)
		return nil
	}
	if o.Trace != nil {
		o.Cause = o.Step("EV-6.11", sim.RecordPlaced(o.placement(r)))
	}
	n := o.store(side, r)
	if o.Trace != nil {
		o.latest[joinEntryID{side, r.Key, r.TS, n}] = o.Cause
	}
	relLower, relUpper := o.lower, o.upper
	if side == right {
		relLower, relUpper = -o.upper, -o.lower
	}
	others, _ := o.buffers[1-side].Get(r.Key, state.Void)
	for _, b := range others {
		if b.TS < r.TS+relLower || b.TS > r.TS+relUpper {
			continue
		}
		for i, e := range b.Entries {
			o.emit(side, r, joinEntryID{1 - side, r.Key, b.TS, i}, e)
		}
	}
	cleanup := r.TS
	if relUpper > 0 {
		cleanup = r.TS + relUpper
	}
	o.Timers().Register(cleanup, r.Key, cleanupNamespaces[side])
	return nil
}

func (o *IntervalJoinOperator) placement(r *operator.Record) sim.Placement {
	return sim.Placement{
		Record: sim.RecordID{Source: r.Source, Split: r.Split, Offset: r.Offset},
		Key:    r.Key.Name, TS: r.TS, Value: r.Value, Word: r.Word, WatermarkBefore: o.Watermark,
	}
}

func (o *IntervalJoinOperator) late(side int, r *operator.Record) {
	tag := o.LateLeft
	if side == right {
		tag = o.LateRight
	}
	if tag == "" {
		if o.Trace != nil {
			o.Step("EV-6.11", sim.RecordVanished(o.placement(r)))
		}
		return
	}
	if o.Trace != nil {
		p := o.placement(r)
		p.Tag = tag
		o.Cause = o.Step("EV-6.11", sim.RecordLate(p))
	}
	o.Out.Side(tag, r)
}

// store adds the record to its side's buffer and returns its place among the
// records with the same timestamp.
func (o *IntervalJoinOperator) store(side int, r *operator.Record) (n int) {
	e := joinEntry{r.Word, r.Value}
	o.buffers[side].Update(r.Key, state.Void, func(v *[]joinBucket) {
		i := sort.Search(len(*v), func(i int) bool { return (*v)[i].TS >= r.TS })
		if i == len(*v) || (*v)[i].TS != r.TS {
			*v = append(*v, joinBucket{})
			copy((*v)[i+1:], (*v)[i:])
			(*v)[i] = joinBucket{TS: r.TS}
		}
		n = len((*v)[i].Entries)
		(*v)[i].Entries = append((*v)[i].Entries, e)
	})
	return n
}

func (o *IntervalJoinOperator) emit(side int, r *operator.Record, other joinEntryID, e joinEntry) {
	l, rt := joinEntry{r.Word, r.Value}.text(), e.text()
	if side == right {
		l, rt = rt, l
	}
	ts := max(r.TS, other.ts)
	o.out = operator.Record{Key: r.Key, TS: ts, Word: l + "-" + rt, Value: r.Value + e.Value}
	o.Metrics.NumRecordsOut++
	if o.Trace != nil {
		o.out.Step = o.Step("EV-6.11", sim.JoinMatched{Key: r.Key.Name, Left: l, Right: rt, TS: ts}, o.Cause, o.latest[other])
	}
	o.Out.Record(&o.out)
}

func (o *IntervalJoinOperator) onEventTime(t state.Timer) error {
	side := left
	if t.Namespace == cleanupNamespaces[right] {
		side = right
	}
	ts := t.Time
	switch {
	case side == left && o.upper > 0:
		ts -= o.upper
	case side == right && o.lower <= 0:
		ts += o.lower
	}
	removed, empty := 0, false
	o.buffers[side].Update(t.Key, state.Void, func(v *[]joinBucket) {
		out := (*v)[:0]
		for _, b := range *v {
			if b.TS == ts {
				removed = len(b.Entries)
				continue
			}
			out = append(out, b)
		}
		*v = out
		empty = len(out) == 0
	})
	if empty {
		o.buffers[side].Delete(t.Key, state.Void)
	}
	if o.Trace != nil && removed > 0 {
		o.Step("EV-6.11", sim.JoinRemoved{Key: t.Key.Name, Side: sideNames[side], TS: ts, Watermark: o.Watermark},
			o.Cause, o.latest[joinEntryID{side, t.Key, ts, 0}])
		for i := range removed {
			delete(o.latest, joinEntryID{side, t.Key, ts, i})
		}
	}
	return nil
}

type joinBucketCodec struct{}

func (joinBucketCodec) Append(dst []byte, b joinBucket) []byte {
	dst = state.Int64{}.Append(dst, b.TS)
	return state.List[joinEntry]{Of: joinEntryCodec{}}.Append(dst, b.Entries)
}

func (joinBucketCodec) Read(src []byte) (b joinBucket, rest []byte, err error) {
	if b.TS, src, err = (state.Int64{}).Read(src); err != nil {
		return b, nil, err
	}
	b.Entries, src, err = state.List[joinEntry]{Of: joinEntryCodec{}}.Read(src)
	return b, src, err
}

func (joinBucketCodec) Format(b joinBucket) string {
	parts := make([]string, len(b.Entries))
	for i, e := range b.Entries {
		parts[i] = joinEntryCodec{}.Format(e)
	}
	return fmt.Sprintf("%d:(%s)", b.TS, strings.Join(parts, " "))
}

type joinEntryCodec struct{}

func (joinEntryCodec) Append(dst []byte, e joinEntry) []byte {
	return state.Int64{}.Append(state.String{}.Append(dst, e.Word), e.Value)
}

func (joinEntryCodec) Read(src []byte) (e joinEntry, rest []byte, err error) {
	if e.Word, src, err = (state.String{}).Read(src); err != nil {
		return e, nil, err
	}
	e.Value, src, err = state.Int64{}.Read(src)
	return e, src, err
}

func (joinEntryCodec) Format(e joinEntry) string { return e.text() }

// text is the word of a record, or its number when it carries one.
func (e joinEntry) text() string {
	if e.Word != "" {
		return e.Word
	}
	return strconv.FormatInt(e.Value, 10)
}
