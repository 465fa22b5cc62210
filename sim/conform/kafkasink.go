package conform

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	sink "streaminglab/sim/connector/kafka"
	"streaminglab/sim/kafka"
	"streaminglab/sim/state"
)

// kafkaSink drives writers and committers as the operators of Flink do.
type kafkaSink struct {
	*kafkaObserver
	config sinkConfig
	jobs   map[string]*sinkJob
	// jvm is the process that was started last.
	jvm int
	// owners are the transactional ids by producer id.
	owners map[kafka.ProducerID]string
	read   []int
	states map[string]string
	// sent are the values in the order in which they were sent first.
	sent []string
}

type sinkConfig struct {
	TV          int    `json:"tv"`
	Guarantee   string `json:"guarantee"`
	Prefix      string `json:"prefix"`
	Naming      string `json:"naming"`
	TxnTimeout  int64  `json:"txn_timeout"`
	Parallelism int    `json:"parallelism"`
	Partitions  int    `json:"partitions"`
	Chained     *bool  `json:"chained"`
	Buffered    bool   `json:"buffered"`
	MaxBlock    int64  `json:"max_block"`
}

// sinkJob is a job: its attempt, and its checkpoints.
type sinkJob struct {
	running    bool
	writers    []*sink.Writer
	committers []*sink.Committer
	prefix     string
	jvm        int
	// taken are snapshots by checkpoint, completed those that can be restored.
	taken     map[int64]*sinkSnapshot
	completed map[int64]bool
	// sent are the values that the source has sent as far as the attempt knows.
	sent []string
}

type sinkSnapshot struct {
	writers    []sink.WriterState
	committers []sink.CommitterState
	sent       []string
}

// sinkStep are the fields of all steps.
type sinkStep struct {
	Op          string `json:"op"`
	Job         string `json:"job"`
	From        *int64 `json:"from"`
	FromJob     string `json:"from_job"`
	Parallelism int    `json:"parallelism"`
	Prefix      string `json:"prefix"`
	Naming      string `json:"naming"`
	SameJVM     bool   `json:"same_jvm"`
	V           string `json:"v"`
	Subtask     *int   `json:"subtask"`
	Part        int    `json:"part"`
	Ckpt        int64  `json:"ckpt"`
	Crash       *int   `json:"crash_after_commits"`
	T           int64  `json:"t"`
	Txn         string `json:"txn"`
	TxnTimeout  int64  `json:"txn_timeout"`
	State       string `json:"state"`
}

// errKilled is thrown where a process ends in the middle of a commit.
var errKilled = errors.New("killed")

func newKafkaSink(config json.RawMessage) (Replayer, error) {
	c, err := configured[sinkConfig](config)
	if err != nil {
		return nil, err
	}
	o := newKafkaObserver(kafkaConfig{TV: c.TV, Parts: c.Partitions})
	return &kafkaSink{
		kafkaObserver: o, config: c, jobs: map[string]*sinkJob{}, owners: map[kafka.ProducerID]string{}, read: make([]int, c.Partitions),
		states: map[string]string{},
	}, nil
}

// Step implements Replayer.
func (r *kafkaSink) Step(step json.RawMessage) (any, error) {
	var s sinkStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	name := s.Job
	if name == "" {
		name = "a"
	}
	out := map[string]any{}
	switch s.Op {
	case "at":
		for r.now < s.T {
			r.now = min(s.T, (r.now/10_000+1)*10_000)
			if r.now%10_000 == 0 {
				r.broker.AbortTimedOut()
			}
			if r.now%3_600_000 == 0 {
				r.broker.RemoveExpired()
			}
		}
		return r.observed(out), nil
	case "fence":
		timeout := s.TxnTimeout
		if timeout == 0 {
			timeout = kafka.DefaultTransactionTimeout
		}
		if err := r.broker.NewProducer(s.Txn, timeout).InitTransactions(); err != nil {
			return nil, err
		}
		return r.observed(out), nil
	case "plain":
		r.broker.Produce(kafka.Produce{At: r.at(s.Part), Producer: kafka.NoProducer, Records: []kafka.Record{{Value: s.V}}})
		return r.observed(out), nil
	case "coordinator":
		if s.State == "down" {
			r.broker.CoordinatorAway()
		} else {
			r.broker.CoordinatorBack()
		}
		return r.observed(out), nil
	case "start":
		if r.jobs[name] == nil {
			r.jobs[name] = &sinkJob{taken: map[int64]*sinkSnapshot{}, completed: map[int64]bool{}}
		}
		return r.ended(out, r.jobs[name], r.start(out, r.jobs[name], &s))
	}
	if s.Op == "rec" && !slices.Contains(r.sent, s.V) {
		r.sent = append(r.sent, s.V)
	}
	job := r.jobs[name]
	if job == nil || !job.running {
		return map[string]any{"ignored": "job is not running"}, nil
	}
	return r.ended(out, job, r.do(out, job, &s))
}

