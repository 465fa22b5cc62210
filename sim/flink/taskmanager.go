package flink

import (
	"fmt"
	"maps"
	"slices"

	"streaminglab/sim"
)

// Names of the processes of a cluster, as commands use them.
const (
	JobManagerName    = "jobmanager"
	taskManagerPrefix = "taskmanager-"
)

// Heartbeats are heartbeat.interval and heartbeat.timeout, in ms.
type Heartbeats struct{ Interval, Timeout int64 }

// DefaultHeartbeats are Flink's defaults (CP-11.8).
func DefaultHeartbeats() Heartbeats { return Heartbeats{Interval: 10_000, Timeout: 50_000} }

// taskManager names the TaskManager that holds the subtasks of a number: those
// of all vertices share a slot, and slots are filled one TaskManager after the
// other. One that is lost is replaced by one of the same name.
func (j *Job) taskManager(subtask int) string {
	return fmt.Sprintf("%s%d", taskManagerPrefix, subtask/max(1, j.Spec.Slots)+1)
}

// managerOf is the TaskManager of a subtask by its name; empty: it is none.
func (j *Job) managerOf(at string) string {
	if _, n := splitSubtask(at); at != "" && at[len(at)-1] == ']' {
		return j.taskManager(n)
	}
	return ""
}

// TaskManagers are the names of all TaskManagers of the job.
func (j *Job) TaskManagers() (out []string) {
	n := j.Spec.Parallelism
	for _, s := range j.Spec.Sources {
		n = max(n, j.readersOf(s))
	}
	for i := 0; i < n; i += max(1, j.Spec.Slots) {
		out = append(out, j.taskManager(i))
	}
	return out
}

// subtasksOn are the subtasks on a TaskManager, in the order of the job.
func (j *Job) subtasksOn(tm string) (out []string) {
	for _, r := range j.readers {
		if j.managerOf(r.at) == tm {
			out = append(out, r.at)
		}
	}
	for _, t := range j.tasks {
		if j.managerOf(t.at) == tm {
			out = append(out, t.at)
		}
	}
	return out
}

// CrashTaskManager ends the process of a TaskManager. Its connections close: the
// JobManager knows at once (CP-11.8).
func (j *Job) CrashTaskManager(tm string, cause *sim.Step) {
	subtasks := j.subtasksOn(tm)
	step := j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerLost{Subtasks: subtasks, Noticed: sim.NoticedConnection}, cause)
	delete(j.frozen, tm)
	if len(subtasks) > 0 {
		j.loseTaskManager(tm, subtasks[0], noLongerReachable(tm), step)
	}
}

func noLongerReachable(tm string) *sim.Exception {
	return &sim.Exception{
		Class:   "org.apache.flink.runtime.jobmaster.JobMasterException",
		Message: "TaskManager with id " + tm + " is no longer reachable.",
	}
}

// loseTaskManager fails the job because a TaskManager is gone.
func (j *Job) loseTaskManager(tm, at string, e *sim.Exception, cause *sim.Step) {
	j.lost = tm
	j.loseBackups(tm)
	j.failWith(at, e, nil, cause)
	j.dropDisk(tm, cause)
}

// A freezer is a TaskManager that does nothing for a while: a long pause of its
// JVM, or a network that is gone.
type freezer struct {
	// thaw is what its subtasks would have done meanwhile.
	thaw []func()
	// zombies are its subtasks when the JobManager has given it up.
	zombies []*task
}

// isFrozen reports whether a subtask stands on a frozen TaskManager; later is
// then done when it wakes up.
func (j *Job) isFrozen(at string, later func()) bool {
	if len(j.frozen) == 0 {
		return false
	}
	f := j.frozen[j.managerOf(at)]
	if f == nil {
		return false
	}
	f.thaw = append(f.thaw, later)
	return true
}

// Freeze lets a TaskManager do nothing for so many ms.
func (j *Job) Freeze(tm string, ms int64) {
	if j.frozen == nil {
		j.frozen = map[string]*freezer{}
	}
	step := j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerFrozen{Duration: ms}, j.kernel.Root)
	f := &freezer{}
	j.frozen[tm] = f
	j.stand(tm, +1)
	// The last heartbeat was answered on the grid of the attempt.
	now, h := j.kernel.Now(), j.Spec.Heartbeats
	last := j.startedAt + (now-j.startedAt)/h.Interval*h.Interval
	if at := last + h.Timeout; at < now+ms {
		j.at(max(at, now), false, func() { j.heartbeatTimeout(tm, f, step) })
	}
	// It wakes up whatever becomes of the attempt.
	j.kernel.Queue.At(now+ms, false, func() { j.wakeUp(tm, f, step) })
}

// stand makes the subtasks of a TaskManager stand still, or ends that.
func (j *Job) stand(tm string, by int) {
	for _, r := range j.readers {
		if j.managerOf(r.at) == tm {
			r.standing += by
		}
	}
	for _, t := range j.tasks {
		if j.managerOf(t.at) != tm {
			continue
		}
		if by > 0 {
			t.standing++
		} else {
			t.rise()
		}
	}
}

// heartbeatTimeout gives a frozen TaskManager up.
func (j *Job) heartbeatTimeout(tm string, f *freezer, cause *sim.Step) {
	subtasks := j.subtasksOn(tm)
	step := j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerLost{Subtasks: subtasks, Noticed: sim.NoticedHeartbeat}, cause)
	if len(subtasks) > 0 {
		j.loseTaskManager(tm, subtasks[0], &sim.Exception{
			Class: "java.util.concurrent.TimeoutException", Message: "The heartbeat of TaskManager with id " + tm + " timed out.", Rule: "CP-11.8",
		}, step)
	}
}

// abandon gives up the TaskManagers that are frozen when an attempt ends: they
// do not hear of it, and the next attempt runs on others.
func (j *Job) abandon() {
	for _, tm := range slices.Sorted(maps.Keys(j.frozen)) {
		f := j.frozen[tm]
		delete(j.frozen, tm)
		f.thaw = nil
		for _, t := range j.tasks {
			if j.managerOf(t.at) == tm {
				t.zombie = true
				f.zombies = append(f.zombies, t)
			}
		}
	}
}

// wakeUp lets a frozen TaskManager go on. When the JobManager has given it up
// meanwhile, its subtasks handle what waits in their channels before they hear
// that they are canceled: what they write outside is written (CP-11.8).
func (j *Job) wakeUp(tm string, f *freezer, cause *sim.Step) {
	if j.frozen[tm] == f {
		delete(j.frozen, tm)
		j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerWoke{}, cause)
		started := j.started
		j.stand(tm, -1)
		// A barrier that had overtaken may have ended the attempt.
		for _, do := range f.thaw {
			if j.Status == Running && j.started == started {
				j.kernel.Put(nil, do)
			}
		}
		return
	}
	if len(f.zombies) == 0 {
		return
	}
	j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerWoke{Zombie: true}, cause)
	for _, t := range f.zombies {
		t.at += sim.Zombie
		t.standing, t.dead = 0, false
		// What stood in the kernel's line went with its attempt.
		t.leaving, t.left = nil, 0
		j.wake(t)
	}
	// Everything that is ready comes before this.
	j.kernel.Queue.At(j.kernel.Now(), false, func() {
		for _, t := range f.zombies {
			t.dead = true
			t.closeStore(true)
		}
	})
}

// Frozen are the TaskManagers that do nothing, unordered.
func (j *Job) Frozen() (out []string) {
	for tm := range j.frozen {
		out = append(out, tm)
	}
	return out
}
