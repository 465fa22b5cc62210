package fold

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
)

// Kafka is what became of topics, transactions and clients of the broker in a
// trace. Expressions and tables read it: none of them looks at the broker.
type Kafka struct {
	// Partitions are those of topics, in order; internal ones come with their
	// first record.
	Partitions []*Partition
	// Transactions are in the order of their numbers.
	Transactions []*Transaction
	Batches      []*Batch
	Markers      []Marker
	Polls        []Poll
	Consumed     []Consumed
	Refusals     []Refusal
	// Delays are the records of topics, in the order in which they were written.
	Delays []*Delay
	// IDs are the transactional ids that the coordinator knows, by name.
	IDs []*TransactionalID
	// Producers and Consumers are clients in the order in which they came.
	Producers []*ProducerClient
	Consumers []*ConsumerClient
	// Groups are the offsets of groups, in order.
	Groups []*GroupOffset
	// Coordinator is where the coordinator is.
	Coordinator sim.CoordinatorChanged
	// Report is the last one of a tool, nil: there was none.
	Report *sim.Step

	partitions   map[string]*Partition
	transactions map[int]*Transaction
}

// States of the records of a batch, as a reader of committed records has them.
const (
	// BatchOpen : its transaction is not decided on the partition.
	BatchOpen = "open"
	// BatchCommitted also goes for records outside a transaction.
	BatchCommitted = "committed"
	BatchAborted   = "aborted"
	// BatchGone : the leader that has it is gone.
	BatchGone = "gone"
)

// A Partition is a partition of a topic.
type Partition struct {
	Name  string `expr:"name" doc:"topic/partition"`
	Start int    `expr:"start" doc:"log start offset"`
	LSO   int    `expr:"lso" doc:"last stable offset: behind what read_committed sees"`
	HW    int    `expr:"hw" doc:"high watermark: behind what read_uncommitted sees"`
	End   int    `expr:"end" doc:"offset of the next record"`
	Open  int    `expr:"open" doc:"transactions that are not decided here"`

	// Entries are its batches and markers by offset, also those below the log
	// start.
	Entries []Entry
	// open are the undecided batches by their producer.
	open map[int][]*Batch
	// waiting are records that read_committed does not get yet, settled is how
	// far they were looked at, markers counts what was decided.
	waiting []*Delay
	settled settled
	markers int
}

// An Entry of a log is a batch or a marker.
type Entry struct {
	Batch  *Batch
	Marker *Marker
}

// A Batch is one batch of records in the log of a partition.
type Batch struct {
	Partition   string   `expr:"partition" doc:"topic/partition"`
	Offset      int      `expr:"offset" doc:"offset of its first record"`
	Last        int      `expr:"last" doc:"offset of its last record"`
	Producer    int      `expr:"producer" doc:"producer id; -1: the producer has none"`
	Epoch       int      `expr:"epoch" doc:"producer epoch; -1 without a producer id"`
	Sequence    int      `expr:"sequence" doc:"sequence of its first record; -1 without a producer id"`
	ID          string   `expr:"id" doc:"transactional.id; empty outside a transaction"`
	Transaction int      `expr:"transaction" doc:"number of its transaction; 0: it has none, or the coordinator knew of none"`
	State       string   `expr:"state" doc:"open, committed or aborted here; gone with the leader that had it; records outside a transaction are committed"`
	By          string   `expr:"by" doc:"client that sent it"`
	Values      []string `expr:"values" doc:"its records, as key=value"`
	Step        int      `expr:"step" doc:"the step"`
	T           int      `expr:"t" doc:"virtual time, ms"`
}

// A Marker is the marker of a transaction on a partition.
type Marker struct {
	Partition   string `expr:"partition" doc:"topic/partition"`
	Offset      int    `expr:"offset" doc:"offset that it uses"`
	Result      string `expr:"result" doc:"COMMIT or ABORT"`
	Producer    int    `expr:"producer" doc:"producer id"`
	Epoch       int    `expr:"epoch" doc:"producer epoch that it carries"`
	Coordinator int    `expr:"coordinator" doc:"coordinator epoch that it carries"`
	ID          string `expr:"id" doc:"transactional.id; empty: a tool wrote it"`
	Transaction int    `expr:"transaction" doc:"number of the transaction that it decides here; 0: the coordinator knew of none, or none was open"`
	First       int    `expr:"first" doc:"first offset of the transaction here; -1: none was open"`
	LSO         int    `expr:"lso" doc:"last stable offset behind it"`
	Step        int    `expr:"step" doc:"the step"`
	T           int    `expr:"t" doc:"virtual time, ms"`
}

