package verdict

import (
	"maps"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/fold"
)

// topics are what became of results that sinks wrote to topics.
type topics struct {
	kafka *fold.Kafka
	// results are in the order in which sinks took them; byStep finds them by the
	// step of that, copies those of one result.
	results []*sent
	byStep  map[int]*sent
	copies  map[resultID][]*sent
	// closed are the committables, by the number of their transaction.
	closed map[int64]*committable
	order  []*committable
	// decided are the steps that decided transactions, by number; fences those that
	// took an id away from whoever had it.
	decided map[int64]*sim.Step
	fences  map[string][]*sim.Step
	commits []*sim.Step
	// refused are answers that told a client that its epoch is over.
	refused []*sim.Step
	// truncations are the steps with which logs became shorter.
	truncations []*sim.Step
	// triggered are the steps that triggered checkpoints, savepoints aside, by id; covers is the last
	// one that completed a checkpoint, coversFrom the one that triggered that.
	triggered          map[int64]*sim.Step
	covers, coversFrom *sim.Step
	// aborts are the steps of ABORT markers.
	aborts []*sim.Step
	// markers are the steps of markers, by transaction.
	markers map[int64][]*sim.Step
	// steps are all steps, by their numbers from 1.
	steps []*sim.Step
	// besides are jobs beside the one of the experiment, by name: the step of their
	// last start, nil: they have ended.
	besides map[string]*sim.Step
	// nodes are brokers that do not do what they should, by name: the step since
	// which.
	nodes map[string]*sim.Step
}

// stepOf is the step of a number.
func (f *Fold) stepOf(seq int) *sim.Step { return f.topics.steps[seq-1] }

// A sent is a result with the batch that it is in; nil: it never left the
// producer.
type sent struct {
	w     *written
	batch *fold.Batch
	at    string
}

// A committable is a transaction that a barrier has closed.
type committable struct {
	step *sim.Step
	body sim.CommittableEmitted
	job  string
	// completed is the step of the first checkpoint that holds it and is complete.
	completed *sim.Step
}

func newTopics() topics {
	return topics{
		kafka: fold.NewKafka(), byStep: map[int]*sent{}, copies: map[resultID][]*sent{}, closed: map[int64]*committable{},
		triggered: map[int64]*sim.Step{}, decided: map[int64]*sim.Step{}, fences: map[string][]*sim.Step{}, markers: map[int64][]*sim.Step{},
		besides: map[string]*sim.Step{}, nodes: map[string]*sim.Step{},
	}
}

// besideSteps takes in a step of a job beside the one of the experiment.
func (t *topics) besideSteps(s *sim.Step) {
	t.steps = append(t.steps, s)
	switch s.Body.(type) {
	case sim.JobStarted:
		t.besides[s.Job] = s
	case sim.JobFailed, sim.JobCanceled, sim.JobFinished, sim.JobStopped, sim.JobManagerLost:
		t.besides[s.Job] = nil
	}
}

// sends notes a result that goes to a topic.
func (t *topics) sends(w *written, b sim.ResultWritten) {
	x := &sent{w: w, at: b.Partition}
	t.results = append(t.results, x)
	t.byStep[w.step.Seq] = x
	t.copies[w.id] = append(t.copies[w.id], x)
}

// visible reports whether a read_committed reader gets it, now or when it gets so
// far.
func (x *sent) visible() bool { return x.batch != nil && x.batch.State == fold.BatchCommitted }

