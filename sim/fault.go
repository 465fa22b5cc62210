package sim

import "sort"

// A FaultPoint is a place where a real system can fail. A fault is data: what
// runs there is the same code with and without it.
type FaultPoint struct {
	// Name is what a script says ("task.record").
	Name string
	// Kinds are the ways to fail there; the first is the default.
	Kinds []string
	// Rule is the rule that says what follows.
	Rule string
	// JobManager : it is passed by the JobManager, not by a subtask.
	JobManager bool
}

// FaultPoints lists every fault point, by name. The fault search walks the
// same list.
func FaultPoints() []FaultPoint {
	out := append([]FaultPoint(nil), faultPoints...)
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// The fault points. A task crash ends the attempt of its region (CP-11.2).
const (
	// PointSourceRead : the source has read a record and nothing went downstream.
	PointSourceRead = "source.read"
	// PointTaskRecord : a record has reached an operator, which did not look at it.
	PointTaskRecord = "task.record"
	// PointTaskEmit : an operator has put something out that has not left.
	PointTaskEmit = "task.emit"
	// PointTaskWatermark : a watermark has reached an operator, which did not
	// act on it.
	PointTaskWatermark = "task.watermark"
	// PointCheckpointAck : all subtasks have acknowledged, the checkpoint is not
	// complete.
	PointCheckpointAck = "checkpoint.acknowledged"
	// PointCheckpointDone : the checkpoint is complete, nobody was told.
	PointCheckpointDone = "checkpoint.completed"
	// PointTrigger : a subtask of a source is told to start a checkpoint.
	PointTrigger = "checkpoint.trigger"
	// PointSourceSnapshot : a subtask of a source has saved its positions and sent
	// its barrier.
	PointSourceSnapshot = "source.snapshot"
	// PointSnapshot : a subtask is about to take its snapshot.
	PointSnapshot = "task.snapshot"
	// PointUpload : a subtask has written a file for its snapshot.
	PointUpload = "file.uploaded"
	// PointMetadata : all subtasks have acknowledged, _metadata is to be written.
	PointMetadata = "metadata.write"
	// PointBarrier : a barrier has come out of a channel of a subtask, which did
	// not act on it.
	PointBarrier = "task.barrier"
	// PointTaskAck : the acknowledgement of a subtask is on its way.
	PointTaskAck = "task.acknowledged"
	// PointHA : the pointer to a completed checkpoint is to be written for the
	// next JobManager.
	PointHA = "ha.write"
	// PointDisk : the local disk of a subtask is to be written.
	PointDisk = "disk.write"
	// PointCoordinator : the SourceCoordinator of a source is to save its part of
	// a checkpoint.
	PointCoordinator = "coordinator.snapshot"
	// PointNotify : a subtask is told what became of a checkpoint.
	PointNotify = "checkpoint.notify"
	// PointTimestamp : the producer stamps a record.
	PointTimestamp = "record.timestamp"
	// PointRequest : a client of a broker sends a request, PointAnswer : the
	// broker has carried it out and answers.
	PointRequest = "kafka.request"
	PointAnswer  = "kafka.answer"
	// PointCommit : the committer of a KafkaSink is about to commit a transaction,
	// PointCommitted : it has committed it.
	PointCommit    = "transaction.commit"
	PointCommitted = "transaction.committed"
	// PointResumed : the committer of a KafkaSink has rebuilt a producer, which is
	// about to make its first commit.
	PointResumed = "producer.resumed"
	// PointPrecommit : the writer of a KafkaSink has sent everything that belongs
	// before a barrier.
	PointPrecommit = "transaction.precommit"
	// PointMarker : the coordinator sends the marker of a decided transaction to
	// the leader of one of its partitions.
	PointMarker = "marker.write"
)

// Kinds of faults.
const (
	FaultCrash   = "crash"
	FaultMissing = "missing"
	FaultSkewed  = "skewed"
	FaultFuture  = "future"
	FaultDecline = "decline"
	FaultFail    = "fail"
	// FaultUnknown : it cannot be told whether it failed.
	FaultUnknown = "unknown"
	// FaultLose and FaultDouble are for messages.
	FaultLose   = "lose"
	FaultDouble = "double"
	// FaultEarly : the other of two things that race comes first.
	FaultEarly = "early"
	// FaultDelay takes its time: For, or until the subtask is resumed.
	FaultDelay = "delay"
)

var faultPoints = []FaultPoint{
	{PointSourceRead, []string{FaultCrash}, "EV-8.2", false},
	{PointTaskRecord, []string{FaultCrash}, "EV-8.2", false},
	{PointTaskEmit, []string{FaultCrash}, "EV-8.2", false},
	{PointTaskWatermark, []string{FaultCrash}, "EV-8.3", false},
	{PointCheckpointAck, []string{FaultCrash}, "EV-8.2", true},
	{PointCheckpointDone, []string{FaultCrash}, "EV-8.2", true},
	{PointBarrier, []string{FaultCrash}, "CP-4.1", false},
	{PointTaskAck, []string{FaultCrash, FaultLose, FaultDelay}, "CP-11.4", false},
	{PointHA, []string{FaultFail, FaultUnknown}, "CP-11.4", true},
	{PointDisk, []string{FaultFail}, "CP-3.3", false},
	{PointCoordinator, []string{FaultFail, FaultDelay, FaultCrash}, "CP-1.1", true},
	{PointNotify, []string{FaultLose, FaultDelay, FaultDouble, FaultCrash}, "CP-1.5", false},
	{PointTrigger, []string{FaultDelay, FaultCrash}, "CP-1.1", false},
	{PointSourceSnapshot, []string{FaultDelay, FaultCrash}, "CP-1.3", false},
	{PointSnapshot, []string{FaultCrash, FaultDecline, FaultDelay}, "CP-1.3", false},
	{PointUpload, []string{FaultCrash, FaultFail}, "CP-5.8", false},
	{PointMetadata, []string{FaultFail, FaultCrash}, "CP-11.4", true},
	{PointRequest, []string{FaultLose}, "K-17", false},
	{PointAnswer, []string{FaultLose}, "K-17", false},
	{PointResumed, []string{FaultEarly}, "F-16", false},
	{PointPrecommit, []string{FaultCrash}, "F-9", false},
	{PointCommit, []string{FaultCrash}, "F-10", false},
	{PointCommitted, []string{FaultCrash}, "F-16", false},
	{PointMarker, []string{FaultDelay, FaultLose}, "K-5", false},
	{PointTimestamp, []string{FaultMissing, FaultSkewed, FaultFuture}, "EV-1.5", false},
}

// FindFaultPoint returns the fault point of that name.
func FindFaultPoint(name string) (FaultPoint, bool) {
	for _, p := range faultPoints {
		if p.Name == name {
			return p, true
		}
	}
	return FaultPoint{}, false
}

// A Fault is armed: it happens when its point is passed for the Nth time.
type Fault struct {
	Point string
	// Job is the job beside the one of the experiment whose point it is; empty: that
	// of the experiment. Everybody : it does not matter whose.
	Job       string
	Everybody bool
	// At limits the fault to one place ("totals[0]", "totals", "split:clicks/1");
	// empty: anywhere.
	At string
	// Nth counts the passages from 1.
	Nth int
	// For is a duration in ms that some kinds need.
	For  int64
	Kind string
	// Victim is what a crash ends, when that is not who passes the point:
	// "jobmanager", "taskmanager-2", "totals[1]".
	Victim string
	// Do is what happens instead of a failure of who passes the point, who goes on:
	// something else fails at that moment. Nil: who passes it fails.
	Do func()
	// Cause is the step of the command that armed it.
	Cause *Step

	passed int
}

// Faults are the armed faults of a world.
type Faults struct{ armed []*Fault }

// Arm adds a fault.
func (f *Faults) Arm(x *Fault) {
	if x.Nth < 1 {
		x.Nth = 1
	}
	f.armed = append(f.armed, x)
}

// Armed reports whether a fault can happen at all: who passes a point with every
// record asks first.
func (f *Faults) Armed() bool { return len(f.armed) > 0 }

// Pass says that a fault point is passed; places are the names of where, from
// the exact to the general. It returns the fault that happens now, if any.
func (f *Faults) Pass(point string, places ...string) *Fault { return f.pass("", point, places) }

func (f *Faults) pass(job, point string, places []string) *Fault {
	for i := 0; i < len(f.armed); {
		x := f.armed[i]
		if x.Point != point || !x.Everybody && x.Job != job || !x.at(places) {
			i++
			continue
		}
		if x.passed++; x.passed < x.Nth {
			i++
			continue
		}
		f.armed = append(f.armed[:i:i], f.armed[i+1:]...)
		if x.Do == nil {
			return x
		}
		x.Do()
	}
	return nil
}

func (x *Fault) at(places []string) bool {
	if x.At == "" {
		return true
	}
	for _, p := range places {
		if p == x.At {
			return true
		}
	}
	return false
}
