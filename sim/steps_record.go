package sim

// Interval is a window [Start, End).
type Interval struct {
	Start int64 `json:"start"`
	End   int64 `json:"end"`
}

// RecordID says where a record stands in a log.
type RecordID struct {
	Source string `json:"source"`
	Split  string `json:"split"`
	Offset int64  `json:"offset"`
}

// RecordRead : a source took a record from its log.
type RecordRead struct {
	Record RecordID `json:"record" doc:"where the record stands in its log"`
	Key    string   `json:"key" doc:"the key as typed"`
	TS     int64    `json:"ts" doc:"timestamp, ms; MIN when it has none"`
	Value  int64    `json:"value" doc:"the number it carries"`
	Word   string   `json:"word,omitempty" doc:"the word it carries instead of a number"`
	Kind   string   `json:"kind,omitempty" doc:"kind of change when not +I"`
	Again  bool     `json:"again,omitempty" doc:"true when an earlier attempt had read it already"`
}

// StepType names the type.
func (RecordRead) StepType() string { return "record.read" }

// Fates of a window of a record.
const (
	// FateAdded : the record is in the window's contents.
	FateAdded = "added"
	// FateLate : the window's state was cleaned up already.
	FateLate = "late"
	// FateBuffered : the row waits in the buffer of its slice.
	FateBuffered = "buffered"
)

// WindowFate is one window of a record and what became of it there.
type WindowFate struct {
	Start int64  `json:"start" doc:"first ms of the window"`
	End   int64  `json:"end" doc:"first ms after the window"`
	Fate  string `json:"fate" doc:"added, late or buffered"`
}

// Placement is what a window operator or a join did with one record. The four
// types of step below share it; exactly one of them is written for a record.
type Placement struct {
	Record          RecordID     `json:"record" doc:"where the record stands in its log"`
	Key             string       `json:"key" doc:"the key as typed"`
	TS              int64        `json:"ts" doc:"timestamp, ms"`
	Value           int64        `json:"value" doc:"the number it carries"`
	Word            string       `json:"word,omitempty" doc:"the word it carries instead of a number"`
	WatermarkBefore int64        `json:"watermark_before" doc:"watermark of the subtask before the record, ms"`
	Windows         []WindowFate `json:"windows" doc:"the windows of the record and what became of it there"`
	Dropped         int64        `json:"dropped" doc:"numLateRecordsDropped of the subtask after the record"`
	Tag             string       `json:"tag,omitempty" doc:"the side output that it went to"`
}

// RecordPlaced : the record was added to at least one window.
type RecordPlaced Placement

// StepType names the type.
func (RecordPlaced) StepType() string { return "record.placed" }

// RecordDropped : too late for all its windows, counted.
type RecordDropped Placement

// StepType names the type.
func (RecordDropped) StepType() string { return "record.dropped" }

// RecordLate : too late for all its windows, sent to the late side output.
type RecordLate Placement

// StepType names the type.
func (RecordLate) StepType() string { return "record.late" }

// RecordVanished : in no window, and no counter moved.
type RecordVanished Placement

// StepType names the type.
func (RecordVanished) StepType() string { return "record.vanished" }

// RecordProcessed : a process function handled a record.
type RecordProcessed struct {
	Record          RecordID `json:"record" doc:"where the record stands in its log"`
	Key             string   `json:"key" doc:"the key as typed"`
	TS              int64    `json:"ts" doc:"timestamp, ms"`
	Value           int64    `json:"value" doc:"the number it carries"`
	Word            string   `json:"word,omitempty" doc:"what it carries instead of a number"`
	WatermarkBefore int64    `json:"watermark_before" doc:"watermark of the subtask before the record, ms"`
	Registered      []int64  `json:"registered,omitempty" doc:"event timers that the function registered, ms"`
	Deleted         []int64  `json:"deleted,omitempty" doc:"event timers that the function deleted, ms"`
	Count           int64    `json:"count" doc:"records of the key so far, where the function counts them"`
	Holds           string   `json:"holds,omitempty" doc:"what the key's state holds of it, where the function does something else"`
}

