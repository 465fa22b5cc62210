package fold

// Record is one record as a window operator or a join handled it. A record
// that is read again after a restart is handled again.
type Record struct {
	Key             string   `expr:"key" doc:"the key"`
	TS              int      `expr:"ts" doc:"timestamp, ms"`
	Value           int      `expr:"value" doc:"the number it carries"`
	Word            string   `expr:"word" doc:"the word it carries instead of a number"`
	Split           string   `expr:"split" doc:"where it was read: source/split"`
	Offset          int      `expr:"offset" doc:"its offset in the log of the split"`
	Operator        string   `expr:"operator" doc:"the operator that handled it"`
	Subtask         int      `expr:"subtask" doc:"the subtask of the operator"`
	WatermarkBefore int      `expr:"watermark_before" doc:"watermark of the subtask before the record, ms; MIN before the first"`
	Accepted        bool     `expr:"accepted" doc:"added to at least one window"`
	Dropped         bool     `expr:"dropped" doc:"too late for all its windows, counted by numLateRecordsDropped"`
	Late            bool     `expr:"late" doc:"too late for all its windows, sent to the late side output"`
	Vanished        bool     `expr:"vanished" doc:"in no window, and no counter moved"`
	Behind          bool     `expr:"behind" doc:"timestamp at or below the watermark before it"`
	Windows         []Window `expr:"windows" doc:"its windows"`
	Attempt         int      `expr:"attempt" doc:"the attempt of the job, from 0"`
	Step            int      `expr:"step" doc:"the step"`
	T               int      `expr:"t" doc:"virtual time, ms"`
}

// Window is a window of a record.
type Window struct {
	Start int    `expr:"start" doc:"first ms of the window"`
	End   int    `expr:"end" doc:"first ms after it"`
	Fate  string `expr:"fate" doc:"added, late or buffered"`
}

// Read is one record as a source took it from a log.
type Read struct {
	Key     string `expr:"key" doc:"the key"`
	TS      int    `expr:"ts" doc:"timestamp, ms; MIN when it has none"`
	Value   int    `expr:"value" doc:"the number it carries"`
	Word    string `expr:"word" doc:"the word it carries instead of a number"`
	Split   string `expr:"split" doc:"source/split"`
	Offset  int    `expr:"offset" doc:"its offset in the log"`
	Again   bool   `expr:"again" doc:"an earlier attempt had read it already"`
	Attempt int    `expr:"attempt" doc:"the attempt of the job, from 0"`
	Step    int    `expr:"step" doc:"the step"`
	T       int    `expr:"t" doc:"virtual time, ms"`
}

// Firing is one result of a window.
type Firing struct {
	Operator  string `expr:"operator" doc:"the operator"`
	Subtask   int    `expr:"subtask" doc:"its subtask"`
	Key       string `expr:"key" doc:"the key"`
	Start     int    `expr:"start" doc:"first ms of the window"`
	End       int    `expr:"end" doc:"first ms after it"`
	Value     int    `expr:"value" doc:"the number of the result"`
	Values    []int  `expr:"values" doc:"the numbers of a result that lists them"`
	Count     int    `expr:"count" doc:"rows behind a SQL result"`
	Reason    string `expr:"reason" doc:"watermark, late-record, count or tick"`
	Watermark int    `expr:"watermark" doc:"watermark of the subtask, ms"`
	Attempt   int    `expr:"attempt" doc:"the attempt of the job, from 0"`
	Step      int    `expr:"step" doc:"the step"`
	T         int    `expr:"t" doc:"virtual time, ms"`
}

// Result is what a sink took.
type Result struct {
	Sink    string `expr:"sink" doc:"the sink"`
	Key     string `expr:"key" doc:"the key"`
	TS      int    `expr:"ts" doc:"timestamp, ms"`
	Start   int    `expr:"start" doc:"first ms of the window, 0 when it has none"`
	End     int    `expr:"end" doc:"first ms after the window, 0 when it has none"`
	Value   int    `expr:"value" doc:"the number"`
	Word    string `expr:"word" doc:"the word it carries instead of a number"`
	Values  []int  `expr:"values" doc:"the numbers of a result that lists them"`
	Count   int    `expr:"count" doc:"records of the key so far, or rows behind a SQL result"`
	Visible bool   `expr:"visible" doc:"a reader sees it: at once; in an upsert sink until it is overwritten; in a two-phase sink when its transaction is committed; in a topic as soon as a read_committed reader gets it"`
	// Partition and Offset are where a KafkaSink wrote it; −1: it has not left the
	// producer.
	Partition string `expr:"partition" doc:"of a KafkaSink: the topic/partition; empty: of another sink"`
	Offset    int    `expr:"offset" doc:"of a KafkaSink: its offset, which a read_uncommitted reader gets at once; -1: it has not left the producer, or it is of another sink"`
	Attempt   int    `expr:"attempt" doc:"the attempt of the job, from 0"`
	Step      int    `expr:"step" doc:"the step"`
	T         int    `expr:"t" doc:"virtual time, ms"`
}

