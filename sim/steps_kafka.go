package sim

// An Appended says where a batch of records stands in the log of a topic
// partition, and who wrote it.
type Appended struct {
	Partition string `json:"partition" doc:"topic/partition"`
	Offset    int64  `json:"offset" doc:"offset of the first record"`
	// Producer, Epoch and Sequence are those of the batch: −1 without a producer id.
	Producer int64 `json:"producer" doc:"producer id; -1: the producer has none"`
	Epoch    int64 `json:"epoch" doc:"producer epoch; -1 without a producer id"`
	Sequence int64 `json:"sequence" doc:"sequence of the first record; -1 without a producer id"`
	// TransactionalID is empty outside a transaction.
	TransactionalID string `json:"transactional_id,omitempty" doc:"transactional.id, when the batch belongs to a transaction"`
	// Transaction counts the transactions of a broker from 1.
	Transaction int64 `json:"transaction,omitempty" doc:"number of the transaction, counted over all of the broker"`
	LSO         int64 `json:"lso" doc:"last stable offset behind it"`
	HW          int64 `json:"hw" doc:"high watermark behind it"`
}

// BatchAppended : a leader appended a batch of records.
type BatchAppended struct {
	Log Appended `json:"log" doc:"where it stands: partition, offset, producer (-1: none), epoch, sequence, transactional_id, transaction (numbered over all of the broker), lso and hw behind it"`
	// By is the client that sent it.
	By      string   `json:"by" doc:"client that sent it"`
	Records []string `json:"records" doc:"its records, as key=value"`
}

// StepType names the type.
func (BatchAppended) StepType() string { return "batch.appended" }

// Results of transactions.
const (
	ResultCommit = "COMMIT"
	ResultAbort  = "ABORT"
)

// MarkerWritten : the marker that decides a transaction on a partition stands in
// its log. It uses one offset.
type MarkerWritten struct {
	Partition        string `json:"partition" doc:"topic/partition"`
	Offset           int64  `json:"offset" doc:"offset that the marker uses"`
	Result           string `json:"result" doc:"COMMIT or ABORT"`
	Producer         int64  `json:"producer" doc:"producer id"`
	Epoch            int64  `json:"epoch" doc:"producer epoch that it carries"`
	CoordinatorEpoch int64  `json:"coordinator_epoch" doc:"epoch of the coordinator that sent it"`
	TransactionalID  string `json:"transactional_id,omitempty" doc:"transactional.id; empty: a tool wrote it"`
	// Transaction is the one that it decides here: 0 when none was open.
	Transaction int64 `json:"transaction,omitempty" doc:"number of the transaction that it decides here; absent: none was open here"`
	// First is the first offset of the transaction here, −1 without one.
	First    int64 `json:"first" doc:"first offset of the transaction here; -1: none was open here"`
	Previous int64 `json:"previous" doc:"last stable offset before"`
	LSO      int64 `json:"lso" doc:"last stable offset behind it"`
	HW       int64 `json:"hw" doc:"high watermark behind it"`
}

// StepType names the type.
func (MarkerWritten) StepType() string { return "marker.written" }

// Reasons of changes of a transaction.
const (
	// WhyRequest : its own client asked for it.
	WhyRequest = "request"
	// WhyFence : somebody initialised the id.
	WhyFence = "fence"
	// WhyTimeout : transaction.timeout.ms has passed.
	WhyTimeout = "timeout"
	// WhyMarkers : all markers are written.
	WhyMarkers = "markers"
)

// TransactionChanged : what the transaction coordinator knows of a
// transactional id became another, as DescribeTransactions shows it.
type TransactionChanged struct {
	ID       string `json:"id" doc:"transactional.id"`
	State    string `json:"state" doc:"state at the coordinator"`
	Previous string `json:"previous" doc:"state before; empty: the id was unknown"`
	Why      string `json:"why" doc:"request, fence, timeout or markers"`
	By       string `json:"by,omitempty" doc:"client whose request led to it"`
	Producer int64  `json:"producer" doc:"producer id"`
	Epoch    int64  `json:"epoch" doc:"producer epoch"`
	Timeout  int64  `json:"timeout" doc:"transaction.timeout.ms"`
	// Start is when its first partition was added, ms; −1 without a transaction.
	Start       int64    `json:"start" doc:"when its first partition was added, ms; -1 without a transaction"`
	Partitions  []string `json:"partitions,omitempty" doc:"partitions of the transaction"`
	Transaction int64    `json:"transaction,omitempty" doc:"number of the transaction, counted over all of the broker"`
}

