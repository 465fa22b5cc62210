package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/eventtime"
	"streaminglab/sim/flink"
	"streaminglab/sim/operator"
	"streaminglab/sim/world"
)

// jobConfig is the configuration of a whole job. A restore may replace some of
// it.
type jobConfig struct {
	Job      string `json:"job"`
	Assigner struct {
		Type  string `json:"type"`
		Size  int64  `json:"size"`
		Slide int64  `json:"slide"`
		Gap   int64  `json:"gap"`
	} `json:"assigner"`
	Lateness  int64  `json:"lateness"`
	Timer     int64  `json:"timer"`
	Second    int64  `json:"second"`
	Splits    int    `json:"splits"`
	Readers   int    `json:"psrc"`
	P         int    `json:"p"`
	Backend   string `json:"backend"`
	Mode      string `json:"mode"`
	Unaligned bool   `json:"unaligned"`
	// Timeout is that of checkpoints.
	Timeout   int64  `json:"timeout"`
	Restart   string `json:"restart"`
	Inline    *int   `json:"inline"`
	Generator string `json:"generator"`
	Delay     int64  `json:"delay"`
	Spare     string `json:"spare"`
	uid       string
}

// file is the job file of the case.
func (c *jobConfig) file() ([]byte, error) {
	var b strings.Builder
	spare, err := oneOf(c.Spare, "wait", "finish")
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "parallelism: %d\nsources:\n  src:\n    splits: %d\n    parallelism: %d\n    spare-readers: %s\n", c.P, c.Splits, c.Readers, spare)
	// The watermarks of a bounded case come with every record, without probes:
	// they are typed behind it.
	if _, err := oneOf(c.Generator, "scripted", "bounded"); err != nil {
		return nil, err
	}
	b.WriteString("    watermark: {strategy: scripted}\noperators:\n  - name: op\n")
	if c.uid != "" {
		fmt.Fprintf(&b, "    uid: %s\n", c.uid)
	}
	switch c.Job {
	case "counter":
		b.WriteString("    process: count\n")
	case "timers":
		fmt.Fprintf(&b, "    process: count-on-timer %dms\n", c.Timer)
	case "window":
		switch a := c.Assigner; a.Type {
		case "tumbling":
			fmt.Fprintf(&b, "    window: {assign: tumbling %dms, process: list}\n", a.Size)
		case "sliding":
			fmt.Fprintf(&b, "    window: {assign: sliding %dms %dms, process: list}\n", a.Size, a.Slide)
		case "session":
			fmt.Fprintf(&b, "    window: {assign: session %dms, process: list}\n", a.Gap)
		default:
			return nil, fmt.Errorf("unknown assigner %q", a.Type)
		}
		fmt.Fprintf(&b, "    lateness: %dms\n", c.Lateness)
	default:
		return nil, fmt.Errorf("unknown job %q", c.Job)
	}
	if c.Second != 0 {
		fmt.Fprintf(&b, "  - name: op2\n    key-by: {a: x, b: x, else: y}\n    window: {assign: tumbling %dms, process: list}\n", c.Second)
	}
	b.WriteString("sinks:\n  - name: plain\n  - name: transactional\nflinkConfiguration:\n")
	b.WriteString("  pipeline.auto-watermark-interval: 0ms\n")
	if c.Timeout != 0 {
		fmt.Fprintf(&b, "  execution.checkpointing.timeout: %dms\n", c.Timeout)
	}
	if c.Mode == "at-least-once" {
		b.WriteString("  execution.checkpointing.mode: AT_LEAST_ONCE\n")
	}
	if c.Unaligned {
		b.WriteString("  execution.checkpointing.unaligned.enabled: true\n")
	}
	switch c.Restart {
	case "":
		fmt.Fprintf(&b, "  restart-strategy.type: fixed-delay\n  restart-strategy.fixed-delay.attempts: %d\n  restart-strategy.fixed-delay.delay: 0ms\n", math.MaxInt32)
	case "none":
	default:
		return nil, fmt.Errorf("unknown restart strategy %q", c.Restart)
	}
	return []byte(b.String()), nil
}