// topicSteps takes in a step.
func (f *Fold) topicSteps(s *sim.Step) {
	t := &f.topics
	t.kafka.Add(s)
	t.steps = append(t.steps, s)
	switch b := s.Body.(type) {
	case sim.BatchAppended:
		batch := t.kafka.Batches[len(t.kafka.Batches)-1]
		for _, c := range s.Causes {
			if x := t.byStep[c.Seq]; x != nil {
				x.batch = batch
			}
		}
	case sim.MarkerWritten:
		t.markers[b.Transaction] = append(t.markers[b.Transaction], s)
		if b.Result == sim.ResultAbort {
			t.aborts = append(t.aborts, s)
		}
	case sim.TransactionChanged:
		if b.State == "PrepareCommit" || b.State == "PrepareAbort" {
			t.decided[b.Transaction] = s
		}
		if b.Why == sim.WhyFence || b.Why == sim.WhyTimeout || b.State == "Empty" {
			t.fences[b.ID] = append(t.fences[b.ID], s)
		}
	case sim.CommittableEmitted:
		c := &committable{step: s, body: b, job: f.job}
		t.closed[b.Transaction] = c
		t.order = append(t.order, c)
	case sim.CheckpointTriggered:
		// A job that fails does not go back to a savepoint: nothing is lost by one yet.
		delete(t.triggered, b.ID)
		if !strings.HasPrefix(b.Kind, "savepoint") {
			t.triggered[b.ID] = s
		}
	case sim.LeaderChanged:
		if b.End < b.PreviousEnd {
			t.truncations = append(t.truncations, s)
		}
	case sim.CheckpointCompleted:
		if from := t.triggered[b.ID]; from != nil {
			t.covers, t.coversFrom = s, from
		}
		for _, c := range t.order {
			if c.completed == nil && c.job == f.job && c.body.Checkpoint <= b.ID && c.step.Seq < s.Seq && f.now != nil && c.step.Seq > f.now.step.Seq {
				c.completed = s
			}
		}
	case sim.BrokerChanged:
		if delete(t.nodes, s.At); b.State != "runs" {
			t.nodes[s.At] = s
		}
	case sim.CommitAttempted:
		t.commits = append(t.commits, s)
	case sim.RequestRefused:
		if b.Error == "PRODUCER_FENCED" || b.Error == "INVALID_PRODUCER_EPOCH" {
			t.refused = append(t.refused, s)
		}
	}
}

// of are the results in a transaction.
func (t *topics) of(transaction int64) (out []*sent) {
	for _, x := range t.results {
		if x.batch != nil && int64(x.batch.Transaction) == transaction {
			out = append(out, x)
		}
	}
	return out
}

// outputs are results as a verdict names them.
func (t *topics) outputs(in []*sent) (out []fold.Output) {
	for _, x := range in {
		out = append(out, output(x.w.step, x.w.step.Seq, 0))
	}
	return out
}

// records are the records that results come from.
func (f *Fold) recordsOf(in []*sent) []fold.Line {
	records := newOffsets()
	for _, x := range in {
		if x.w.id.record.Source != "" {
			records.add(x.w.id.record)
		}
	}
	return f.lines(records)
}

// later is the one that came later; nil never did.
func later(a, b *sim.Step) *sim.Step {
	if a == nil || b != nil && b.Seq > a.Seq {
		return b
	}
	return a
}

