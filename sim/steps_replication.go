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
