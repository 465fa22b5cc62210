package fold

import (
	"fmt"
	"slices"
	"strings"

	"streaminglab/sim"
)

// endpoint is the TaskManager of a subtask: slots are filled one TaskManager
// after the other.
func endpoint(b sim.JobStarted, at string) string {
	_, subtask := place(at)
	return fmt.Sprintf("taskmanager-%d", subtask/max(1, b.Slots)+1)
}

// Exceptional is an entry of Flink's exception history: a root exception with
// where and when it came.
type Exceptional struct {
	// Timestamp is in ms.
	Timestamp int64  `json:"timestamp"`
	Name      string `json:"exceptionName"`
	Message   string `json:"message"`
	// Task is the task with its subtask and execution, as Flink counts: from 1,
	// and from 0. Empty: no task was running yet.
	Task string `json:"taskName"`
	// Endpoint is the TaskManager.
	Endpoint string `json:"endpoint"`
	Job      string `json:"job"`
	Step     int    `json:"step"`
}

// Exceptions are those of a trace, in order.
func Exceptions(t *sim.Trace) (out []Exceptional) {
	var start sim.JobStarted
	// regions are the restarts of one region each.
	var regions [][]string
	failed := false
	for s := range t.Main() {
		switch b := s.Body.(type) {
		case sim.JobStarted:
			failed = false
			if len(b.Subtasks) > 0 {
				start.Attempt = b.Attempt
				regions = append(regions, b.Subtasks)
				continue
			}
			if start = b; b.Attempt == 0 {
				regions = nil
			}
		case sim.TaskFailed:
			failed = true
			out = append(out, Exceptional{
				Timestamp: s.T, Name: b.Exception.Class, Message: b.Exception.Message,
				Task: taskName(start, regions, s.At), Endpoint: endpoint(start, s.At), Job: start.Job, Step: s.Seq,
			})
		case sim.JobFailed:
			// The exception of a task has an entry of its own.
			if !failed || b.Job != start.Job {
				out = append(out, Exceptional{
					Timestamp: s.T, Name: b.Exception.Class, Message: b.Exception.Message, Job: b.Job, Step: s.Seq,
				})
			}
		}
	}
	return out
}

// taskName is what Flink's getVertexWithAttempt says of a subtask: "totals (1/2)
// - execution #0", with "Source: " in front of a source.
func taskName(b sim.JobStarted, regions [][]string, at string) string {
	name, subtask := place(at)
	of, prefix := b.Parallelism, ""
	if isSource(b, name) {
		of, prefix = readers(name, b), "Source: "
	}
	execution := b.Attempt
	for _, r := range regions {
		if !slices.Contains(r, at) {
			execution-- // it went on
		}
	}
	for _, names := range b.Chains {
		if names[0] == name {
			name = strings.Join(names, " -> ")
		}
	}
	return fmt.Sprintf("%s%s (%d/%d) - execution #%d", prefix, name, subtask+1, of, execution)
}

// isSource reports whether nobody sends to a vertex.
func isSource(b sim.JobStarted, name string) bool {
	return !slices.ContainsFunc(b.Edges, func(e sim.Edge) bool { return e.To == name })
}