// lostInOutput are results that a checkpoint covers, so that nothing writes them
// again, and that no read_committed reader will see.
func (f *Fold) lostInOutput() (out []fold.Verdict) {
	t := &f.topics
	// lose makes a verdict of results.
	told := map[resultID]bool{}
	lose := func(certainty string, lost []*sent, shows, cause, since *sim.Step, rule, id string) {
		lost = slices.DeleteFunc(lost, func(x *sent) bool {
			return told[x.w.id] || slices.ContainsFunc(t.copies[x.w.id], (*sent).visible) || f.now != nil && x.w.start != f.now && !x.w.stands(f.now)
		})
		for _, x := range lost {
			told[x.w.id] = true
		}
		if len(lost) == 0 {
			return
		}
		v := verdict(LostInOutput, certainty, f.startOf(shows), shows, cause, rule)
		v.Operator, v.ID, v.Partition, v.Since = lost[0].w.id.sink, id, lost[0].at, since.Seq
		v.Records, v.Outputs, v.Count = f.recordsOf(lost), t.outputs(lost), len(lost)
		out = append(out, v)
	}
	tried, failed := map[int64]bool{}, map[int64]bool{}
	for _, s := range t.commits {
		b := s.Body.(sim.CommitAttempted)
		tried[b.Transaction] = true
		if b.Result != sim.CommitFailedKnown || b.Decided != sim.ResultAbort || failed[b.Transaction] {
			continue // or each restore says it again
		}
		failed[b.Transaction] = true
		cause, since := t.decided[b.Transaction], t.decided[b.Transaction]
		if c := t.closed[b.Transaction]; c != nil {
			since = later(since, c.completed)
		}
		lose(Yes, t.of(b.Transaction), s, cause, since, "F-17", b.ID)
	}
	for _, c := range t.order {
		n := c.body.Transaction
		d := t.decided[n]
		if tried[n] || d == nil || c.completed == nil || d.Body.(sim.TransactionChanged).State != "PrepareAbort" {
			continue
		}
		since := later(d, c.completed)
		lose(Open, t.of(n), since, d, since, "F-17", c.body.ID)
	}
	// What nobody can read any more, though a checkpoint says that it is written: the
	// next leader does not have it (LAB-15), or a marker aborted it that its
	// transaction knows nothing of: a tool's (K-42), or that of an earlier one (K-16).
	gone := map[*sim.Step][]*sent{}
	var order []*sim.Step
	for _, x := range t.results {
		if by := t.undone(x); by != nil && f.covered(x) {
			if gone[by] == nil {
				order = append(order, by)
			}
			gone[by] = append(gone[by], x)
		}
	}
	for _, s := range order {
		rule, id := s.Rule, ""
		if b, ok := s.Body.(sim.MarkerWritten); ok {
			if id = b.TransactionalID; id == "" {
				rule = "K-42"
				id = gone[s][0].batch.ID
			} else {
				rule = "K-16"
			}
		}
		lose(Yes, gone[s], s, s, later(s, t.covers), rule, id)
	}
	// What was still in a producer when its process ended.
	unsent := map[*start][]*sent{}
	for _, x := range t.results {
		last := t.copies[x.w.id][len(t.copies[x.w.id])-1]
		if x.batch == nil && x == last && !zombie(x.w.step.At) && f.now != nil && x.w.start != f.now && x.w.stands(f.now) {
			unsent[f.now] = append(unsent[f.now], x)
		}
	}
	if list := unsent[f.now]; len(list) > 0 {
		lose(Yes, list, f.now.step, f.now.step, f.now.step, "F-2", "")
	}
	return out
}

// undone is the step since which nobody can read a result that was in a topic, nil:
// there is none.
func (t *topics) undone(x *sent) *sim.Step {
	if x.batch == nil {
		return nil
	}
	switch x.batch.State {
	case fold.BatchGone:
		for _, s := range t.truncations {
			if b := s.Body.(sim.LeaderChanged); s.Seq > x.batch.Step && b.Partition == x.batch.Partition && int(b.End) <= x.batch.Last {
				return s
			}
		}
	case fold.BatchAborted:
		for _, s := range t.aborts {
			if b := s.Body.(sim.MarkerWritten); s.Seq > x.batch.Step && b.Partition == x.batch.Partition && int(b.Producer) == x.batch.Producer {
				return s
			}
		}
	}
	return nil
}

// covered reports whether a checkpoint that the job goes on from, or will, says
// that a result is written.
func (f *Fold) covered(x *sent) bool {
	if x.w.start != f.now {
		return f.now != nil && x.w.stands(f.now)
	}
	return f.topics.coversFrom != nil && x.w.step.Seq < f.topics.coversFrom.Seq
}

// readers says for which readers a repeated result is there twice; not ok: for
// none.
func (t *topics) readers(r repeat) (reader string, ok bool) {
	now := t.byStep[r.now.step.Seq]
	if now == nil {
		return "", true // it is no topic
	}
	sent, committed := 0, 0
	for _, x := range t.copies[now.w.id] {
		if x.w.step.Seq > now.w.step.Seq || x.batch == nil {
			continue
		}
		sent++
		if x.visible() {
			committed++
		}
	}
	switch {
	case now.batch == nil || sent < 2:
		return "", false
	case now.visible() && committed > 1:
		return "", true
	}
	return readUncommitted, true
}

