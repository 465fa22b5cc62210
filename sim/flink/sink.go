package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/operator"
)

// collector is a sink that shows what it takes.
type collector struct{ operator.Base }

// Open keeps the context.
func (c *collector) Open(ctx *operator.Context) error {
	c.Init(ctx, nil, nil)
	return nil
}

// ProcessRecord writes the result.
func (c *collector) ProcessRecord(_ int, r *operator.Record) error {
	c.Metrics.NumRecordsIn++
	body := sim.ResultWritten{
		TS: r.TS, Window: sim.Interval{Start: r.Window.Start, End: r.Window.End},
		Value: r.Value, Word: r.Word, Values: r.Values, Count: r.Count, Null: r.NullSum, Key: r.Name,
	}
	if r.Key != nil {
		body.Key = r.Key.Name
	}
	c.Step("LAB-4", body)
	return nil
}