// StepType names the type.
func (TransactionChanged) StepType() string { return "transaction.changed" }

// TransactionalIDForgotten : transactional.id.expiration.ms has passed.
type TransactionalIDForgotten struct {
	ID      string `json:"id" doc:"transactional.id"`
	Updated int64  `json:"updated" doc:"when it last changed, ms"`
}

// StepType names the type.
func (TransactionalIDForgotten) StepType() string { return "transaction.forgotten" }

// RequestRefused : a broker answered a client's request with an error.
type RequestRefused struct {
	API   string `json:"api" doc:"request"`
	ID    string `json:"id,omitempty" doc:"transactional.id of the request"`
	Error string `json:"error" doc:"name of the error"`
	Code  int64  `json:"code" doc:"number of the error"`
	// Retry : the client sends it again by itself.
	Retry bool `json:"retry,omitempty" doc:"true: the client will send it again by itself"`
}

// StepType names the type.
func (RequestRefused) StepType() string { return "request.refused" }

// RequestLost : a request, or its answer, did not arrive. The client sends it
// again when request.timeout.ms has passed.
type RequestLost struct {
	API string `json:"api" doc:"request"`
	ID  string `json:"id,omitempty" doc:"transactional.id of the request"`
	// Partition is where a marker was to be written.
	Partition string `json:"partition,omitempty" doc:"partition that a marker was for"`
	Answer    bool   `json:"answer,omitempty" doc:"true: the broker has carried it out, and the answer was lost"`
	Again     int64  `json:"again" doc:"when the client sends it again, ms"`
}

// StepType names the type.
func (RequestLost) StepType() string { return "request.lost" }

// ClientWaits : a call of a client goes on later.
type ClientWaits struct {
	API   string `json:"api" doc:"request that is repeated"`
	ID    string `json:"id,omitempty" doc:"transactional.id"`
	Error string `json:"error,omitempty" doc:"answer that is repeated until it changes"`
	Until int64  `json:"until" doc:"when the call gives up, ms"`
}

// StepType names the type.
func (ClientWaits) StepType() string { return "client.waits" }

// ClientChanged : the state of a producer's transaction manager became another,
// or a call threw something.
type ClientChanged struct {
	Call     string `json:"call" doc:"the call"`
	ID       string `json:"id,omitempty" doc:"transactional.id"`
	State    string `json:"state" doc:"state behind the call"`
	Previous string `json:"previous" doc:"state before"`
	Producer int64  `json:"producer" doc:"producer id; -1: it has none"`
	Epoch    int64  `json:"epoch" doc:"producer epoch"`
	// Exception is what the call threw: its class, the Kafka exception inside, a
	// message.
	Exception string `json:"exception,omitempty" doc:"class of what the call threw"`
	Cause     string `json:"cause,omitempty" doc:"class of the exception inside"`
	Error     string `json:"error,omitempty" doc:"name of the error behind it"`
	Message   string `json:"message,omitempty" doc:"message of the exception"`
}

// StepType names the type.
func (ClientChanged) StepType() string { return "client.changed" }

// CoordinatorChanged : the transaction coordinator, or its marker sender, went
// away or came back.
type CoordinatorChanged struct {
	Away  bool  `json:"away,omitempty" doc:"true: nobody is the coordinator"`
	Held  bool  `json:"held,omitempty" doc:"true: the marker sender sends nothing"`
	Epoch int64 `json:"epoch" doc:"coordinator epoch"`
}

// StepType names the type.
func (CoordinatorChanged) StepType() string { return "coordinator.changed" }