// A Transaction is one transaction of a transactional id.
type Transaction struct {
	ID         string   `expr:"id" doc:"transactional.id"`
	Number     int      `expr:"number" doc:"its number, counted over all of the broker"`
	State      string   `expr:"state" doc:"state at the coordinator: Ongoing, PrepareCommit, PrepareAbort, CompleteCommit, CompleteAbort"`
	Producer   int      `expr:"producer" doc:"producer id"`
	Epoch      int      `expr:"epoch" doc:"producer epoch at the coordinator"`
	Timeout    int      `expr:"timeout" doc:"transaction.timeout.ms"`
	Partitions []string `expr:"partitions" doc:"its partitions"`
	Started    int      `expr:"started" doc:"when its first partition was added, ms"`
	Ended      int      `expr:"ended" doc:"when its last marker was written, ms; -1: not yet"`
	Records    int      `expr:"records" doc:"records in it; offsets of groups do not count"`
	Decided    string   `expr:"decided" doc:"COMMIT or ABORT; empty: nobody has decided"`
	Why        string   `expr:"why" doc:"why it was decided: request, fence or timeout; empty: nobody has decided"`
	By         string   `expr:"by" doc:"client whose request decided it; empty: nobody's"`
	Step       int      `expr:"step" doc:"the step with which it began"`
	T          int      `expr:"t" doc:"virtual time of that step, ms"`
}

// A Poll is what a poll of a consumer did on one partition.
type Poll struct {
	Consumer  string `expr:"consumer" doc:"name of the consumer"`
	Isolation string `expr:"isolation" doc:"isolation.level"`
	Partition string `expr:"partition" doc:"topic/partition"`
	From      int    `expr:"from" doc:"position before"`
	Position  int    `expr:"position" doc:"position behind it"`
	Records   int    `expr:"records" doc:"records that it got"`
	Aborted   int    `expr:"aborted" doc:"records of aborted transactions that it skipped"`
	Markers   int    `expr:"markers" doc:"markers that it passed"`
	Lag       int    `expr:"lag" doc:"metric records-lag"`
	Waits     string `expr:"waits" doc:"transactional.id of the open transaction behind which it sees nothing"`
	Step      int    `expr:"step" doc:"the step"`
	T         int    `expr:"t" doc:"virtual time, ms"`
}

// A Consumed is a record as a consumer got it.
type Consumed struct {
	Consumer  string `expr:"consumer" doc:"name of the consumer"`
	Partition string `expr:"partition" doc:"topic/partition"`
	Offset    int    `expr:"offset" doc:"its offset"`
	Key       string `expr:"key" doc:"its key"`
	Value     string `expr:"value" doc:"its value"`
	Step      int    `expr:"step" doc:"the step"`
	T         int    `expr:"t" doc:"virtual time, ms"`
}

// A Refusal is an error that the broker answered with.
type Refusal struct {
	At    string `expr:"at" doc:"client that asked"`
	API   string `expr:"api" doc:"the request"`
	ID    string `expr:"id" doc:"transactional.id of the request"`
	Error string `expr:"error" doc:"name of the error"`
	Code  int    `expr:"code" doc:"number of the error"`
	Retry bool   `expr:"retry" doc:"the client sends it again by itself"`
	Step  int    `expr:"step" doc:"the step"`
	T     int    `expr:"t" doc:"virtual time, ms"`
}

// A TransactionalID is what the coordinator knows of an id.
type TransactionalID struct {
	Last sim.TransactionChanged
	// Since is when that became so, ms.
	Since int64
}

// A ProducerClient is a producer that a command made.
type ProducerClient struct {
	Name string
	// Last is what its last call made of it.
	Last sim.ClientChanged
	// Waits is the call that has not ended: nil, it has.
	Waits *sim.ClientWaits
	// Gone : it was closed or killed.
	Gone bool
}