// readUncommitted is isolation.level of a reader that sees everything.
const readUncommitted = "read_uncommitted"

// torn are checkpoints of which a read_committed reader can see a part, now or
// for some time: their transactions are decided one by one (S143, K-38).
func (f *Fold) torn() (out []fold.Verdict) {
	type of struct {
		job        string
		checkpoint int64
	}
	groups := map[of][]*committable{}
	var order []of
	for _, c := range f.topics.order {
		if c.completed == nil || c.body.Transaction == 0 {
			continue
		}
		k := of{c.job, c.completed.Body.(sim.CheckpointCompleted).ID}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], c)
	}
	for _, k := range order {
		if v, ok := f.tears(groups[k]); ok {
			out = append(out, v)
		}
	}
	return out
}

// tears judges the transactions of one checkpoint.
func (f *Fold) tears(group []*committable) (v fold.Verdict, ok bool) {
	t := &f.topics
	var first, last *sim.Step
	var hidden []*sent
	open, aborted := 0, 0
	for _, c := range group {
		n := c.body.Transaction
		parts := map[string]bool{}
		for _, x := range t.kafka.Batches {
			if int64(x.Transaction) == n {
				parts[x.Partition] = true
			}
		}
		for _, m := range t.markers[n] {
			b := m.Body.(sim.MarkerWritten)
			delete(parts, b.Partition)
			if b.Result == sim.ResultAbort {
				aborted++
				continue
			}
			if first == nil || m.Seq < first.Seq {
				first = m
			}
			last = later(last, m)
		}
		open += len(parts)
		for _, x := range t.of(n) {
			if !x.visible() {
				hidden = append(hidden, x)
			}
		}
	}
	if first == nil {
		return v, false // nobody sees anything of it
	}
	switch {
	case open > 0:
		v = verdict(Torn, Open, f.startOf(first), first, group[0].completed, "K-38")
		v.Until = -1
	case aborted > 0:
		v = verdict(Torn, Yes, f.startOf(first), first, group[0].completed, "F-17")
		v.Until = -1
	case last.T > first.T:
		v = verdict(Torn, Yes, f.startOf(first), first, group[0].completed, "K-38")
		v.Until = int(last.T)
	default:
		return v, false
	}
	var sinks []string
	for _, c := range group {
		if name := nameOf(c.step.At); !slices.Contains(sinks, name) {
			sinks = append(sinks, name)
		}
	}
	v.Operator, v.Snapshot = strings.Join(sinks, ", "), f.snapshotName(group[0].job, group[0].completed)
	v.Records, v.Outputs, v.Count = f.recordsOf(hidden), t.outputs(hidden), len(group)
	return v, true
}

func (f *Fold) snapshotName(job string, completed *sim.Step) string {
	b := completed.Body.(sim.CheckpointCompleted)
	for _, c := range f.storage.Snapshots {
		if c.Job == job && int64(c.ID) == b.ID {
			return c.Name
		}
	}
	return ""
}

