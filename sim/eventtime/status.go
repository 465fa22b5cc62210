package eventtime

// A WatermarkStatus says whether an output still takes part in the progress
// of event time. It mirrors Flink's class of that name (EV-2.5, EV-3.1).
// The zero value is Active, as every channel starts.
type WatermarkStatus uint8

const (
	// Active outputs count for the minimum.
	Active WatermarkStatus = iota
	// Idle outputs are left out of it.
	Idle
)

// IsIdle says whether the status is Idle.
func (s WatermarkStatus) IsIdle() bool { return s == Idle }

func (s WatermarkStatus) String() string {
	if s == Idle {
		return "idle"
	}
	return "active"
}

func statusOf(idle bool) WatermarkStatus {
	if idle {
		return Idle
	}
	return Active
}