func oneOf(word string, known ...string) (string, error) {
	if word == "" {
		return known[0], nil
	}
	if !slices.Contains(known, word) {
		return "", fmt.Errorf("unknown word %q", word)
	}
	return word, nil
}

// supported refuses what the runtime does not do.
func (c *jobConfig) supported() error {
	if _, err := oneOf(c.Mode, "exactly-once", "at-least-once"); err != nil {
		return err
	}
	if _, err := oneOf(c.Backend, "hashmap", "rocksdb"); err != nil {
		return err
	}
	return nil
}

// jobReplayer runs a whole job in a world and tells what happened by the entry
// of a split that led to it.
type jobReplayer struct {
	config jobConfig
	files  map[string][]byte
	w      *world.World
	store  transactions

	// entries are, of each split, the offsets in its log at which recorded
	// entries begin: a record of a bounded case is two entries of the log.
	entries [][]int64
	// seen and commits are how much of the trace and of the commits was told.
	seen, commits int
	positions     []int64

	// unreadable says that a task could not read the state of another backend.
	unreadable bool
	// claimed is the snapshot that the job may delete.
	claimed *flink.Checkpoint
	// holding is the reader that a checkpoint waits for.
	holding string
	out     *jobOut
	parts   []*jobPart
	dropped int64
	shown   int64
	idle    bool
	total   jobTotal
	values  []int64
}

// A jobPart is what happened because of one command, start or entry.
type jobPart struct {
	start *jobStart
	s, o  int
	entry bool

	r, committed, again []jobResult
	wm                  *int64
	idle                *bool
	dropped             *int64
}

type jobStart struct {
	Attempt int     `json:"attempt"`
	From    any     `json:"from"`
	Offsets []int64 `json:"offsets"`
	Assign  [][]int `json:"assign"`
}

type jobResult struct {
	K     string   `json:"k"`
	Start *int64   `json:"start,omitempty"`
	End   *int64   `json:"end,omitempty"`
	VS    *[]int64 `json:"vs,omitempty"`
	Timer *int64   `json:"timer,omitempty"`
	N     *int64   `json:"n,omitempty"`
	V     *int64   `json:"v,omitempty"`
}

type jobEntry struct {
	S         int         `json:"s"`
	O         int         `json:"o"`
	R         []jobResult `json:"r,omitempty"`
	Committed []jobResult `json:"committed,omitempty"`
	WM        *Time       `json:"wm,omitempty"`
	Status    string      `json:"status,omitempty"`
	Dropped   *int64      `json:"dropped,omitempty"`
}

type jobOut struct {
	Start     *jobStart   `json:"start,omitempty"`
	Restart   *jobStart   `json:"restart,omitempty"`
	R         []jobResult `json:"r,omitempty"`
	Committed []jobResult `json:"committed,omitempty"`
	Again     []jobResult `json:"again,omitempty"`
	WM        *Time       `json:"wm,omitempty"`
	Status    string      `json:"status,omitempty"`
	Dropped   *int64      `json:"dropped,omitempty"`
	Replay    []jobEntry  `json:"replay,omitempty"`
	Ckpt      int64       `json:"ckpt,omitempty"`
	Aborted   string      `json:"aborted,omitempty"`
	Savepoint string      `json:"savepoint,omitempty"`
	State     string      `json:"state,omitempty"`
	Gone      string      `json:"gone,omitempty"`
	Error     string      `json:"error,omitempty"`
	Total     *jobTotal   `json:"total,omitempty"`
}

type jobTotal struct {
	Emitted       int            `json:"emitted"`
	Committed     int            `json:"committed"`
	EmittedMore   *[]int64       `json:"emitted_more,omitempty"`
	EmittedNone   *[]int64       `json:"emitted_none,omitempty"`
	CommittedMore *[]int64       `json:"committed_more,omitempty"`
	CommittedNone *[]int64       `json:"committed_none,omitempty"`
	Upsert        map[string]any `json:"upsert"`

	emitted, committed map[int64]int
}

