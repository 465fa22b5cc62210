package sim

// ConsumerStarted : a consumer of a topic is there. It has no position until it
// polls.
type ConsumerStarted struct {
	Topic     string `json:"topic" doc:"topic that it reads, with all partitions"`
	Isolation string `json:"isolation" doc:"isolation.level"`
	Group     string `json:"group,omitempty" doc:"group.id"`
	Reset     string `json:"reset" doc:"auto.offset.reset"`
}

// StepType names the type.
func (ConsumerStarted) StepType() string { return "consumer.started" }

// Why a position became another without reading.
const (
	// MovedCommitted : it is the one that the group has committed.
	MovedCommitted = "committed"
	// MovedReset : there was none, auto.offset.reset decided.
	MovedReset = "reset"
	// MovedOutOfRange : the log does not have it, auto.offset.reset decided.
	MovedOutOfRange = "out-of-range"
	// MovedSeek : a command.
	MovedSeek = "seek"
)

// ConsumerMoved : positions of a consumer became others without reading.
type ConsumerMoved struct {
	Why       string        `json:"why" doc:"committed, reset, out-of-range or seek"`
	Reset     string        `json:"reset,omitempty" doc:"auto.offset.reset, where it decided"`
	Positions []SplitOffset `json:"positions" doc:"the next offset of each partition"`
}

// StepType names the type.
func (ConsumerMoved) StepType() string { return "consumer.moved" }

// A PolledRecord is a record as a consumer got it.
type PolledRecord struct {
	Partition string `json:"partition" doc:"topic/partition"`
	Offset    int64  `json:"offset" doc:"its offset"`
	Key       string `json:"key,omitempty" doc:"its key"`
	Value     string `json:"value" doc:"its value"`
}

// A PolledPartition is what a poll did on a partition.
type PolledPartition struct {
	Partition string `json:"partition" doc:"topic/partition"`
	From      int64  `json:"from" doc:"position before"`
	Position  int64  `json:"position" doc:"position behind it"`
	// End is the end that the isolation level sees: LSO or HW.
	End int64 `json:"end" doc:"end for its isolation level: the last stable offset for read_committed, else the high watermark"`
	HW  int64 `json:"hw" doc:"high watermark"`
	Lag int64 `json:"lag" doc:"metric records-lag: end less position"`
	// Aborted and Markers are what it passed without handing it over.
	Aborted int64 `json:"aborted,omitempty" doc:"records of aborted transactions that it skipped"`
	Markers int64 `json:"markers,omitempty" doc:"markers that it passed"`
	// Waits, Transaction and First are the open transaction behind which
	// read_committed sees nothing.
	Waits       string `json:"waits,omitempty" doc:"transactional.id of the open transaction that holds the last stable offset"`
	Transaction int64  `json:"transaction,omitempty" doc:"number of that transaction"`
	First       int64  `json:"first" doc:"its first offset here; -1: none is open for it"`
}

// ConsumerPolled : a consumer has read what is there for it.
type ConsumerPolled struct {
	Isolation  string            `json:"isolation" doc:"isolation.level"`
	Records    []PolledRecord    `json:"records,omitempty" doc:"records that it got, in order"`
	Partitions []PolledPartition `json:"partitions" doc:"what it did on each partition"`
}

// StepType names the type.
func (ConsumerPolled) StepType() string { return "consumer.polled" }

// ConsumerFailed : a call of a consumer threw something.
type ConsumerFailed struct {
	Call      string `json:"call" doc:"the call"`
	Exception string `json:"exception" doc:"class of what it threw"`
	Message   string `json:"message,omitempty" doc:"message of the exception"`
}

// StepType names the type.
func (ConsumerFailed) StepType() string { return "consumer.failed" }

// ConsumerClosed : a consumer is gone. It commits nothing by itself.
type ConsumerClosed struct{}

// StepType names the type.
func (ConsumerClosed) StepType() string { return "consumer.closed" }
