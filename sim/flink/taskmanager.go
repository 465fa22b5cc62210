package flink

import (
	"fmt"
	"maps"
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/operator"
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

// on are the subtasks that run on a TaskManager, in the order of the job: of one
// that has finished there is nothing left.
func (j *Job) on(tm string) (out []*outputs) {
	for _, o := range j.subtasks() {
		if o.runs() && j.managerOf(o.at) == tm {
			out = append(out, o)
		}
	}
	return out
}

// runs reports whether the subtask has begun and has neither ended nor finished.
func (o *outputs) runs() bool { return !o.Dead && !o.chain.finished() }

func names(subtasks []*outputs) (out []string) {
	for _, o := range subtasks {
		out = append(out, o.at)
	}
	return out
}

// CrashTaskManager ends the process of a TaskManager. Its connections close: the
// JobManager knows at once (CP-11.8).
func (j *Job) CrashTaskManager(tm string, cause *sim.Step) {
	step := j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerLost{Subtasks: names(j.on(tm)), Noticed: sim.NoticedConnection}, cause)
	j.loseTaskManager(tm, "", noLongerReachable(tm), step)
}

func noLongerReachable(tm string) *sim.Exception {
	return &sim.Exception{
		Class:   "org.apache.flink.runtime.jobmaster.JobMasterException",
		Message: "TaskManager with id " + tm + " is no longer reachable.",
	}
}

// loseTaskManager fails every region that has a subtask on a TaskManager that
// is gone. The first to fail is at; empty: the first one there is.
func (j *Job) loseTaskManager(tm, at string, e *sim.Exception, cause *sim.Step) {
	if f := j.frozen[tm]; f != nil {
		// With the process its zombies are gone.
		for _, t := range f.zombies {
			t.closeStore(true)
		}
		f.zombies = nil
		delete(j.frozen, tm)
	}
	j.loseBackups(tm)
	var failures []failure
	seen := map[int]bool{}
	subtasks := j.on(tm)
	if first := j.subtask(at); first != nil {
		subtasks = append([]*outputs{first}, subtasks...)
	}
	for _, o := range subtasks {
		if o.runs() && !seen[o.region] {
			seen[o.region] = true
			failures = append(failures, failure{at: o.at, exception: e, lost: tm, cause: cause})
		}
	}
	if j.coordinator.Finalizing() {
		// The JobManager hears of it later; they do nothing from now on.
		for _, o := range subtasks {
			o.chain.halt()
		}
	}
	for _, f := range failures {
		j.failover(f)
	}
	j.dropDisk(tm, cause)
}

// A freezer is a TaskManager that does nothing for a while: a long pause of its
// JVM, or a network that is gone.
type freezer struct {
	// subtasks are those that stand still in it.
	subtasks []*outputs
	// thaw is what they would have done meanwhile.
	thaw []thawing
	// zombies are its subtasks when the JobManager has given them up.
	zombies []*task
	// wakes is when it goes on, missed when the JobManager misses a heartbeat.
	wakes, missed int64
}

type thawing struct {
	by *outputs
	do func()
}

// freezer is the frozen TaskManager that the subtask stands still in, or nil.
func (o *outputs) freezer() *freezer {
	if len(o.job.frozen) == 0 {
		return nil
	}
	if f := o.job.frozen[o.job.managerOf(o.at)]; f != nil && slices.Contains(f.subtasks, o) {
		return f
	}
	return nil
}

// isFrozen reports whether a subtask stands on a frozen TaskManager; later is
// then done when it wakes up.
func (o *outputs) isFrozen(later func()) bool {
	f := o.freezer()
	if f == nil {
		return false
	}
	f.thaw = append(f.thaw, thawing{o, later})
	return true
}

// Freeze lets a TaskManager do nothing for so many ms.
func (j *Job) Freeze(tm string, ms int64) {
	if j.frozen == nil {
		j.frozen = map[string]*freezer{}
	}
	step := j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerFrozen{Duration: ms}, j.kernel.Root)
	f := &freezer{subtasks: j.on(tm), wakes: j.kernel.Now() + ms, missed: sim.MaxTime}
	j.frozen[tm] = f
	j.stand(f, +1)
	// The last heartbeat was answered on the grid of the attempt.
	now, h := j.kernel.Now(), j.Spec.Heartbeats
	last := j.beating + (now-j.beating)/h.Interval*h.Interval
	if at := last + h.Timeout; at < now+ms {
		f.missed = max(at, now)
		j.at(f.missed, false, func() {
			if j.frozen[tm] == f {
				j.heartbeatTimeout(tm, f, step)
			}
		})
	}
	// It wakes up whatever becomes of the attempt.
	j.kernel.Queue.At(now+ms, false, func() { j.wakeUp(tm, f, step) })
}