// StepType names the type.
func (RecordProcessed) StepType() string { return "record.processed" }

// Reasons why a record waits in a channel.
const (
	// WaitBlocked : an alignment holds the channel back.
	WaitBlocked = "blocked"
	// WaitBackpressure : the subtask takes nothing.
	WaitBackpressure = "backpressure"
	// WaitFrozen : its TaskManager does nothing at all.
	WaitFrozen = "frozen"
	// WaitBusy : the subtask is at work: on a record that takes its time, on its
	// snapshot or on its restore.
	WaitBusy = "busy"
)

// RecordWaiting : a record has come into a channel and has to wait there.
type RecordWaiting struct {
	Record RecordID `json:"record" doc:"where the record stands in its log"`
	Key    string   `json:"key" doc:"the key"`
	From   string   `json:"from" doc:"the subtask that sent it"`
	Why    string   `json:"why" doc:"blocked (by an alignment), backpressure, frozen (with its TaskManager) or busy"`
}

// StepType names the type.
func (RecordWaiting) StepType() string { return "record.waiting" }

// RecordStamped : assignTimestampsAndWatermarks gave a record its timestamp.
type RecordStamped struct {
	Record RecordID `json:"record" doc:"where the record stands in its log"`
	Before int64    `json:"before" doc:"timestamp before, ms; MIN when it had none"`
	TS     int64    `json:"ts" doc:"timestamp after, ms"`
}

// StepType names the type.
func (RecordStamped) StepType() string { return "record.stamped" }

// BroadcastStored : a subtask took an element of a broadcast stream into its copy
// of the broadcast state.
type BroadcastStored struct {
	Record   RecordID `json:"record" doc:"where the element stands in its log"`
	Value    int64    `json:"value" doc:"the number that counts from now on in this subtask"`
	Previous int64    `json:"previous" doc:"the number before it"`
}

// StepType names the type.
func (BroadcastStored) StepType() string { return "broadcast.stored" }

// BroadcastApplied : a record was handled with the broadcast state as the subtask
// has it.
type BroadcastApplied struct {
	Record RecordID `json:"record" doc:"where the record stands in its log"`
	Key    string   `json:"key" doc:"the key"`
	TS     int64    `json:"ts" doc:"timestamp, ms"`
	Value  int64    `json:"value" doc:"the number it carries"`
	Factor int64    `json:"factor" doc:"the number in the broadcast state"`
	Result int64    `json:"result" doc:"value times factor"`
}

// StepType names the type.
func (BroadcastApplied) StepType() string { return "broadcast.applied" }

// ResultWritten : a sink took a result.
type ResultWritten struct {
	Key    string   `json:"key" doc:"the key"`
	TS     int64    `json:"ts" doc:"timestamp of the result, ms"`
	Window Interval `json:"window" doc:"the window of the result; 0,0 when it has none"`
	Value  int64    `json:"value" doc:"the number"`
	Word   string   `json:"word,omitempty" doc:"the word it carries instead of a number"`
	Values []int64  `json:"values,omitempty" doc:"the numbers of a result that lists them"`
	Count  int64    `json:"count,omitempty" doc:"rows behind a SQL result"`
	Null   bool     `json:"null,omitempty" doc:"true when the sum is NULL"`
	// Transaction is that of a two-phase sink: nobody sees the result before it
	// is committed.
	Transaction int64 `json:"transaction,omitempty" doc:"of a two-phase sink: nobody sees the result before this transaction is committed"`
	Replaced    bool  `json:"replaced,omitempty" doc:"of an upsert sink: true when it overwrote an earlier result of the key and window"`
	// Partition is that of a KafkaSink: the producer sends the result there.
	Partition string `json:"partition,omitempty" doc:"of a KafkaSink: the topic/partition that the producer sends it to"`
}

// StepType names the type.
func (ResultWritten) StepType() string { return "result.written" }