// A ConsumerClient is a consumer that a command made.
type ConsumerClient struct {
	Name string
	sim.ConsumerStarted
	// Positions are its next offsets by partition, Last what its last poll did.
	Positions map[string]int64
	Last      map[string]sim.PolledPartition
	Gone      bool
}

// A GroupOffset is the committed offset of a group on a partition.
type GroupOffset struct {
	Group, Partition string
	Offset           int64
}

// NewKafka is that of an empty trace. Add takes in its steps, one by one.
func NewKafka() *Kafka {
	return &Kafka{partitions: map[string]*Partition{}, transactions: map[int]*Transaction{}}
}

// KafkaOf folds a trace.
func KafkaOf(t *sim.Trace) *Kafka {
	k := NewKafka()
	for s := range t.Main() {
		k.Add(s)
	}
	return k
}

// Add takes in the next step.
func (k *Kafka) Add(s *sim.Step) {
	switch b := s.Body.(type) {
	case sim.TopicCreated:
		for n := range b.Partitions {
			k.partition(b.Topic, int(n))
		}
	case sim.BatchAppended:
		k.appended(s, b.Log, b.By, b.Records)
	case sim.MarkerWritten:
		k.marked(s, b)
	case sim.HighWatermarkAdvanced:
		p := k.named(b.Partition)
		p.ends(b.LSO, b.HW, p.End)
	case sim.LeaderChanged:
		p := k.named(b.Partition)
		if b.End < b.PreviousEnd {
			for _, e := range p.Entries {
				if e.Batch == nil || e.Batch.Last < int(b.End) {
					continue
				}
				if t := k.transactions[e.Batch.Transaction]; t != nil {
					t.Records -= len(e.Batch.Values)
				}
			}
			p.truncate(int(b.End))
		}
		p.ends(b.LSO, b.HW, int(b.End))
	case sim.RecordsDeleted:
		p := k.named(b.Partition)
		p.Start, p.LSO = int(b.Start), int(b.LSO)
	case sim.TransactionChanged:
		k.changed(s, b)
	case sim.TransactionalIDForgotten:
		k.IDs = slices.DeleteFunc(k.IDs, func(t *TransactionalID) bool { return t.Last.ID == b.ID })
	case sim.RequestRefused:
		k.Refusals = append(k.Refusals, Refusal{At: s.At, API: b.API, ID: b.ID, Error: b.Error, Code: int(b.Code), Retry: b.Retry, Step: s.Seq, T: int(s.T)})
	case sim.CoordinatorChanged:
		k.Coordinator = b
	case sim.OffsetsCommitted:
		for _, o := range b.Offsets {
			k.committedOffset(b.Group, o)
		}
	case sim.ToolReported:
		k.Report = s
	case sim.ClientChanged:
		k.client(s, b)
	case sim.ClientWaits:
		if p := k.producer(s.At); p != nil {
			p.Waits = &b
		}
	default:
		k.consumer(s)
	}
	k.settle(s.T)
}

// partition is the one of a topic.
func (k *Kafka) partition(topic string, n int) *Partition {
	return k.named(topic + "/" + strconv.Itoa(n))
}

// named is a partition by its name, which appears with its first step.
func (k *Kafka) named(name string) *Partition {
	p := k.partitions[name]
	if p == nil {
		p = &Partition{Name: name, open: map[int][]*Batch{}}
		k.partitions[name] = p
		k.Partitions = append(k.Partitions, p)
		slices.SortStableFunc(k.Partitions, func(a, b *Partition) int { return comparePartitions(a.Name, b.Name) })
	}
	return p
}

// comparePartitions orders topic/2 before topic/10.
func comparePartitions(a, b string) int {
	ta, na, _ := strings.Cut(a, "/")
	tb, nb, _ := strings.Cut(b, "/")
	return cmp.Or(cmp.Compare(ta, tb), cmp.Compare(len(na), len(nb)), cmp.Compare(na, nb))
}