// Watermark is one rise of a watermark.
type Watermark struct {
	At        string `expr:"at" doc:"where: clicks/1, clicks[0], totals[0]"`
	Watermark int    `expr:"watermark" doc:"the watermark, ms"`
	Previous  int    `expr:"previous" doc:"the one before, ms"`
	Step      int    `expr:"step" doc:"the step"`
	T         int    `expr:"t" doc:"virtual time, ms"`
}

// Status is one change between idle and active.
type Status struct {
	At   string `expr:"at" doc:"where: clicks/1, clicks[0], totals[0]"`
	Idle bool   `expr:"idle" doc:"true: turned idle"`
	Step int    `expr:"step" doc:"the step"`
	T    int    `expr:"t" doc:"virtual time, ms"`
}

// Hold is one answer to the question who holds a watermark back.
type Hold struct {
	At        string   `expr:"at" doc:"where: clicks[0], totals[0]"`
	By        []string `expr:"by" doc:"splits or channels that hold it; empty: nobody"`
	Watermark int      `expr:"watermark" doc:"the watermark that is held, ms"`
	Ahead     int      `expr:"ahead" doc:"the highest of the others, ms"`
	Step      int      `expr:"step" doc:"the step"`
	T         int      `expr:"t" doc:"virtual time, ms"`
}

// Cleanup is the deletion of a window's state without output.
type Cleanup struct {
	Operator string `expr:"operator" doc:"the operator"`
	Key      string `expr:"key" doc:"the key"`
	Start    int    `expr:"start" doc:"first ms of the window"`
	End      int    `expr:"end" doc:"first ms after it"`
	Unfired  int    `expr:"unfired" doc:"records that no firing had shown"`
	Step     int    `expr:"step" doc:"the step"`
	T        int    `expr:"t" doc:"virtual time, ms"`
}

// Merge is sessions that became one.
type Merge struct {
	Operator string `expr:"operator" doc:"the operator"`
	Key      string `expr:"key" doc:"the key"`
	Start    int    `expr:"start" doc:"first ms of the session after"`
	End      int    `expr:"end" doc:"first ms after it"`
	From     int    `expr:"from" doc:"number of sessions before"`
	Step     int    `expr:"step" doc:"the step"`
	T        int    `expr:"t" doc:"virtual time, ms"`
}

// Timer is an event timer that fired.
type Timer struct {
	Operator string `expr:"operator" doc:"the operator"`
	Key      string `expr:"key" doc:"the key"`
	Timer    int    `expr:"timer" doc:"its time, ms"`
	Step     int    `expr:"step" doc:"the step"`
	T        int    `expr:"t" doc:"virtual time, ms"`
}

// Pair is a result of an interval join.
type Pair struct {
	Operator string `expr:"operator" doc:"the operator"`
	Key      string `expr:"key" doc:"the key"`
	Left     string `expr:"left" doc:"the left record's word"`
	Right    string `expr:"right" doc:"the right record's word"`
	TS       int    `expr:"ts" doc:"timestamp of the pair, ms"`
	Step     int    `expr:"step" doc:"the step"`
	T        int    `expr:"t" doc:"virtual time, ms"`
}

// Start is a start of the job.
type Start struct {
	Attempt     int `expr:"attempt" doc:"from 0"`
	Restored    int `expr:"restored" doc:"the checkpoint that state came from, 0: none"`
	Parallelism int `expr:"parallelism" doc:"subtasks of each operator"`
	Spare       int `expr:"spare" doc:"readers without a split"`
	Step        int `expr:"step" doc:"the step"`
	T           int `expr:"t" doc:"virtual time, ms"`
}

// Failure is a task that failed.
type Failure struct {
	At      string `expr:"at" doc:"the subtask"`
	Class   string `expr:"class" doc:"class of the exception"`
	Message string `expr:"message" doc:"its message"`
	Step    int    `expr:"step" doc:"the step"`
	T       int    `expr:"t" doc:"virtual time, ms"`
}

// Step is any step.
type Step struct {
	Seq  int    `expr:"seq" doc:"its number"`
	T    int    `expr:"t" doc:"virtual time, ms"`
	Type string `expr:"type" doc:"its type"`
	At   string `expr:"at" doc:"where"`
	Rule string `expr:"rule" doc:"the rule that produced it"`
}