// heldBack are partitions where readers of committed records wait behind one
// transaction, although what follows, or what is in it, is decided (K-31, K-32), and
// those where a transaction hangs (K-40).
func (f *Fold) heldBack() (out []fold.Verdict) {
	t := &f.topics
	for _, p := range t.kafka.Partitions {
		if fold.Internal(p.Name) || p.LSO >= p.HW {
			continue
		}
		holder, hidden := holderOf(p)
		if holder == nil {
			if v, ok := f.unreplicated(p); ok {
				out = append(out, v)
			}
			continue
		}
		step := f.stepOf(holder.Step)
		certainty, rule, until, cause := Open, "K-32", -1, firstCause(step)
		x := t.transaction(holder.Transaction)
		switch {
		case x == nil || x.Ended >= 0:
			// The coordinator knows nothing of it: no timeout ends it.
			certainty, rule = Yes, "K-40"
		case x.Decided != "":
			if by := t.markersHeldBy(x); by != nil {
				hidden += t.acknowledged(p)
				cause = by
			}
		default:
			until = (x.Started+x.Timeout)/scanInterval*scanInterval + scanInterval
			if f.gone(holder) {
				certainty = Yes
			}
		}
		if hidden == 0 && rule != "K-40" {
			continue
		}
		v := verdict(Stuck, certainty, f.now, step, cause, rule)
		v.At, v.Partition, v.ID, v.Until, v.Count, v.Snapshot = p.Name, p.Name, holder.ID, until, hidden, ""
		out = append(out, v)
	}
	return out
}

// unreplicated judges a partition whose transactions are all decided and marked, where
// a marker does not get to the copies of it: readers wait for that (K-31). As long as
// all brokers fetch it is only a matter of time.
func (f *Fold) unreplicated(p *fold.Partition) (v fold.Verdict, ok bool) {
	var first *fold.Batch
	hidden := 0
	for _, e := range p.Entries {
		if b := e.Batch; b != nil && b.Last >= p.LSO && b.Offset < p.HW && b.State == fold.BatchCommitted {
			if first == nil {
				first = b
			}
			hidden += len(b.Values)
		}
	}
	if first == nil || len(f.topics.nodes) == 0 {
		return v, false
	}
	names := slices.Sorted(maps.Keys(f.topics.nodes))
	v = verdict(Stuck, Open, f.now, f.stepOf(first.Step), f.topics.nodes[names[0]], "K-31")
	v.At, v.Partition, v.ID, v.Until, v.Count, v.Snapshot = p.Name, p.Name, first.ID, -1, hidden, ""
	return v, true
}

// scanInterval is how often the coordinator looks for transactions whose time is
// over, in ms (K-28).
const scanInterval = 10_000

// holderOf is the batch that the last stable offset stands at, and how many
// records behind it are decided.
func holderOf(p *fold.Partition) (holder *fold.Batch, hidden int) {
	for _, e := range p.Entries {
		b := e.Batch
		switch {
		case b == nil || b.Last < p.LSO:
		case holder == nil && b.State == fold.BatchOpen:
			holder = b
		case b.State == fold.BatchCommitted:
			hidden += len(b.Values)
		}
	}
	return holder, hidden
}

// acknowledged are the records of a partition whose transaction is decided to be
// committed, without a marker there yet.
func (t *topics) acknowledged(p *fold.Partition) (n int) {
	for _, e := range p.Entries {
		b := e.Batch
		if b == nil || b.State != fold.BatchOpen {
			continue
		}
		if x := t.transaction(b.Transaction); x != nil && x.Decided == sim.ResultCommit {
			n += len(b.Values)
		}
	}
	return n
}

// markersHeldBy is the step since which the markers of a transaction do not come,
// nil: nothing keeps them.
func (t *topics) markersHeldBy(x *fold.Transaction) *sim.Step {
	for _, s := range slices.Backward(t.steps) {
		switch b := s.Body.(type) {
		case sim.MarkerDelayed:
			if b.Transaction == int64(x.Number) {
				return s
			}
		case sim.RequestRefused:
			if b.API == "WriteTxnMarkers" && b.ID == x.ID && s.Seq > x.Step {
				return s // its leader cannot take it
			}
		case sim.CoordinatorChanged:
			if b.Held || b.Away {
				return s
			}
			return nil
		}
	}
	return nil
}

func (t *topics) transaction(n int) *fold.Transaction {
	for _, x := range t.kafka.Transactions {
		if x.Number == n {
			return x
		}
	}
	return nil
}

