package eventtime

import "fmt"

// GeneratorKind names a watermark generator in job files and recordings.
type GeneratorKind string

const (
	Bounded    GeneratorKind = "bounded"
	Monotonous GeneratorKind = "monotonous"
	Punctuated GeneratorKind = "punctuated"
	Scripted   GeneratorKind = "scripted"
	None       GeneratorKind = "none"
	// SQLExpression is a watermark expression pushed down into the source.
	SQLExpression GeneratorKind = "sql"
)

// A WatermarkStrategy makes the generators of one source or operator. It
// mirrors Flink's class of that name: every split gets a generator of its own
// (EV-1.7).
type WatermarkStrategy struct {
	Generator GeneratorKind
	// Delay is the bound of Bounded and the delay of SQLExpression.
	Delay int64
	// OnEvent is the emit strategy of SQLExpression (on-periodic if false).
	OnEvent bool
	// AssignTimestamps makes Event.EventTime the timestamp of the record
	// (withTimestampAssigner, EV-1.5). Without it the record keeps its own.
	AssignTimestamps bool
	// IdleTimeout is withIdleness, 0 for none.
	IdleTimeout int64
}

// Validate says what is wrong with the strategy, in Flink's words where Flink
// has some.
func (s WatermarkStrategy) Validate() error {
	_, err := s.NewGenerator()
	return err
}

// NewGenerator makes a generator at its start.
func (s WatermarkStrategy) NewGenerator() (WatermarkGenerator, error) {
	g, err := s.inner()
	if err != nil {
		return nil, err
	}
	if s.IdleTimeout != 0 {
		return NewWatermarksWithIdleness(g, s.IdleTimeout)
	}
	return g, nil
}

func (s WatermarkStrategy) inner() (WatermarkGenerator, error) {
	switch s.Generator {
	case Bounded:
		return NewBoundedOutOfOrdernessWatermarks(s.Delay)
	case Monotonous:
		return NewAscendingTimestampsWatermarks(), nil
	case Punctuated:
		return PunctuatedWatermarks{}, nil
	case Scripted:
		return ScriptedWatermarks{}, nil
	case None:
		return NoWatermarksGenerator{}, nil
	case SQLExpression:
		return NewGeneratedWatermarks(s.Delay, s.OnEvent), nil
	}
	return nil, fmt.Errorf("unknown watermark generator %q", s.Generator)
}

// Timestamp is what the timestamp assigner gives the record.
func (s WatermarkStrategy) Timestamp(e *Event) int64 {
	if s.AssignTimestamps {
		return e.EventTime
	}
	return e.Timestamp
}