func newJob(config json.RawMessage) (Replayer, error) {
	c := jobConfig{Splits: 1, Readers: 1, P: 1}
	if err := decode(config, &c); err != nil {
		return nil, err
	}
	if err := c.supported(); err != nil {
		return nil, err
	}
	r := &jobReplayer{
		config: c, files: map[string][]byte{},
		entries: make([][]int64, c.Splits), positions: make([]int64, c.Splits),
	}
	r.total = jobTotal{Upsert: map[string]any{}, emitted: map[int64]int{}, committed: map[int64]int{}}
	if err := r.write(); err != nil {
		return nil, err
	}
	r.w = world.New(world.Config{Files: r.files, Alter: r.alter, Watch: r.watch})
	return r, nil
}

const jobFile = "job.yaml"

func (r *jobReplayer) write() (err error) {
	r.files[jobFile], err = r.config.file()
	return err
}

// alter says what a job file of this chapter cannot: that checkpointing is on,
// the backend, and where the transactions of a sink live.
func (r *jobReplayer) alter(spec *flink.Spec) {
	spec.FinalCheckpoint = true
	spec.Checkpointing.Retention = checkpoint.RetainOnCancellation
	spec.Checkpointing.TolerableFailures = math.MaxInt32
	if r.config.Inline != nil {
		spec.Checkpointing.InlineThreshold = int64(*r.config.Inline)
	}
	if r.config.Backend == "rocksdb" {
		spec.Backend, spec.Checkpointing.Incremental = flink.RocksDB, true
	}
	for _, s := range spec.Sinks {
		if s.Name == "transactional" {
			s.Transactions = &r.store
		}
	}
}

// Close ends the storages of the world.
func (r *jobReplayer) Close() error {
	r.w.Close()
	return nil
}

type jobStep struct {
	Op      string  `json:"op"`
	S       *int    `json:"s"`
	K       *string `json:"k"`
	TS      *int64  `json:"ts"`
	V       int64   `json:"v"`
	Poison  string  `json:"poison"`
	WM      *Time   `json:"wm"`
	Status  string  `json:"status"`
	Where   string  `json:"where"`
	I       int     `json:"i"`
	Format  string  `json:"format"`
	Drain   bool    `json:"drain"`
	From    string  `json:"from"`
	P       *int    `json:"p"`
	Readers *int    `json:"psrc"`
	Backend *string `json:"backend"`
	Claim   string  `json:"claim"`
	UID     *string `json:"uid"`
	Allow   bool    `json:"allow"`
	Hold    *int    `json:"hold"`
	At      string  `json:"at"`
	Lost    bool    `json:"lost"`
}

// Step implements Replayer.
func (r *jobReplayer) Step(step json.RawMessage) (any, error) { return r.StepLast(step, false) }

// StepLast implements Replayer: totals are written with the last step.
func (r *jobReplayer) StepLast(step json.RawMessage, last bool) (any, error) {
	var s jobStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	out := &jobOut{}
	r.parts, r.out = []*jobPart{{}}, out
	if err := r.do(&s, out); err != nil {
		return nil, err
	}
	r.watch()
	if r.claimed != nil && r.claimed.Gone {
		// The recordings look after a checkpoint and at the end, not after a stop.
		if s.Op != "stop" {
			out.Gone = r.claimed.Label()
		}
		r.claimed = nil
	}
	if err := r.tell(&s, out); err != nil {
		return nil, err
	}
	if last {
		out.Total = r.totals()
	}
	return out, nil
}