func (k *Kafka) appended(s *sim.Step, log sim.Appended, by string, records []string) {
	p := k.named(log.Partition)
	b := &Batch{
		Partition: log.Partition, Offset: int(log.Offset), Last: int(log.Offset) + max(len(records), 1) - 1, Producer: int(log.Producer), Epoch: int(log.Epoch),
		Sequence: int(log.Sequence), ID: log.TransactionalID, Transaction: int(log.Transaction), State: BatchCommitted, By: by,
		Values: records, Step: s.Seq, T: int(s.T),
	}
	if b.ID != "" {
		b.State = BatchOpen
		p.open[b.Producer] = append(p.open[b.Producer], b)
		if t := k.transactions[b.Transaction]; t != nil && !Internal(b.Partition) {
			t.Records += len(records)
		}
	}
	p.Entries = append(p.Entries, Entry{Batch: b})
	k.Batches = append(k.Batches, b)
	k.written(s, p, b)
	p.ends(log.LSO, log.HW, b.Last+1)
}

// ends is where a partition ends.
func (p *Partition) ends(lso, hw int64, end int) {
	p.LSO, p.HW, p.End = int(lso), int(hw), end
	p.Open = len(p.open)
}

// truncate drops what a new leader does not have. Transactions whose marker goes
// with it are open again.
func (p *Partition) truncate(end int) {
	p.Entries = slices.DeleteFunc(p.Entries, func(e Entry) bool {
		if e.Batch != nil && e.Batch.Last >= end {
			e.Batch.State = BatchGone
			return true
		}
		return e.Marker != nil && e.Marker.Offset >= end
	})
	clear(p.open)
	for _, e := range p.Entries {
		switch b := e.Batch; {
		case b == nil:
			p.decide(e.Marker)
		case b.ID != "":
			b.State = BatchOpen
			p.open[b.Producer] = append(p.open[b.Producer], b)
		}
	}
}

// decide ends what the producer of a marker has open.
func (p *Partition) decide(m *Marker) {
	state := BatchCommitted
	if m.Result == sim.ResultAbort {
		state = BatchAborted
	}
	for _, x := range p.open[m.Producer] {
		x.State = state
	}
	delete(p.open, m.Producer)
}

// marked decides what a producer has open on a partition.
func (k *Kafka) marked(s *sim.Step, b sim.MarkerWritten) {
	p := k.named(b.Partition)
	m := Marker{
		Partition: b.Partition, Offset: int(b.Offset), Result: b.Result, Producer: int(b.Producer), Epoch: int(b.Epoch),
		Coordinator: int(b.CoordinatorEpoch), ID: b.TransactionalID, Transaction: int(b.Transaction), First: int(b.First), LSO: int(b.LSO),
		Step: s.Seq, T: int(s.T),
	}
	p.decide(&m)
	p.markers++
	p.Entries = append(p.Entries, Entry{Marker: &m})
	k.Markers = append(k.Markers, m)
	p.ends(b.LSO, b.HW, m.Offset+1)
}

// States of an id at its coordinator, as DescribeTransactions shows them.
const (
	statePrepareCommit  = "PrepareCommit"
	statePrepareAbort   = "PrepareAbort"
	stateCompleteCommit = "CompleteCommit"
	stateCompleteAbort  = "CompleteAbort"
)

func (k *Kafka) changed(s *sim.Step, b sim.TransactionChanged) {
	// A job that restarts for long leaves thousands of ids behind.
	i, known := slices.BinarySearchFunc(k.IDs, b.ID, func(t *TransactionalID, id string) int { return cmp.Compare(t.Last.ID, id) })
	if !known {
		k.IDs = slices.Insert(k.IDs, i, &TransactionalID{})
	}
	k.IDs[i].Last, k.IDs[i].Since = b, s.T
	if b.Transaction == 0 {
		return
	}
	t := k.transactions[int(b.Transaction)]
	if t == nil {
		t = &Transaction{ID: b.ID, Number: int(b.Transaction), Started: int(b.Start), Ended: -1, Step: s.Seq, T: int(s.T)}
		k.transactions[t.Number] = t
		k.Transactions = append(k.Transactions, t)
	}
	if t.Ended >= 0 {
		// An abort of nothing that follows it moves the epoch alone.
		return
	}
	t.State, t.Producer, t.Epoch, t.Timeout = b.State, int(b.Producer), int(b.Epoch), int(b.Timeout)
	if len(b.Partitions) > 0 {
		t.Partitions = b.Partitions
	}
	switch b.State {
	case statePrepareCommit:
		t.Decided, t.Why, t.By = sim.ResultCommit, b.Why, b.By
	case statePrepareAbort:
		t.Decided, t.Why, t.By = sim.ResultAbort, b.Why, b.By
	case stateCompleteCommit, stateCompleteAbort:
		t.Ended = int(s.T)
	}
}

