package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/operator"
)

// collector is a sink that shows what it takes.
type collector struct {
	operator.Base
	// table is where an upsert sink writes; nil: it appends.
	table *Table
}

// Open keeps the context.
func (c *collector) Open(ctx *operator.Context) error {
	c.Init(ctx, nil, nil)
	return nil
}

// ProcessRecord writes the result.
func (c *collector) ProcessRecord(_ int, r *operator.Record) error {
	c.Metrics.NumRecordsIn++
	if c.Trace == nil && c.table == nil {
		// Nobody sees it.
		return nil
	}
	body := operator.Written(r)
	if c.table != nil {
		body.Replaced = c.table.put(c.Name, &body)
	}
	c.Step("LAB-4", body)
	return nil
}

// A Table is the outside system of the upsert sinks of a cluster: what a key, or
// a key and its window, holds is overwritten.
type Table struct{ rows map[row]bool }

type row struct {
	sink, key string
	window    sim.Interval
}

// put writes a row and reports whether there was one.
func (t *Table) put(sink string, r *sim.ResultWritten) (replaced bool) {
	if t.rows == nil {
		t.rows = map[row]bool{}
	}
	k := row{sink, r.Key, r.Window}
	replaced = t.rows[k]
	t.rows[k] = true
	return replaced
}