// start begins an attempt.
func (r *kafkaSink) start(out map[string]any, job *sinkJob, s *sinkStep) error {
	c := sink.Config{
		Broker: r.broker, Guarantee: sink.Guarantee(r.config.Guarantee), Prefix: r.config.Prefix, Naming: sink.Naming(r.config.Naming),
		Timeout: r.config.TxnTimeout, Topic: kafkaTopic, Partitions: r.config.Partitions, Lingers: r.config.Buffered,
	}
	parallelism := r.config.Parallelism
	if s.Parallelism > 0 {
		parallelism = s.Parallelism
	}
	if s.Prefix != "" {
		c.Prefix = s.Prefix
	}
	if s.Naming != "" {
		c.Naming = sink.Naming(s.Naming)
	}
	if !s.SameJVM {
		r.jvm++
	}
	if c.Guarantee == sink.ExactlyOnce {
		for _, o := range r.jobs {
			if o != job && o.running && o.jvm == r.jvm && o.prefix == c.Prefix {
				return &sink.Failure{Classes: []string{"IllegalStateException", "IllegalStateException"}, Message: "Writable backchannel already exists."}
			}
		}
	}
	job.running, job.writers, job.committers, job.prefix, job.jvm = true, nil, nil, c.Prefix, r.jvm
	if err := c.Check(); err != nil {
		return err
	}
	var from *sinkSnapshot
	restored := int64(0)
	job.sent = nil
	if s.From != nil {
		restored = *s.From
		holder := job
		if s.FromJob != "" {
			holder = r.jobs[s.FromJob]
		}
		from = holder.taken[restored]
		if from == nil {
			return fmt.Errorf("no checkpoint %d", restored)
		}
		job.sent = slices.Clone(from.sent)
	}
	// Numbers of checkpoints that the attempt does not come from are taken again.
	for n := range job.taken {
		if s.FromJob == "" && n > restored {
			delete(job.taken, n)
			delete(job.completed, n)
		}
	}
	for i := range parallelism {
		k := sink.NewCommitter(r.broker, r.timeout(c))
		r.listen(out, k)
		job.committers = append(job.committers, k)
		var states []sink.WriterState
		if from != nil {
			if err := k.Restore(share(from.committers, i, parallelism)...); err != nil {
				return err
			}
			states = share(from.writers, i, parallelism)
		}
		if c.Guarantee != sink.ExactlyOnce {
			states = nil
		}
		w, err := sink.NewWriter(c, i, parallelism, restored, states)
		if err != nil {
			return err
		}
		w.Finished = k.Finished
		job.writers = append(job.writers, w)
	}
	r.current(out, job)
	r.metrics(out, job)
	return nil
}

func (r *kafkaSink) timeout(c sink.Config) int64 {
	if c.Timeout > 0 {
		return c.Timeout
	}
	return sink.DefaultTimeout
}

// share is what subtask i of n gets of a list of operator state.
func share[S any](old []S, i, n int) (out []S) {
	const name = "state"
	numbers := make([]state.Lists[int], len(old))
	for k := range old {
		numbers[k] = state.Lists[int]{name: {k}}
	}
	lists := []state.ListInfo{{Name: name, Mode: state.SplitDistribute}}
	for _, k := range state.Repartition(numbers, lists, n)[i][name] {
		out = append(out, old[k])
	}
	return out
}

// listen notes the calls of a committer.
func (r *kafkaSink) listen(out map[string]any, k *sink.Committer) {
	k.Committed = func(c sink.Commit) {
		d := map[string]any{"txn": c.ID, "epoch": c.Epoch, "via": "resumed", "result": c.Result}
		if c.Live {
			d["via"] = "live"
		}
		if c.Exception != nil {
			d["error"] = c.Exception.Class
		}
		list, _ := out["commits"].([]any)
		out["commits"] = append(list, d)
	}
}

func (r *kafkaSink) current(out map[string]any, job *sinkJob) {
	var list []any
	for _, w := range job.writers {
		if id, epoch := w.Current(); id != "" {
			list = append(list, []any{id, epoch})
		}
	}
	if len(list) > 0 {
		out["current"] = list
	}
}

func (r *kafkaSink) metrics(out map[string]any, job *sinkJob) {
	var list []any
	some := false
	for _, k := range job.committers {
		m := k.Metrics
		some = some || m != sink.Metrics{}
		list = append(list, []any{m.Total, m.Success, m.Failure, m.Retry, m.AlreadyCommitted})
	}
	if some {
		out["metrics"] = list
	}
}