func (k *Kafka) committedOffset(group string, o sim.SplitOffset) {
	i := slices.IndexFunc(k.Groups, func(g *GroupOffset) bool { return g.Group == group && g.Partition == o.Split })
	if i < 0 {
		k.Groups = append(k.Groups, &GroupOffset{Group: group, Partition: o.Split})
		i = len(k.Groups) - 1
	}
	k.Groups[i].Offset = o.Offset
	slices.SortStableFunc(k.Groups, func(a, b *GroupOffset) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), comparePartitions(a.Partition, b.Partition))
	})
}

// Calls of a client that end it or begin it.
const (
	callNew   = "new"
	callClose = "close"
	callKill  = "kill"
)

// producer is the newest of a name that is not gone, or nil.
func (k *Kafka) producer(at string) *ProducerClient {
	for _, p := range slices.Backward(k.Producers) {
		if "producer:"+p.Name == at && !p.Gone {
			return p
		}
	}
	return nil
}

func (k *Kafka) client(s *sim.Step, b sim.ClientChanged) {
	name, ok := strings.CutPrefix(s.At, "producer:")
	if !ok {
		return
	}
	if b.Call == callNew {
		k.Producers = append(k.Producers, &ProducerClient{Name: name})
	}
	p := k.producer(s.At)
	if p == nil {
		return
	}
	p.Last, p.Waits = b, nil
	p.Gone = b.Call == callClose || b.Call == callKill
}

func (k *Kafka) consumer(s *sim.Step) {
	name, ok := strings.CutPrefix(s.At, "consumer:")
	if !ok {
		return
	}
	if b, ok := s.Body.(sim.ConsumerStarted); ok {
		k.Consumers = append(k.Consumers, &ConsumerClient{Name: name, ConsumerStarted: b, Positions: map[string]int64{}, Last: map[string]sim.PolledPartition{}})
		return
	}
	var c *ConsumerClient
	for _, x := range slices.Backward(k.Consumers) {
		if x.Name == name {
			c = x
			break
		}
	}
	if c == nil {
		return
	}
	switch b := s.Body.(type) {
	case sim.ConsumerClosed:
		c.Gone = true
	case sim.ConsumerMoved:
		for _, o := range b.Positions {
			c.Positions[o.Split] = o.Offset
		}
	case sim.ConsumerPolled:
		k.polled(s, c, b)
	}
}

func (k *Kafka) polled(s *sim.Step, c *ConsumerClient, b sim.ConsumerPolled) {
	records := map[string]int{}
	for _, r := range b.Records {
		records[r.Partition]++
		k.Consumed = append(k.Consumed, Consumed{Consumer: c.Name, Partition: r.Partition, Offset: int(r.Offset), Key: r.Key, Value: r.Value, Step: s.Seq, T: int(s.T)})
	}
	for _, p := range b.Partitions {
		c.Positions[p.Partition], c.Last[p.Partition] = p.Position, p
		k.Polls = append(k.Polls, Poll{
			Consumer: c.Name, Isolation: b.Isolation, Partition: p.Partition, From: int(p.From), Position: int(p.Position), Records: records[p.Partition],
			Aborted: int(p.Aborted), Markers: int(p.Markers), Lag: int(p.Lag), Waits: p.Waits, Step: s.Seq, T: int(s.T),
		})
	}
}

// Internal reports whether a partition belongs to a topic of Kafka's own.
func Internal(partition string) bool { return strings.HasPrefix(partition, "__") }

// Readable are the values of a partition that a reader from its start gets, in
// the order of offsets. Known is false for a partition that no step has shown.
func (k *Kafka) Readable(partition string, committed bool) (out []string, known bool) {
	p := k.partitions[partition]
	if p == nil {
		return nil, false
	}
	out = []string{}
	for _, e := range p.Entries {
		b := e.Batch
		if b == nil || b.Offset >= p.HW || committed && (b.State != BatchCommitted || b.Offset >= p.LSO) {
			continue
		}
		for i, v := range b.Values {
			if b.Offset+i < p.Start {
				continue
			}
			if _, value, ok := strings.Cut(v, "="); ok {
				v = value
			}
			out = append(out, v)
		}
	}
	return out, true
}
