package sim

// ProducerForgotten : the leader of a partition has dropped what it knew of a
// producer.
type ProducerForgotten struct {
	Partition string `json:"partition" doc:"topic/partition"`
	Producer  int64  `json:"producer" doc:"producer id"`
	Epoch     int64  `json:"epoch" doc:"producer epoch"`
	Updated   int64  `json:"updated" doc:"when it had last written there, ms"`
}

// StepType names the type.
func (ProducerForgotten) StepType() string { return "producer.forgotten" }

// BatchRepeated : a leader knows a batch: it answers with success and appends
// nothing.
type BatchRepeated struct {
	Partition string `json:"partition" doc:"topic/partition"`
	By        string `json:"by" doc:"client that sent it"`
	Producer  int64  `json:"producer" doc:"producer id"`
	Epoch     int64  `json:"epoch" doc:"producer epoch"`
	Offset    int64  `json:"offset" doc:"offset of its first record, from the first time"`
	Sequence  int64  `json:"sequence" doc:"sequence of its first record"`
}

// StepType names the type.
func (BatchRepeated) StepType() string { return "batch.repeated" }