func (r *jobReplayer) do(s *jobStep, out *jobOut) error {
	if _, err := oneOf(s.Format, flink.Canonical, flink.Native); err != nil {
		return err
	}
	switch s.Op {
	case "":
		err := r.append(s)
		if st := r.status(); st != string(flink.Running) {
			out.State = st
		}
		return err
	case "start":
		return r.w.Start("job", jobFile)
	case "checkpoint":
		return r.w.Checkpoint("checkpoint")
	case "savepoint":
		err := r.w.Savepoint("savepoint", s.Format)
		out.Savepoint = r.lastSavepoint()
		return err
	case "stop":
		err := r.w.StopWith("stop", s.Drain, s.Format)
		out.Savepoint, out.State = r.lastSavepoint(), r.status()
		return err
	case "cancel":
		err := r.w.Cancel("cancel")
		out.State = r.status()
		return err
	case "end":
		err := r.w.End("end", "src")
		out.State = r.status()
		return err
	case "fail":
		where, ok := map[string]string{"source": "src", "op": "op", "op2": "op2"}[s.Where]
		if !ok {
			return fmt.Errorf("unknown place %q", s.Where)
		}
		if err := r.w.Crash("crash", fmt.Sprintf("%s[%d]", where, s.I), ""); err != nil {
			return err
		}
		if st := r.status(); st != string(flink.Running) {
			out.State = st
		}
		return nil
	case "restore":
		return r.restore(s, out)
	case "begin":
		return r.begin(s)
	case "release":
		if s.Lost {
			if err := r.w.Fault("fault", sim.PointCheckpointDone, "", sim.FaultCrash, 1, 0); err != nil {
				return err
			}
		}
		return r.resume()
	case "expire":
		timeout := r.config.Timeout
		if timeout == 0 {
			timeout = flink.DefaultCheckpointing().Timeout
		}
		if err := r.w.Advance("advance", timeout); err != nil {
			return err
		}
		return r.resume()
	}
	return errStep
}

// begin starts a checkpoint in which a reader lags.
func (r *jobReplayer) begin(s *jobStep) error {
	if s.Hold == nil {
		return errStep
	}
	point, ok := map[string]string{"barrier": sim.PointTrigger, "ack": sim.PointSourceSnapshot}[s.At]
	if !ok {
		return fmt.Errorf("unknown place %q", s.At)
	}
	r.holding = fmt.Sprintf("src[%d]", *s.Hold)
	if err := r.w.Fault("fault", point, r.holding, sim.FaultDelay, 1, 0); err != nil {
		return err
	}
	return r.w.Checkpoint("checkpoint")
}

// resume lets the reader that lags go on.
func (r *jobReplayer) resume() error {
	return r.w.Resume("resume", world.Target{Source: r.holding, Whole: true})
}

func (r *jobReplayer) status() string {
	if r.w.Job() == nil {
		return ""
	}
	return string(r.w.Job().Status)
}

func (r *jobReplayer) lastSavepoint() string {
	all := r.w.Job().Completed()
	if n := len(all); n > 0 {
		return all[n-1].Name
	}
	return ""
}

func (r *jobReplayer) restore(s *jobStep, out *jobOut) error {
	if s.P != nil {
		r.config.P = *s.P
	}
	if s.Readers != nil {
		r.config.Readers = *s.Readers
	}
	if s.Backend != nil {
		r.config.Backend = *s.Backend
	}
	if s.UID != nil {
		r.config.uid = *s.UID
	}
	if err := r.config.supported(); err != nil {
		return err
	}
	if err := r.write(); err != nil {
		return err
	}
	claim, err := oneOf(s.Claim, "no-claim", "claim")
	if err != nil {
		return err
	}
	o := flink.RestoreOptions{AllowNonRestoredState: s.Allow}
	if claim == "claim" {
		o.ClaimMode = checkpoint.Claim
	}
	err = r.w.RestoreWith("restore", s.From, o)
	r.claimed = nil
	if claim == "claim" {
		r.claimed = r.w.Job().Latest()
	}
	if err != nil {
		return err
	}
	if r.unreadable {
		// It would fail again and again.
		r.unreadable = false
		r.w.StopAt(0)
		out.Error = "cannot-restore"
		r.parts = []*jobPart{{}}
		if r.w.Job().Status == flink.Failed {
			return nil
		}
		return r.w.Cancel("cancel")
	}
	steps := r.w.Trace().Steps()
	for _, step := range steps[len(steps)-1:] {
		f, failed := step.Body.(sim.JobFailed)
		switch {
		case !failed:
		case step.Rule == "CP-9.5":
			out.Error = "state-not-mapped"
		case f.Exception.Class == "java.io.FileNotFoundException":
			// It never ran.
			out.Error, r.parts = "file-not-found", []*jobPart{{}}
		default:
			return fmt.Errorf("the job failed: %s", f.Exception.Message)
		}
	}
	return nil
}

