package sim

// MarkerDelayed : the marker of a decided transaction is on its way to the
// leader of a partition and has not arrived.
type MarkerDelayed struct {
	Partition       string `json:"partition" doc:"topic/partition"`
	TransactionalID string `json:"transactional_id" doc:"transactional.id"`
	Transaction     int64  `json:"transaction,omitempty" doc:"number of the transaction, counted over all of the broker"`
	Until           int64  `json:"until" doc:"when it arrives, ms; -1: when the coordinator moves or its markers are released"`
}

// StepType names the type.
func (MarkerDelayed) StepType() string { return "marker.delayed" }

// HighWatermarkAdvanced : what followers have fetched lets readers of a partition
// see more.
type HighWatermarkAdvanced struct {
	Partition string `json:"partition" doc:"topic/partition"`
	HW        int64  `json:"hw" doc:"high watermark"`
	Previous  int64  `json:"previous" doc:"high watermark before"`
	LSO       int64  `json:"lso" doc:"last stable offset"`
	Stable    int64  `json:"previous_lso" doc:"last stable offset before"`
}

// StepType names the type.
func (HighWatermarkAdvanced) StepType() string { return "hw.advanced" }

// Reasons of changes of an ISR.
const (
	// WhyCaughtUp : the follower has what readers see.
	WhyCaughtUp = "caught-up"
	// WhyLag : replica.lag.time.max.ms has passed.
	WhyLag = "lag"
	// WhyDown : its broker, or that of the leader, is gone.
	WhyDown = "down"
	// WhyUnclean : a copy leads that was not in sync.
	WhyUnclean = "unclean"
)

// InSyncChanged : a copy came into the ISR of a partition, or fell out of it.
type InSyncChanged struct {
	Partition string   `json:"partition" doc:"topic/partition"`
	InSync    []string `json:"isr" doc:"brokers whose copies are in sync, the leader included"`
	Previous  []string `json:"previous" doc:"those before"`
	MinInSync int64    `json:"min_isr" doc:"min.insync.replicas"`
	Why       string   `json:"why" doc:"caught-up, lag, down or unclean"`
}

// StepType names the type.
func (InSyncChanged) StepType() string { return "isr.changed" }

// LeaderChanged : another copy leads a partition, or none does. What it does not
// have is gone.
type LeaderChanged struct {
	Partition string `json:"partition" doc:"topic/partition"`
	Leader    string `json:"leader,omitempty" doc:"broker that leads; absent: none does"`
	Previous  string `json:"previous,omitempty" doc:"broker that led before; absent: none did"`
	Epoch     int64  `json:"epoch" doc:"leader epoch"`
	// Clean : the copy was in sync.
	Clean       bool     `json:"clean" doc:"true: the copy that leads was in sync"`
	End         int64    `json:"end" doc:"end of the log"`
	PreviousEnd int64    `json:"previous_end" doc:"end of the log before"`
	HW          int64    `json:"hw" doc:"high watermark"`
	PreviousHW  int64    `json:"previous_hw" doc:"high watermark before"`
	LSO         int64    `json:"lso" doc:"last stable offset"`
	Stable      int64    `json:"previous_lso" doc:"last stable offset before"`
	Lost        []string `json:"lost,omitempty" doc:"records that are gone, as key=value"`
	// Undecided are the transactions whose records are there and whose markers are
	// gone.
	Undecided []string `json:"undecided,omitempty" doc:"transactional.id of transactions whose marker is gone and whose records are not"`
}

// StepType names the type.
func (LeaderChanged) StepType() string { return "leader.changed" }

// States of a broker.
const (
	BrokerRuns   = "runs"
	BrokerPaused = "paused"
	BrokerDown   = "down"
)

// BrokerChanged : a broker that holds copies went away or came back, or its fetches
// stopped, became slow or go on.
type BrokerChanged struct {
	State string `json:"state" doc:"runs, paused (it fetches nothing) or down"`
	Slow  int64  `json:"slow,omitempty" doc:"what each of its fetches takes more, ms"`
}

// StepType names the type.
func (BrokerChanged) StepType() string { return "broker.changed" }

// OffsetReset : the position of a reader lies outside of the log, and it goes on
// elsewhere (auto.offset.reset).
type OffsetReset struct {
	Partition string   `json:"partition" doc:"topic/partition"`
	Position  int64    `json:"position" doc:"offset that it asked for"`
	To        int64    `json:"to" doc:"offset at which it goes on"`
	Policy    string   `json:"policy" doc:"earliest or latest; truncated: the reader goes on where the log of the new leader begins to differ"`
	Lost      []string `json:"lost,omitempty" doc:"records in between that it never reads, as key=value"`
}

// StepType names the type.
func (OffsetReset) StepType() string { return "position.reset" }

// AccessChanged : clients may no longer do something, or may again.
type AccessChanged struct {
	Allowed   bool   `json:"allowed,omitempty" doc:"true: they may again"`
	Operation string `json:"operation" doc:"read or write"`
	Resource  string `json:"resource" doc:"topic, group or transactional-id"`
	Name      string `json:"name" doc:"name of the resource; with * at its end a prefix"`
	Principal string `json:"principal,omitempty" doc:"client, as a subtask or a vertex; absent: everybody"`
	Still     string `json:"still,omitempty" doc:"name, with its client, of another rule that denies something of it; absent: none does"`
}

// StepType names the type.
func (AccessChanged) StepType() string { return "access.changed" }