// subtasks are those that a step is for.
func subtasks(s *sinkStep, n int) []int {
	if s.Subtask != nil {
		return []int{*s.Subtask}
	}
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// do carries out a step of a running job.
func (r *kafkaSink) do(out map[string]any, job *sinkJob, s *sinkStep) error {
	for _, k := range job.committers {
		r.listen(out, k)
	}
	switch s.Op {
	case "rec":
		subtask := 0
		if s.Subtask != nil {
			subtask = *s.Subtask
		}
		job.sent = append(job.sent, s.V)
		return job.writers[subtask].Write(s.Part, kafka.Record{Value: s.V})
	case "send":
		for _, i := range subtasks(s, len(job.writers)) {
			if err := job.writers[i].Flush(); err != nil {
				return err
			}
		}
	case "prepare", "barrier", "endinput":
		return r.barrier(out, job, s)
	case "complete":
		job.completed[s.Ckpt] = true
	case "decline":
		delete(job.taken, s.Ckpt)
	case "notify":
		return r.notify(out, job, s)
	case "crash":
		job.running = false
	case "cancel":
		r.close(job)
		job.running = false
	default:
		return fmt.Errorf("unknown step %q", s.Op)
	}
	return nil
}

func (r *kafkaSink) barrier(out map[string]any, job *sinkJob, s *sinkStep) error {
	list := []any{}
	for _, i := range subtasks(s, len(job.writers)) {
		w, k := job.writers[i], job.committers[i]
		handed, err := w.PrepareCommit(s.Op == "endinput")
		if err != nil {
			return err
		}
		for n, x := range handed {
			list = append(list, []any{i, x.ID, x.Epoch})
			if r.config.Chained != nil && !*r.config.Chained {
				handed[n] = x.Bytes()
			}
		}
		k.Receive(handed)
		if s.Op != "barrier" {
			continue
		}
		snapshot := job.taken[s.Ckpt]
		if snapshot == nil {
			snapshot = &sinkSnapshot{make([]sink.WriterState, len(job.writers)), make([]sink.CommitterState, len(job.writers)), slices.Clone(job.sent)}
			job.taken[s.Ckpt] = snapshot
		}
		snapshot.committers[i] = k.Snapshot(s.Ckpt)
		if snapshot.writers[i], err = w.Snapshot(s.Ckpt); err != nil {
			return err
		}
	}
	out["committables"] = list
	if s.Op != "prepare" {
		r.current(out, job)
	}
	return nil
}

func (r *kafkaSink) notify(out map[string]any, job *sinkJob, s *sinkStep) (err error) {
	calls := 0
	for _, i := range subtasks(s, len(job.committers)) {
		k := job.committers[i]
		k.Committing = func(sink.Committable) error {
			if s.Crash != nil && calls == *s.Crash {
				return errKilled
			}
			calls++
			return nil
		}
		err := k.NotifyComplete(s.Ckpt)
		if errors.Is(err, errKilled) {
			job.running = false
			out["crashed"] = true
			return nil
		}
		if err != nil {
			return err
		}
	}
	r.metrics(out, job)
	return nil
}

// close closes the operators of a job and says what that throws.
func (r *kafkaSink) close(job *sinkJob) (errs []any) {
	for i := range job.committers {
		job.committers[i].Close()
		if i >= len(job.writers) {
			continue
		}
		if err := job.writers[i].Close(); err != nil {
			var e *kafka.Exception
			if errors.As(err, &e) {
				text := "writer:" + e.Class
				if e.Cause != "" {
					text += ">" + e.Cause
				}
				errs = append(errs, text)
			}
		}
	}
	return errs
}

// ended ends a step: what it threw fails the job.
func (r *kafkaSink) ended(out map[string]any, job *sinkJob, err error) (any, error) {
	var f *sink.Failure
	var e *kafka.Exception
	switch {
	case err == nil:
		return r.observed(out), nil
	case errors.As(err, &f):
	case errors.As(err, &e):
		f = &sink.Failure{Classes: []string{e.Class}, Message: e.Message}
	default:
		return nil, err
	}
	failed := map[string]any{"exception": f.Classes, "message": f.Message}
	if errs := r.close(job); len(errs) > 0 {
		failed["close_errors"] = errs
	}
	job.running = false
	for _, name := range []string{"committables", "current", "metrics"} {
		delete(out, name)
	}
	out["job_fails"] = failed
	return r.observed(out), nil
}

// observed adds what is another at the broker than before.
func (r *kafkaSink) observed(out map[string]any) map[string]any {
	for _, t := range r.broker.Transactions() {
		r.owners[t.Producer] = t.ID
	}
	var log []any
	changed := false
	marks := make([]any, r.config.Partitions)
	var rc []any
	some := false
	for part := range r.config.Partitions {
		p := r.partition(part)
		var lines [][]any
		for _, b := range p.Batches {
			if b.Base < r.seen[part] {
				continue
			}
			for i, x := range b.Records {
				line := []any{part, b.Base + int64(i), "D", x.Value}
				if b.Transactional {
					line = append(line, r.owners[b.Producer], b.Epoch)
				}
				lines = append(lines, line)
			}
			switch b.Control {
			case kafka.Commit:
				lines = append(lines, []any{part, b.Base, "C", nil, r.owners[b.Producer], b.Epoch})
			case kafka.Abort:
				lines = append(lines, []any{part, b.Base, "A", nil, r.owners[b.Producer], b.Epoch})
			}
		}
		sortMarkers(lines)
		for _, l := range lines {
			log = append(log, l)
		}
		r.seen[part] = p.End
		hw, lso := p.HighWatermark(), p.LastStableOffset()
		changed = changed || hw != r.hw[part] || lso != r.lso[part]
		r.hw[part], r.lso[part] = hw, lso
		marks[part] = []any{hw, lso}
		fresh := []any{}
		read := p.ReadCommitted(0)
		for _, x := range read[r.read[part]:] {
			fresh = append(fresh, fmt.Sprintf("%s@%d", x.Record.Value, x.Offset))
		}
		r.read[part] = len(read)
		some = some || len(fresh) > 0
		rc = append(rc, fresh)
	}
	if len(log) > 0 {
		out["log"] = log
	}
	if changed {
		out["hw_lso"] = marks
	}
	if some {
		out["rc"] = rc
	}
	r.transactions(out)
	return out
}

// sortMarkers puts markers that follow each other into the order of their
// transactional ids; offsets stay where they are.
func sortMarkers(lines [][]any) {
	for i := 0; i < len(lines); {
		k := i
		for k < len(lines) && lines[k][2] != "D" {
			k++
		}
		if run := lines[i:k]; len(run) > 1 {
			offsets := make([]any, len(run))
			for n := range run {
				offsets[n] = run[n][1]
			}
			slices.SortStableFunc(run, func(a, b []any) int {
				return cmp.Or(cmp.Compare(a[4].(string), b[4].(string)), cmp.Compare(a[5].(int16), b[5].(int16)))
			})
			for n := range run {
				run[n][1] = offsets[n]
			}
		}
		i = max(k, i+1)
	}
}

// transactions adds the ids whose state is another.
func (r *kafkaSink) transactions(out map[string]any) {
	if r.broker.CoordinatorIsAway() {
		return
	}
	txns := map[string]any{}
	known := map[string]bool{}
	for _, t := range r.broker.Transactions() {
		known[t.ID] = true
		text := fmt.Sprint(t.State, t.Epoch, t.Producer)
		if text != r.states[t.ID] {
			r.states[t.ID], txns[t.ID] = text, []any{t.State.String(), t.Epoch}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.states)) {
		if !known[id] {
			delete(r.states, id)
			txns[id] = nil
		}
	}
	if len(txns) > 0 {
		out["txns"] = txns
	}
}

// End implements ender.
func (r *kafkaSink) End() any {
	committed, all := make([][]string, r.config.Partitions), make([][]string, r.config.Partitions)
	shown, ordered := map[string]int{}, true
	for part := range r.config.Partitions {
		p := r.partition(part)
		committed[part], all[part] = []string{}, []string{}
		last := map[string]int{}
		for _, x := range p.ReadCommitted(0) {
			committed[part] = append(committed[part], fmt.Sprintf("%s@%d", x.Record.Value, x.Offset))
			shown[x.Record.Value]++
			source := strings.TrimRight(x.Record.Value, "0123456789")
			n, _ := strconv.Atoi(x.Record.Value[len(source):])
			ordered = ordered && n >= last[source]
			last[source] = n
		}
		for _, b := range p.Batches {
			for i, x := range b.Records {
				all[part] = append(all[part], fmt.Sprintf("%s@%d", x.Value, b.Base+int64(i)))
			}
		}
	}
	open := map[string]any{}
	for _, t := range r.broker.Transactions() {
		if t.State == kafka.Ongoing {
			open[t.ID] = t.Epoch
		}
	}
	missing, duplicated, lost := []string{}, []string{}, []string{}
	for _, v := range r.sent {
		switch n := shown[v]; {
		case n == 0:
			missing = append(missing, v)
		case n > 1:
			duplicated = append(duplicated, v)
		}
	}
	for _, job := range r.jobs {
		last := int64(-1)
		for n := range job.completed {
			last = max(last, n)
		}
		if s := job.taken[last]; s != nil {
			for _, v := range s.sent {
				if shown[v] == 0 && !slices.Contains(lost, v) {
					lost = append(lost, v)
				}
			}
		}
	}
	slices.Sort(lost)
	return map[string]any{
		"read_committed": committed, "read_uncommitted": all, "open": open, "missing": missing, "duplicated": duplicated,
		"in_order": ordered, "lost": lost,
	}
}