// append puts an entry into the log of its split.
func (r *jobReplayer) append(s *jobStep) error {
	if s.S == nil {
		return errStep
	}
	if err := index("split", *s.S, len(r.entries)); err != nil {
		return err
	}
	name := fmt.Sprint(*s.S)
	to := world.Target{Source: "src", Split: name}
	log := r.w.Logs().Find("src", name)
	if log == nil {
		return errors.New("an entry before the start")
	}
	r.entries[*s.S] = append(r.entries[*s.S], log.Len())
	switch {
	case s.K != nil && s.TS != nil:
		r.values = append(r.values, s.V)
		switch s.Poison {
		case "":
		case "source":
			if err := r.w.Fault("fault", sim.PointSourceRead, "split:src/"+name, sim.FaultCrash, 1, 0); err != nil {
				return err
			}
		case "op":
			if err := r.w.Fault("fault", sim.PointTaskRecord, "op", sim.FaultCrash, 1, 0); err != nil {
				return err
			}
		default:
			return fmt.Errorf("unknown poison %q", s.Poison)
		}
		if err := r.w.Produce("produce", to, operator.Record{Name: *s.K, TS: *s.TS, Value: s.V}); err != nil {
			return err
		}
		if r.config.Generator != "bounded" {
			return nil
		}
		return r.w.Emission("watermark", to, eventtime.Emission{Kind: eventtime.EmitsWatermark, Watermark: *s.TS - r.config.Delay - 1})
	case s.WM != nil:
		return r.w.Emission("watermark", to, eventtime.Emission{Kind: eventtime.EmitsWatermark, Watermark: int64(*s.WM)})
	case s.Status != "":
		turned, err := status(s.Status)
		if err != nil {
			return err
		}
		kind := eventtime.EmitsActive
		if turned.IsIdle() {
			kind = eventtime.EmitsIdle
		}
		return r.w.Emission("status", to, eventtime.Emission{Kind: kind})
	}
	return errStep
}

func (r *jobReplayer) part() *jobPart { return r.parts[len(r.parts)-1] }

// watch tells what the last action did: it started the job, read an entry, or
// carried on with what that led to.
func (r *jobReplayer) watch() {
	steps := r.w.Trace().Steps()
	for _, s := range steps[min(r.seen, len(steps)):] {
		r.step(s)
		if f, ok := s.Body.(sim.TaskFailed); ok && s.Rule == "CP-8.2" && !r.unreadable {
			r.unreadable = f.Exception.Class != ""
			r.w.StopAt(len(steps))
		}
	}
	r.seen = len(steps)
	p := r.part()
	for ; r.commits < len(r.store.commits); r.commits++ {
		c := r.store.commits[r.commits]
		for _, x := range r.store.results[c.id] {
			if c.again {
				p.again = append(p.again, r.result(x))
			} else {
				p.committed = append(p.committed, r.result(x))
				r.total.Committed++
				r.total.count(r.total.committed, x)
			}
		}
	}
	if r.w.Job() == nil {
		return
	}
	for _, at := range r.w.Job().Positions() {
		i := r.split(at.Log)
		if at.Offset > r.positions[i] {
			// One action reads one entry at most.
			r.read(i, at.Offset-1)
		}
		r.positions[i] = at.Offset
	}
}

func (r *jobReplayer) split(l *flink.Log) int {
	var i int
	if _, err := fmt.Sscan(l.Split, &i); err != nil || i < 0 || i >= len(r.entries) {
		panic("conform: split " + l.Split)
	}
	return i
}

// recorded is the number of recorded entries that begin before an offset of
// the log.
func (r *jobReplayer) recorded(split int, offset int64) int {
	n, _ := slices.BinarySearch(r.entries[split], offset)
	return n
}

// read begins a part when an entry is read after a start in this step.
func (r *jobReplayer) read(split int, offset int64) {
	p := r.part()
	if p.start == nil && !p.entry {
		return
	}
	o := r.recorded(split, offset+1) - 1
	if p.entry && p.s == split && p.o == o {
		return
	}
	r.parts = append(r.parts, &jobPart{entry: true, s: split, o: o})
}

