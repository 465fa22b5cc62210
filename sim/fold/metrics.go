package fold

import (
	"maps"
	"slices"
	"strings"

	"streaminglab/sim"
)

// Metrics are the names that metric knows, as Flink has them. Total knows the
// counters.
var Metrics = slices.Concat(counterNames, watermarkNames, taskNames, JobMetrics)

var (
	// The last three are of committers (MetricNames).
	counterNames   = []string{"numLateRecordsDropped", "numRecordsIn", "numRecordsOut", "successfulCommittables", "failedCommittables", "retriedCommittables"}
	watermarkNames = []string{"currentInputWatermark", "currentOutputWatermark"}
	// taskNames are of a subtask, in ns.
	taskNames = []string{"checkpointStartDelayNanos", "checkpointAlignmentTime"}
	// JobMetrics are those of the job, which the JobManager reports.
	JobMetrics = []string{
		"lastCheckpointDuration", "lastCheckpointSize", "lastCheckpointFullSize", "lastCompletedCheckpointId", "lastCheckpointRestoreTimestamp",
		"numberOfInProgressCheckpoints", "numberOfCompletedCheckpoints", "numberOfFailedCheckpoints", "totalNumberOfCheckpoints",
		"numRestarts", "uptime", "downtime",
	}
)

// JobManager is where the metrics of the job are: metric("jm.numRestarts").
const JobManager = "jm"

// metricsAt are the names that metric knows at a place.
func metricsAt(path string) []string {
	if at, _, _ := cutLast(path, "."); at == JobManager {
		return JobMetrics
	}
	return slices.Concat(counterNames, watermarkNames, taskNames)
}

// none is what Flink reports of what there has not been.
const none = -1

// gauges are metrics of the present job that are not counted record by record.
type gauges struct {
	values map[string]int
	// aligned are the ones of subtasks, by subtask and metric.
	aligned map[string]int
	// since is when the job began to run, down since when it does not; -1: it
	// never failed.
	since, down int
	started     bool
	// waiting counts the restarts that were announced and have not come.
	waiting int
	regions Regions
}

func (g *gauges) add(s *sim.Step) {
	switch b := s.Body.(type) {
	case sim.JobStarted:
		if b.Attempt == 0 {
			*g = gauges{values: map[string]int{}, aligned: map[string]int{}, started: true}
			for _, n := range JobMetrics[:5] {
				g.values[n] = none
			}
		} else if g.waiting == 0 {
			g.values["numRestarts"]++ // a rescale counts as one, too
		} else if g.waiting--; len(b.Subtasks) == 0 {
			g.waiting = 0
		}
		if g.regions.Add(s); !g.regions.Waiting() {
			g.since, g.down = int(s.T), none
		}
		maps.DeleteFunc(g.aligned, func(k string, _ int) bool {
			at, _, _ := cutLast(k, ".")
			return Touches(b.Subtasks, nil, at)
		})
		if b.Restored > 0 {
			g.values["lastCheckpointRestoreTimestamp"] = int(s.T)
		}
	case sim.JobRestarting:
		// It counts failures that were handled, not starts, and those that share a
		// planned restart once (ExecutionFailureHandler#getNumberOfRestarts).
		if !b.Merged {
			g.values["numRestarts"]++
		}
		if g.waiting++; len(b.Subtasks) == 0 {
			g.waiting = 1
		}
	case sim.JobManagerRecovered:
		// Another JobManager counts from the beginning; its start is none.
		g.values["numRestarts"], g.waiting = 0, 1
	case sim.TaskFailed:
		g.regions.Add(s)
		if g.started && g.down < 0 {
			g.down = int(s.T)
		}
	case sim.SnapshotTaken:
		if g.started {
			g.aligned[s.At+".checkpointStartDelayNanos"] = int(b.StartDelay) * nanos
			g.aligned[s.At+".checkpointAlignmentTime"] = int(b.Alignment) * nanos
		}
	}
}

// nanos are ns of a ms.
const nanos = 1_000_000

// gauge is a metric of the job: what there was of checkpoints and savepoints
// since its JobManager started, and how long it runs.
func (f *Folds) gauge(name string) int {
	if name == "uptime" || name == "downtime" {
		return f.time(name)
	}
	g := &f.gauges
	n := map[string]int{}
	var last *Snapshot
	for _, c := range f.storage.Snapshots {
		if c.Job != f.storage.Job {
			continue
		}
		n["totalNumberOfCheckpoints"]++
		switch {
		case c.Status == SnapshotCompleted:
			n["numberOfCompletedCheckpoints"]++
			if last == nil || c.Ended.Seq > last.Ended.Seq {
				last = c
			}
		case c.Status == SnapshotAborted:
			n["numberOfFailedCheckpoints"]++
		case !c.Lost:
			n["numberOfInProgressCheckpoints"]++
		}
	}
	if last != nil {
		n["lastCheckpointDuration"], n["lastCheckpointSize"] = last.Duration, last.Size
		n["lastCheckpointFullSize"], n["lastCompletedCheckpointId"] = last.FullSize, last.ID
	}
	if v, ok := n[name]; ok {
		return v
	}
	return g.values[name]
}

// time is how long the job has run, or has not: 0 in the other case, -1 once it
// has ended.
func (f *Folds) time(name string) int {
	switch f.Status {
	case "RUNNING":
		if name == "uptime" {
			return f.Now - f.gauges.since
		}
		return 0
	case "RESTARTING":
		if name == "downtime" {
			return f.Now - f.gauges.down
		}
		return 0
	}
	return none
}

// jobMetric is a metric of the job; ok is false when there is none of the name.
func (f *Folds) jobMetric(name string) (int, bool) {
	if !slices.Contains(JobMetrics, name) || !f.gauges.started {
		return 0, false
	}
	return f.gauge(name), true
}

// taskMetric is one of a subtask, or the largest of an operator's.
func (f *Folds) taskMetric(at, name string) (int, bool) {
	largest := 0
	for k, v := range f.gauges.aligned {
		where, metric, _ := cutLast(k, ".")
		if vertex, _ := place(where); metric == name && (where == at || vertex == at) {
			largest = max(largest, v)
		}
	}
	return largest, slices.Contains(taskNames, name)
}

// Gauges lists the metrics of subtasks that have taken part in a checkpoint, by
// subtask, and then those of the job.
func (f *Folds) Gauges() (out []Counter) {
	var keys []string
	for k := range f.gauges.aligned {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		x, m, _ := cutLast(a, ".")
		y, n, _ := cutLast(b, ".")
		if x != y {
			return strings.Compare(x, y)
		}
		return slices.Index(taskNames, m) - slices.Index(taskNames, n)
	})
	for _, k := range keys {
		at, metric, _ := cutLast(k, ".")
		out = append(out, Counter{at, metric, f.gauges.aligned[k]})
	}
	for _, n := range JobMetrics {
		if v, ok := f.jobMetric(n); ok {
			out = append(out, Counter{JobManager, n, v})
		}
	}
	return out
}
