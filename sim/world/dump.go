package world

import (
	"fmt"
	"sort"
	"strings"

	"streaminglab/sim/state"
)

// A DumpRow is one fact of the job's state. It names no id, time of the run,
// handle or parallelism: equal states have equal dumps whatever backend,
// number of subtasks or history they have.
type DumpRow struct {
	Operator  string `json:"operator"`
	State     string `json:"state"`
	Group     int    `json:"group"`
	Key       string `json:"key"`
	Namespace string `json:"namespace"`
	Value     string `json:"value"`
}

func (r DumpRow) String() string {
	return fmt.Sprintf("%s\t%s\t%d\t%s\t%s\t%s", r.Operator, r.State, r.Group, r.Key, r.Namespace, r.Value)
}

// Dump returns the state of the job: tables, timers, operator state, and the
// positions of the sources, sorted.
func (w *World) Dump() []DumpRow {
	if w.job == nil {
		return nil
	}
	var out []DumpRow
	for _, s := range w.job.States() {
		for _, t := range s.Snapshot.Tables {
			for _, r := range t.Rows {
				out = append(out, DumpRow{s.Operator, t.Name, r.Group, r.Key, r.Namespace.String(), t.Format(r.Value)})
			}
		}
		for _, t := range s.Snapshot.Timers {
			for _, r := range t.Rows {
				out = append(out, DumpRow{s.Operator, "timer:" + t.Name, r.Group, r.Key, r.Namespace.String(), fmt.Sprint(r.Timer)})
			}
		}
		for _, l := range s.Snapshot.Lists {
			for _, v := range l.Items {
				out = append(out, DumpRow{s.Operator, listKinds[l.Mode] + ":" + l.Name, -1, "", state.Void.String(), fmt.Sprint(v)})
			}
			for _, v := range l.Texts {
				out = append(out, DumpRow{s.Operator, listKinds[l.Mode] + ":" + l.Name, -1, "", state.Void.String(), v})
			}
		}
	}
	for _, p := range w.job.Positions() {
		out = append(out, DumpRow{p.Log.Source, "position", -1, p.Log.Split, state.Void.String(), fmt.Sprint(p.Offset)})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].less(out[j]) })
	return distinctUnions(out)
}

func (r DumpRow) less(o DumpRow) bool {
	for _, c := range []struct{ a, b string }{
		{r.Operator, o.Operator}, {r.State, o.State},
	} {
		if c.a != c.b {
			return c.a < c.b
		}
	}
	if r.Group != o.Group {
		return r.Group < o.Group
	}
	if r.Key != o.Key {
		return r.Key < o.Key
	}
	if r.Namespace != o.Namespace {
		return r.Namespace < o.Namespace
	}
	return r.Value < o.Value
}

// listKinds are what a dump calls the modes of operator state.
var listKinds = map[state.Mode]string{state.SplitDistribute: "split", state.UnionMode: "union", state.Broadcast: "broadcast"}

// distinctUnions keeps one of equal items of a union or a broadcast list: how
// many subtasks wrote it depends on the parallelism.
func distinctUnions(in []DumpRow) []DumpRow {
	out := in[:0]
	for i, r := range in {
		if i > 0 && r == in[i-1] && r.Group == -1 && !strings.HasPrefix(r.State, "split:") && r.State != "position" {
			continue
		}
		out = append(out, r)
	}
	return out
}