func (r *jobReplayer) step(s *sim.Step) {
	p := r.part()
	switch b := s.Body.(type) {
	case sim.JobStarted:
		r.parts = append(r.parts, &jobPart{start: r.started(b)})
		r.dropped, r.shown, r.idle = 0, 0, false
	case sim.ResultWritten:
		x := recorded{result: b}
		if s.At[:5] == "plain" {
			p.r = append(p.r, r.result(x))
			r.total.Emitted++
			r.total.count(r.total.emitted, x)
		}
	case sim.WatermarkAdvanced:
		if s.At == "op[0]" {
			p.wm = &b.Watermark
		}
	case sim.StatusChanged:
		if s.At == "op[0]" {
			idle := b.Status == sim.StatusIdle
			p.idle = &idle
		}
	case sim.CheckpointCompleted:
		r.out.Ckpt = b.ID
	case sim.CheckpointAborted:
		r.out.Aborted = "failure"
		if b.Reason == string(checkpoint.Expired) {
			r.out.Aborted = "expired"
		}
	case sim.RecordDropped:
		r.dropped++
		n := r.dropped
		p.dropped = &n
	}
}

func (r *jobReplayer) started(b sim.JobStarted) *jobStart {
	s := &jobStart{Attempt: b.Attempt, From: "none", Offsets: make([]int64, len(r.entries)), Assign: [][]int{}}
	if b.Restored > 0 {
		s.From = b.Restored
	}
	for reader, splits := range r.w.Job().Assigned("src") {
		s.Assign = append(s.Assign, []int{})
		for _, x := range splits {
			i := r.split(x.Log)
			r.positions[i] = x.Offset
			s.Offsets[i] = int64(r.recorded(i, x.Offset))
			s.Assign[reader] = append(s.Assign[reader], i)
		}
	}
	return s
}

// tell writes the parts of a step.
func (r *jobReplayer) tell(s *jobStep, out *jobOut) error {
	status := s.Op != "end"
	drops := s.Op != "end" && s.Op != "stop"
	for _, p := range r.parts {
		sortResults(p.r)
		sortResults(p.committed)
		sortResults(p.again)
		r.upsert(p.r)
		if p.entry {
			e := jobEntry{S: p.s, O: p.o, R: p.r, Committed: p.committed}
			if len(p.again) > 0 {
				return errors.New("a commit again in a replay")
			}
			e.WM, e.Status, e.Dropped = r.moved(p, true, true)
			out.Replay = append(out.Replay, e)
			continue
		}
		if p.start != nil {
			if s.Op == "start" || s.Op == "restore" {
				out.Start = p.start
			} else {
				out.Restart = p.start
			}
		}
		out.R = append(out.R, p.r...)
		out.Committed = append(out.Committed, p.committed...)
		out.Again = append(out.Again, p.again...)
		wm, st, dropped := r.moved(p, status, drops)
		if wm != nil {
			out.WM = wm
		}
		if st != "" {
			out.Status = st
		}
		if dropped != nil {
			out.Dropped = dropped
		}
	}
	return nil
}

// moved tells what became another about time.
func (r *jobReplayer) moved(p *jobPart, time, drops bool) (wm *Time, status string, dropped *int64) {
	if p.wm != nil && time {
		wm = timeAt(*p.wm)
	}
	if p.idle != nil && *p.idle != r.idle {
		r.idle = *p.idle
		if time {
			status = sim.StatusOf(r.idle)
		}
	}
	if p.dropped != nil && *p.dropped != r.shown {
		r.shown = *p.dropped
		if drops {
			dropped = p.dropped
		}
	}
	return wm, status, dropped
}

func (r *jobReplayer) result(x recorded) jobResult {
	b := x.result
	switch r.config.Job {
	case "counter":
		return jobResult{K: b.Key, N: &b.Count, V: &b.Value}
	case "timers":
		return jobResult{K: b.Key, Timer: &b.TS, N: &b.Count}
	}
	vs := append([]int64{}, b.Values...)
	slices.Sort(vs)
	return jobResult{K: b.Key, Start: &b.Window.Start, End: &b.Window.End, VS: &vs}
}

