package sim

// Reasons of a firing.
const (
	// ReasonWatermark : the watermark reached the end of the window.
	ReasonWatermark = "watermark"
	// ReasonLateRecord : a record came after the on-time firing, within the
	// allowed lateness.
	ReasonLateRecord = "late-record"
	// ReasonCount : the count of a count trigger was reached.
	ReasonCount = "count"
	// ReasonTick : a tick of a continuous trigger.
	ReasonTick = "tick"
)

// WindowFired : a window emitted its result.
type WindowFired struct {
	Key       string  `json:"key" doc:"the key"`
	Start     int64   `json:"start" doc:"first ms of the window"`
	End       int64   `json:"end" doc:"first ms after the window"`
	Value     int64   `json:"value" doc:"the number of the result"`
	Values    []int64 `json:"values,omitempty" doc:"the numbers of a result that lists them"`
	Count     int64   `json:"count,omitempty" doc:"rows behind a SQL result"`
	Null      bool    `json:"null,omitempty" doc:"true when the sum is NULL"`
	Reason    string  `json:"reason" doc:"watermark, late-record, count or tick"`
	Timer     int64   `json:"timer" doc:"time of the timer that fired it, ms; MIN when a record did"`
	Watermark int64   `json:"watermark" doc:"watermark of the subtask, ms"`
	Purged    bool    `json:"purged,omitempty" doc:"true when the contents were deleted with the firing"`
	Cleaned   bool    `json:"cleaned,omitempty" doc:"true when the window's state was cleaned up in the same step"`
}

// StepType names the type.
func (WindowFired) StepType() string { return "window.fired" }

// WindowCleaned : the state of a window was deleted without output.
type WindowCleaned struct {
	Key       string `json:"key" doc:"the key"`
	Start     int64  `json:"start" doc:"first ms of the window"`
	End       int64  `json:"end" doc:"first ms after the window"`
	Unfired   int64  `json:"unfired" doc:"records in the contents that no firing had shown"`
	Watermark int64  `json:"watermark" doc:"watermark of the subtask, ms"`
}

// StepType names the type.
func (WindowCleaned) StepType() string { return "window.cleaned" }

// WindowMerged : sessions became one.
type WindowMerged struct {
	Key    string     `json:"key" doc:"the key"`
	From   []Interval `json:"from" doc:"the sessions before"`
	Start  int64      `json:"start" doc:"first ms of the session after"`
	End    int64      `json:"end" doc:"first ms after it"`
	Record RecordID   `json:"record" doc:"the record that made them meet"`
}

// StepType names the type.
func (WindowMerged) StepType() string { return "window.merged" }

// WindowReplaced : a record's own window equals a session that came out of a
// merge: the contents of that session no longer take part.
type WindowReplaced struct {
	Key    string   `json:"key" doc:"the key"`
	Start  int64    `json:"start" doc:"first ms of the session"`
	End    int64    `json:"end" doc:"first ms after it"`
	Record RecordID `json:"record" doc:"the record"`
}

// StepType names the type.
func (WindowReplaced) StepType() string { return "window.replaced" }

// BufferFlushed : the rows that waited in the buffer of a SQL window went into
// state.
type BufferFlushed struct {
	Rows        int64 `json:"rows" doc:"rows that waited"`
	Lost        int64 `json:"lost" doc:"rows for which no timer was set: they show only if a later window of their slice fires"`
	Watermark   int64 `json:"watermark" doc:"watermark of the subtask before, ms"`
	NextTrigger int64 `json:"next_trigger" doc:"the watermark that the next flush waits for, ms"`
	Checkpoint  bool  `json:"checkpoint,omitempty" doc:"true when a checkpoint emptied the buffer"`
}

// StepType names the type.
func (BufferFlushed) StepType() string { return "buffer.flushed" }

// TimerFired : an event timer of a process function fired.
type TimerFired struct {
	Key       string `json:"key" doc:"the key"`
	Timer     int64  `json:"timer" doc:"time of the timer, ms"`
	Count     int64  `json:"count" doc:"records of the key so far"`
	Watermark int64  `json:"watermark" doc:"watermark inside the call: the new one, ms"`
}

// StepType names the type.
func (TimerFired) StepType() string { return "timer.fired" }

// JoinMatched : an interval join emitted a pair.
type JoinMatched struct {
	Key   string `json:"key" doc:"the key"`
	Left  string `json:"left" doc:"the word of the left record"`
	Right string `json:"right" doc:"the word of the right record"`
	TS    int64  `json:"ts" doc:"timestamp of the pair: the later of the two, ms"`
}

// StepType names the type.
func (JoinMatched) StepType() string { return "join.matched" }

// JoinRemoved : an interval join deleted what can no longer find a partner.
type JoinRemoved struct {
	Key       string `json:"key" doc:"the key"`
	Side      string `json:"side" doc:"left or right"`
	TS        int64  `json:"ts" doc:"timestamp of the deleted records, ms"`
	Watermark int64  `json:"watermark" doc:"watermark of the subtask, ms"`
}

// StepType names the type.
func (JoinRemoved) StepType() string { return "join.removed" }
