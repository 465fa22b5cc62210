package eventtime

// An Event is what a watermark generator and a timestamp assigner may look
// at in a record.
type Event struct {
	// Timestamp is the one that the record carries, MIN if it has none.
	Timestamp int64
	// EventTime is the time inside the record, for strategies that assign it.
	EventTime int64
	// Mark is the flag that a punctuated generator waits for.
	Mark bool
	// NullExpression says that the SQL watermark expression yields NULL for
	// this row.
	NullExpression bool
	// Script is what a scripted generator emits for this record, if anything.
	Script Emission
}

// An Emission is one thing that a scripted generator does.
type Emission struct {
	Kind EmissionKind
	// Watermark is the one to emit, for EmitsWatermark.
	Watermark int64
}

// EmissionKind says what a scripted generator does for a record.
type EmissionKind uint8

const (
	EmitsNothing EmissionKind = iota
	EmitsWatermark
	EmitsIdle
	EmitsActive
)

// A WatermarkGenerator decides how far event time has come. It mirrors
// Flink's interface of that name (EV-1.2, EV-1.3).
type WatermarkGenerator interface {
	// OnEvent sees every record after it went downstream. The timestamp is
	// the assigned one.
	OnEvent(timestamp int64, e *Event, out WatermarkOutput)
	// OnPeriodicEmit is the probe. clock is the reading of the activity clock
	// of this generator's input, which stands still while the input is blocked
	// (EV-3.3); only idleness looks at it.
	OnPeriodicEmit(clock int64, out WatermarkOutput)
}