// gone reports whether whoever wrote a batch is not there any more: a producer
// that was closed or killed, a subtask of an attempt that is over.
func (f *Fold) gone(b *fold.Batch) bool {
	for _, p := range slices.Backward(f.topics.kafka.Producers) {
		if "producer:"+p.Name == b.By {
			return p.Gone
		}
	}
	job, _, _ := strings.Cut(b.By, ".")
	if started, ok := f.topics.besides[job]; ok {
		return started == nil || started.Seq > b.Step
	}
	if f.uids[nameOf(b.By)] == "" {
		return false
	}
	if !f.alive {
		return true
	}
	return slices.ContainsFunc(f.starts, func(s *start) bool { return s.step.Seq > b.Step && s.touches(b.By) })
}

// fenced are clients whose transaction, or whose epoch, somebody else took.
func (f *Fold) fenced() (out []fold.Verdict) {
	seen := map[string]bool{}
	for _, s := range f.topics.refused {
		b := s.Body.(sim.RequestRefused)
		by := f.topics.fenceBefore(b.ID, s)
		if by == nil || seen[s.At+" "+b.ID] {
			continue
		}
		x := by.Body.(sim.TransactionChanged)
		if x.Why == sim.WhyTimeout || x.By == s.At || nameOf(x.By)+":Committer" == nameOf(s.At) {
			continue
		}
		seen[s.At+" "+b.ID] = true
		v := verdict(Fenced, Yes, nil, s, by, "K-9")
		v.ID, v.Operator, v.By, v.Count = b.ID, nameOf(s.At), x.By, 1
		out = append(out, v)
	}
	return out
}

// fenceBefore is the change that took an id away before a step.
func (t *topics) fenceBefore(id string, s *sim.Step) *sim.Step {
	for _, x := range slices.Backward(t.fences[id]) {
		if x.Seq < s.Seq {
			return x
		}
	}
	return nil
}

// harmless are commits that a sink reports as failed, although the transaction is
// committed (F-16).
func (f *Fold) harmless() (out []fold.Verdict) {
	for _, s := range f.topics.commits {
		b := s.Body.(sim.CommitAttempted)
		if b.Result != sim.CommitFailedKnown || b.Decided != sim.ResultCommit {
			continue
		}
		v := verdict(Harmless, Yes, f.startOf(s), s, f.topics.decided[b.Transaction], "F-16")
		v.ID, v.Operator, v.Count = b.ID, nameOf(s.At), 1
		out = append(out, v)
	}
	return out
}

// reordered are results of one key that a read_committed reader gets in another
// order than that of the records that they come from.
func (f *Fold) reordered() (out []fold.Verdict) {
	type of struct{ sink, partition, key, split string }
	last := map[of]*sent{}
	bySink := map[string][]*sent{}
	first := map[string]*sent{}
	var sinks []string
	all := slices.Clone(f.topics.results)
	all = slices.DeleteFunc(all, func(x *sent) bool { return !x.visible() || x.w.id.record.Source == "" })
	slices.SortStableFunc(all, func(a, b *sent) int { return a.batch.Offset - b.batch.Offset })
	for _, x := range all {
		k := of{x.w.id.sink, x.at, x.w.step.Body.(sim.ResultWritten).Key, splitOf(x.w.id.record)}
		before := last[k]
		if before != nil && x.w.id.record.Offset < before.w.id.record.Offset {
			if bySink[k.sink] == nil {
				sinks, first[k.sink] = append(sinks, k.sink), before
			}
			bySink[k.sink] = append(bySink[k.sink], x)
			continue
		}
		last[k] = x
	}
	for _, sink := range sinks {
		list := bySink[sink]
		shows := f.stepOf(list[0].batch.Step)
		v := verdict(Reordered, Yes, f.startOf(shows), shows, f.startOf(shows).step, "F-2")
		v.Operator, v.Partition = sink, list[0].at
		v.Records, v.Outputs, v.Count = f.recordsOf(list), f.topics.outputs(list), len(list)
		out = append(out, v)
	}
	return out
}
