package fold

import "streaminglab/sim"

// visibility keeps Result.Visible: what a reader of the outside system sees. A
// plain sink shows a result at once; an upsert sink until it overwrites it; a
// two-phase sink when its transaction is committed.
type visibility struct {
	// rows is the result that stands in a row of an upsert sink.
	rows map[outsideRow]int
	// open are the results of a transaction that nobody sees yet.
	open map[int64][]int
	// sent are results on their way to a topic, by the step that took them; waiting
	// those that stand in a partition and no read_committed reader gets yet.
	sent    map[int]int
	waiting map[string][]waitingResult
}

// waitingResult is a result with the batch that it is in.
type waitingResult struct {
	result int
	batch  *Batch
}

type outsideRow struct {
	sink, key  string
	start, end int64
}

func newVisibility() visibility {
	return visibility{rows: map[outsideRow]int{}, open: map[int64][]int{}, sent: map[int]int{}, waiting: map[string][]waitingResult{}}
}

// written is called when the last result was added.
func (f *Folds) written(sink string, step int, b *sim.ResultWritten) {
	i := len(f.Results) - 1
	if b.Partition != "" {
		f.visibility.sent[step] = i
		return
	}
	if b.Transaction > 0 {
		f.visibility.open[b.Transaction] = append(f.visibility.open[b.Transaction], i)
		return
	}
	f.Results[i].Visible = true
	row := outsideRow{sink, b.Key, b.Window.Start, b.Window.End}
	if b.Replaced {
		f.Results[f.visibility.rows[row]].Visible = false
	}
	f.visibility.rows[row] = i
}

// appended is called when the fold of the broker has taken a batch in: the
// results that led to it stand in the log one behind the other.
func (f *Folds) appended(s *sim.Step) {
	batch := f.kafka.Batches[len(f.kafka.Batches)-1]
	offset := batch.Offset
	for _, c := range s.CauseSeqs() {
		i, ok := f.visibility.sent[c]
		if !ok {
			continue
		}
		delete(f.visibility.sent, c)
		f.Results[i].Offset = offset
		offset++
		f.visibility.waiting[batch.Partition] = append(f.visibility.waiting[batch.Partition], waitingResult{i, batch})
	}
	f.decided(batch.Partition)
}

// decided looks which results of a partition a read_committed reader gets now.
func (f *Folds) decided(partition string) {
	p := f.kafka.named(partition)
	left := f.visibility.waiting[partition][:0]
	for _, w := range f.visibility.waiting[partition] {
		switch {
		case w.batch.State == BatchAborted, w.batch.State == BatchGone:
		case w.batch.State == BatchCommitted && w.batch.Offset < p.LSO:
			f.Results[w.result].Visible = true
		default:
			left = append(left, w)
		}
	}
	f.visibility.waiting[partition] = left
}

// gone takes back what the new leader of a partition does not have.
func (f *Folds) gone(partition string, end int) {
	for i := range f.Results {
		if r := &f.Results[i]; r.Partition == partition && r.Offset >= end {
			r.Visible = false
		}
	}
	f.decided(partition)
}

func (f *Folds) committed(transaction int64) {
	for _, i := range f.visibility.open[transaction] {
		f.Results[i].Visible = true
	}
	delete(f.visibility.open, transaction)
}