// Results of a commit.
const (
	CommitOK    = "OK"
	CommitRetry = "RETRY"
	// CommitFailedKnown : the sink writes it into its log and goes on.
	CommitFailedKnown = "FAILED_KNOWN"
	// CommitFailedUnknown : the job fails.
	CommitFailedUnknown = "FAILED_UNKNOWN"
)

// CommitAttempted : the committer of a KafkaSink has called commitTransaction.
type CommitAttempted struct {
	ID          string `json:"id" doc:"transactional.id"`
	Transaction int64  `json:"transaction,omitempty" doc:"number of the transaction, counted over all of the broker"`
	Epoch       int64  `json:"epoch" doc:"producer epoch of the committable"`
	Live        bool   `json:"live,omitempty" doc:"true: by the producer that wrote it; else by one that was rebuilt from the checkpoint"`
	// Result is OK, RETRY, FAILED_KNOWN (the sink writes it into its log and goes
	// on) or FAILED_UNKNOWN (the job fails).
	Result    string `json:"result" doc:"OK, RETRY, FAILED_KNOWN (logged, and the job goes on) or FAILED_UNKNOWN (the job fails)"`
	Exception string `json:"exception,omitempty" doc:"class of what the call threw"`
	// Decided is what has become of the transaction: COMMIT, ABORT, or empty while
	// it is open.
	Decided string `json:"decided,omitempty" doc:"what the coordinator has decided about it: COMMIT or ABORT; absent: nothing"`
	Records int64  `json:"records" doc:"records in the transaction"`
	Again   bool   `json:"again,omitempty" doc:"true: it is committed again after a restore"`
}

// StepType names the type.
func (CommitAttempted) StepType() string { return "commit.attempted" }

// CommittableEmitted : a writer has closed a transaction for the checkpoint. For
// the broker it is still open.
type CommittableEmitted struct {
	ID          string `json:"id" doc:"transactional.id"`
	Transaction int64  `json:"transaction,omitempty" doc:"number of the transaction, counted over all of the broker; absent: nothing has reached the broker"`
	Producer    int64  `json:"producer" doc:"producer id"`
	Epoch       int64  `json:"epoch" doc:"producer epoch"`
	Checkpoint  int64  `json:"checkpoint" doc:"the checkpoint that holds it"`
	Records     int64  `json:"records" doc:"records in it"`
}

// StepType names the type.
func (CommittableEmitted) StepType() string { return "committable.emitted" }

// TopicCreated : a topic is there.
type TopicCreated struct {
	Topic      string `json:"topic" doc:"name of the topic"`
	Partitions int64  `json:"partitions" doc:"number of its partitions"`
	// Replicas are the copies of each, absent: one.
	Replicas int64 `json:"replicas,omitempty" doc:"copies of each partition; absent: one"`
}

// StepType names the type.
func (TopicCreated) StepType() string { return "topic.created" }

// BrokerConfigured : an option of the broker became another.
type BrokerConfigured struct {
	Option   string `json:"option" doc:"name of the option"`
	Value    string `json:"value" doc:"its value"`
	Previous string `json:"previous" doc:"its value before"`
}

// StepType names the type.
func (BrokerConfigured) StepType() string { return "broker.configured" }

// OffsetsCommitted : a group has committed offsets.
type OffsetsCommitted struct {
	Group   string        `json:"group" doc:"consumer group"`
	Offsets []SplitOffset `json:"offsets" doc:"offset of each partition"`
}

// StepType names the type.
func (OffsetsCommitted) StepType() string { return "offsets.committed" }

// RecordsDeleted : the log of a partition begins later.
type RecordsDeleted struct {
	Partition string `json:"partition" doc:"topic/partition"`
	Start     int64  `json:"start" doc:"log start offset"`
	Previous  int64  `json:"previous" doc:"log start offset before"`
	LSO       int64  `json:"lso" doc:"last stable offset behind it"`
}

// StepType names the type.
func (RecordsDeleted) StepType() string { return "records.deleted" }
