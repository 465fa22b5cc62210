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
}

type outsideRow struct {
	sink, key  string
	start, end int64
}

func newVisibility() visibility {
	return visibility{rows: map[outsideRow]int{}, open: map[int64][]int{}}
}

// written is called when the last result was added.
func (f *Folds) written(sink string, b *sim.ResultWritten) {
	i := len(f.Results) - 1
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

func (f *Folds) committed(transaction int64) {
	for _, i := range f.visibility.open[transaction] {
		f.Results[i].Visible = true
	}
	delete(f.visibility.open, transaction)
}
