package flink_test

import (
	"slices"
	"testing"

	"streaminglab/sim/flink"
	"streaminglab/sim/state"
)

// each calls f for every operator's parts, in the order of their names.
func each(c *flink.Restored, f func(*state.Snapshot)) {
	var ids []string
	for id := range c.Operators {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		for _, s := range c.Operators[id] {
			if s != nil {
				f(s)
			}
		}
	}
}

// defects are what a restore could get wrong. Each is planted into completed
// checkpoints of jobs that have what it spoils.
var defects = []struct {
	name  string
	kinds []string // operator kinds that it can show with; none: all
	plant defect
}{
	{"a timer lost at restore", []string{
		"window tumbling reduce", "window tumbling process", "window sliding", "window session",
		"sql-window tumble", "sql-window hop", "process count-on-timer",
	}, func(c *flink.Restored) {
		lost := false
		each(c, func(s *state.Snapshot) {
			for i := range s.Timers {
				if rows := s.Timers[i].Rows; len(rows) > 0 && !lost {
					s.Timers[i].Rows, lost = rows[1:], true
				}
			}
		})
	}},
	{"a key group given to the wrong subtask", nil, func(c *flink.Restored) {
		const groups = 128
		wrong := -1
		move := func(rows []state.Row) {
			for i := range rows {
				if wrong < 0 {
					wrong = rows[i].Group
				}
				if rows[i].Group == wrong {
					rows[i].Group = (wrong + groups/2) % groups
				}
			}
		}
		each(c, func(s *state.Snapshot) {
			for _, t := range s.Tables {
				move(t.Rows)
			}
			for _, t := range s.Timers {
				move(t.Rows)
			}
		})
	}},
	{"a merging set not saved", []string{"window session", "window session dynamic", "sql-window session"}, func(c *flink.Restored) {
		each(c, func(s *state.Snapshot) {
			for i, t := range s.Tables {
				if t.Name == "merging-window-set" || t.Name == "session-window-mapping" {
					s.Tables[i].Rows = nil
				}
			}
		})
	}},
	{"an offset too high by one", nil, func(c *flink.Restored) { shift(c, 1) }},
	{"an offset too low by one", nil, func(c *flink.Restored) { shift(c, -1) }},
	{"a SQL watermark not restored", []string{
		"sql-window tumble", "sql-window hop", "sql-window cumulate", "sql-window session",
	}, func(c *flink.Restored) {
		each(c, func(s *state.Snapshot) {
			for i, u := range s.Lists {
				if u.Name == "watermark" {
					s.Lists[i].Items = nil
				}
			}
		})
	}},
	{"transactions not restored", nil, func(c *flink.Restored) {
		each(c, func(s *state.Snapshot) {
			for i, u := range s.Lists {
				if u.Name == "committables" {
					s.Lists[i].Items = nil
				}
			}
		})
	}},
}

// shift moves the first position that can be.
func shift(c *flink.Restored, by int64) {
	for _, source := range []string{"src", "left", "right"} {
		for _, splits := range c.Readers[source] {
			for i := range splits {
				// Above the end of the log, the next record is the one that is lost.
				if at := splits[i].Offset + by; at >= 0 {
					splits[i].Offset = at
					return
				}
			}
		}
	}
}

// The comparison of TestOneResult can fail: each planted defect is caught.
func TestOneResultCatchesDefects(t *testing.T) {
	const least = 5
	for _, d := range defects {
		runs, caught := 0, 0
		first := ""
		for seed := uint64(0); seed < uint64(seeds) && caught < 20; seed++ {
			g := generate(seed)
			if d.kinds != nil && !slices.ContainsFunc(g.kinds, func(k string) bool { return slices.Contains(d.kinds, k) }) {
				continue
			}
			want, err := g.run(reference(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for n := range variants {
				got, err := g.run(g.variant(n), d.plant)
				runs++
				difference := ""
				if err != nil {
					difference = err.Error()
				} else {
					difference = want.differs(got)
				}
				if difference != "" {
					caught++
					if first == "" {
						first = difference
					}
				}
			}
		}
		t.Logf("%s: caught in %d of %d runs, first as %s", d.name, caught, runs, first)
		if caught < least {
			t.Errorf("%s: caught in %d runs only", d.name, caught)
		}
	}
}