// stand makes the subtasks of a frozen TaskManager stand still, or ends that.
func (j *Job) stand(f *freezer, by int) {
	for _, r := range j.readers {
		if slices.Contains(f.subtasks, &r.outputs) {
			r.standing += by
		}
	}
	for _, t := range j.tasks {
		if !slices.Contains(f.subtasks, &t.outputs) {
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
	step := j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerLost{Subtasks: names(f.subtasks), Noticed: sim.NoticedHeartbeat}, cause)
	e := &sim.Exception{
		Class: "java.util.concurrent.TimeoutException", Message: "The heartbeat of TaskManager with id " + tm + " timed out.", Rule: "CP-11.8",
	}
	seen := map[int]bool{}
	j.loseBackups(tm)
	for _, o := range slices.Clone(f.subtasks) {
		if o.runs() && !seen[o.region] {
			seen[o.region] = true
			j.failover(failure{at: o.at, exception: e, lost: tm, cause: step})
		}
	}
	j.dropDisk(tm, step)
}

// cancelTimeout is how long the JobManager tries to cancel a subtask of a
// TaskManager that does not answer, in ms: four calls (NUM_CANCEL_CALL_TRIES
// counts those after the first), each of pekko.ask.timeout.
const cancelTimeout = 4 * 10_000

// abandon gives up those subtasks on frozen TaskManagers whose attempt ended:
// they do not hear of it, and the next attempt runs elsewhere. It returns when
// the JobManager takes them for canceled: it has tried for long enough, the
// TaskManager is lost, or it wakes up.
func (j *Job) abandon() (canceled int64) {
	canceled = j.kernel.Now()
	for _, tm := range slices.Sorted(maps.Keys(j.frozen)) {
		f := j.frozen[tm]
		if slices.ContainsFunc(f.subtasks, func(o *outputs) bool { return o.Dead }) && tm != j.lost {
			canceled = max(canceled, min(f.wakes, f.missed, j.kernel.Now()+cancelTimeout))
		}
		for i, t := range j.tasks {
			if t.Dead && slices.Contains(f.subtasks, &t.outputs) {
				t.zombie = true
				f.zombies = append(f.zombies, t)
				// The job holds its place; whatever the zombie does is its own affair.
				j.tasks[i] = &task{spec: t.spec, index: t.index, outputs: outputs{
					Process: sim.Process{Dead: true}, job: j, at: t.at, number: t.number, region: t.region,
				}}
			}
		}
		f.subtasks = slices.DeleteFunc(f.subtasks, func(o *outputs) bool { return o.Dead })
		f.thaw = slices.DeleteFunc(f.thaw, func(t thawing) bool { return t.by.Dead })
		if len(f.subtasks) == 0 {
			delete(j.frozen, tm)
		}
	}
	return canceled
}

// wakeUp lets a frozen TaskManager go on. When the JobManager has given
// subtasks up meanwhile, they handle what waits in their channels before they
// hear that they are canceled: what they write outside is written (CP-11.8).
func (j *Job) wakeUp(tm string, f *freezer, cause *sim.Step) {
	if j.frozen[tm] == f {
		delete(j.frozen, tm)
		j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerWoke{}, cause)
		j.stand(f, -1)
		for _, t := range f.thaw {
			// A barrier that had overtaken may have ended the attempt.
			t.by.put(nil, t.do)
		}
	}
	if len(f.zombies) == 0 {
		return
	}
	j.kernel.Emit(tm, "CP-11.8", sim.TaskManagerWoke{Zombie: true}, cause)
	for _, t := range f.zombies {
		t.at += sim.Zombie
		t.standing, t.Dead = t.chain.blocked, false
		// What stood in the kernel's line went with its attempt.
		t.leaving, t.left = nil, 0
		j.wake(t)
	}
	// Everything that is ready comes before this.
	j.kernel.Queue.At(j.kernel.Now(), false, func() {
		for _, t := range f.zombies {
			t.Dead = true
			if x, ok := t.op.(operator.Canceler); ok {
				x.Cancel()
			}
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