func sortResults(in []jobResult) {
	sort.SliceStable(in, func(i, j int) bool { return in[i].compare(in[j]) < 0 })
}

func (a jobResult) compare(b jobResult) int {
	by := func(x, y *int64) int {
		if x == nil || y == nil || *x == *y {
			return 0
		}
		if *x < *y {
			return -1
		}
		return 1
	}
	for _, c := range []int{by(a.End, b.End), by(a.Timer, b.Timer), strings.Compare(a.K, b.K), by(a.Start, b.Start), by(a.N, b.N), by(a.V, b.V)} {
		if c != 0 {
			return c
		}
	}
	if a.VS != nil && b.VS != nil {
		return slices.Compare(*a.VS, *b.VS)
	}
	return 0
}

// upsert keeps what a sink holds that overwrites by key.
func (r *jobReplayer) upsert(in []jobResult) {
	for _, x := range in {
		switch r.config.Job {
		case "counter":
			r.total.Upsert[x.K] = *x.N
		case "timers":
			r.total.Upsert[fmt.Sprintf("%s@%d", x.K, *x.Timer)] = *x.N
		default:
			r.total.Upsert[fmt.Sprintf("%s@%d-%d", x.K, *x.Start, *x.End)] = *x.VS
		}
	}
}

func (t *jobTotal) count(in map[int64]int, x recorded) {
	for _, v := range x.result.Values {
		in[v]++
	}
}

func (r *jobReplayer) totals() *jobTotal {
	if r.config.Job == "window" && r.config.Assigner.Type == "tumbling" {
		r.total.EmittedMore, r.total.EmittedNone = r.found(r.total.emitted)
		r.total.CommittedMore, r.total.CommittedNone = r.found(r.total.committed)
	}
	return &r.total
}

// found are the records that are more than once in the results, and never.
func (r *jobReplayer) found(in map[int64]int) (more, none *[]int64) {
	more, none = &[]int64{}, &[]int64{}
	for _, v := range r.values {
		switch n := in[v]; {
		case n > 1:
			*more = append(*more, v)
		case n == 0:
			*none = append(*none, v)
		}
	}
	slices.Sort(*more)
	slices.Sort(*none)
	return more, none
}

// transactions are the storage of the two-phase sink.
type transactions struct {
	results [][]recorded
	by      []int
	done    map[int64]bool
	commits []commit
}

type recorded struct{ result sim.ResultWritten }

type commit struct {
	id    int64
	again bool
}

// Begin implements flink.Transactions.
func (t *transactions) Begin(_ string, subtask int) int64 {
	t.results, t.by = append(t.results, nil), append(t.by, subtask)
	return int64(len(t.results) - 1)
}

// Write implements flink.Transactions.
func (t *transactions) Write(id int64, x *operator.Record) {
	b := sim.ResultWritten{
		Key: x.Key.Name, TS: x.TS, Window: sim.Interval{Start: x.Window.Start, End: x.Window.End},
		Value: x.Value, Values: x.Values, Count: x.Count,
	}
	t.results[id] = append(t.results[id], recorded{b})
}

// Subtask implements flink.Transactions.
func (t *transactions) Subtask(id int64) int { return t.by[id] }

// Results implements flink.Transactions.
func (t *transactions) Results(id int64) int { return len(t.results[id]) }

// Lingering implements flink.Transactions: what nobody commits is not told.
func (t *transactions) Lingering(string) []int64 { return nil }

// Abort implements flink.Transactions.
func (t *transactions) Abort(int64) {}

// Aborted implements flink.Transactions.
func (t *transactions) Aborted(int64) bool { return false }

// Commit implements flink.Transactions.
func (t *transactions) Commit(id int64) (int, bool) {
	if t.done == nil {
		t.done = map[int64]bool{}
	}
	t.commits = append(t.commits, commit{id, t.done[id]})
	again := t.done[id]
	t.done[id] = true
	return len(t.results[id]), again
}
