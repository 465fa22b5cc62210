package cost

// A Model is a set of values. Bytes are decimal: 1 MB = 1,000,000.
type Model struct {
	// HeapAccess, TreeAccess and BlockRead are in ns: a read or a write of one
	// value on the heap, one in an LSM tree out of memory, and what a block that
	// comes from the local disk takes besides.
	HeapAccess, TreeAccess, BlockRead int64
	// HeapView is in ns for each value: what the synchronous half of a heap
	// snapshot takes to hold on to it.
	HeapView int64
	// Serialize, Flush, Compact and Load are in bytes a second: objects to bytes
	// or back, a memtable to the local disk, a compaction (by what it reads), and
	// copying from one local database into another when a job is rescaled.
	Serialize, Flush, Compact, Load int64
	// OpenTree is in ms: opening a database.
	OpenTree int64
	// Request is in ms: until the first byte of an object arrives. Connection is
	// in bytes a second, and Threads is how many connections a transfer of files
	// has.
	Request, Connection int64
	Threads             int
}

// Default is the model that worlds use unless a job says otherwise.
var Default = Model{
	HeapAccess: 200, TreeAccess: 2_000, BlockRead: 100_000, HeapView: 10,
	Serialize: 100_000_000, Flush: 200_000_000, Compact: 100_000_000, Load: 100_000_000,
	OpenTree: 50,
	Request:  100, Connection: 85_000_000, Threads: 4,
}

// A Row is one value of a model with where it comes from.
type Row struct {
	Name  string
	Value int64
	Unit  string
	// Source is what has published it; empty: judgement.
	Source string
}

// Table lists the values.
func (m Model) Table() []Row {
	const (
		s3    = "Amazon S3 User Guide, Optimizing performance"
		flink = "Flink, State Backends"
	)
	return []Row{
		{"heap-access", m.HeapAccess, "ns", ""},
		// An order of magnitude above the heap.
		{"tree-access", m.TreeAccess, "ns", flink},
		{"block-read", m.BlockRead, "ns", ""},
		{"heap-view", m.HeapView, "ns", ""},
		{"serialize", m.Serialize, "B/s", ""},
		{"flush", m.Flush, "B/s", ""},
		{"compact", m.Compact, "B/s", ""},
		{"load", m.Load, "B/s", ""},
		{"open-tree", m.OpenTree, "ms", ""},
		// 100 to 200 ms.
		{"request", m.Request, "ms", s3},
		// 85 to 90 MB/s for each connection.
		{"connection", m.Connection, "B/s", s3},
		{"threads", int64(m.Threads), "", "state.backend.rocksdb.checkpoint.transfer.thread.num"},
	}
}

// at is how long bytes take at a rate, in ms, rounded up.
func at(rate, bytes int64) int64 {
	if rate <= 0 || bytes <= 0 {
		return 0
	}
	// Rates stay far below 2^63 / 1000.
	return bytes/rate*1000 + (bytes%rate*1000+rate-1)/rate
}

// milliseconds are ns in ms, rounded up.
func milliseconds(ns int64) int64 { return (ns + 999_999) / 1_000_000 }

// Object is how long one object takes to or from the store, in ms.
func (m Model) Object(bytes int64) int64 { return m.Request + at(m.Connection, bytes) }

// Transfer is how long files take to or from the store, in ms: each thread
// takes the next one when it is free.
func (m Model) Transfer(files []int64) int64 {
	free := make([]int64, max(m.Threads, 1))
	last := int64(0)
	for _, f := range files {
		first := 0
		for i := range free {
			if free[i] < free[first] {
				first = i
			}
		}
		free[first] += m.Object(f)
		last = max(last, free[first])
	}
	return last
}

// A Snapshot is how long the halves of a subtask's snapshot take, in ms. The
// task stands still in the synchronous one.
type Snapshot struct{ Sync, Async int64 }

// HeapSnapshot : views of all values are taken, then everything is serialized
// into one object (CP-7.1).
func (m Model) HeapSnapshot(values, bytes int64) Snapshot {
	return Snapshot{milliseconds(values * m.HeapView), m.stream(bytes)}
}

// stream serializes into an object while it is sent: the slower one counts.
func (m Model) stream(bytes int64) int64 {
	return m.Request + max(at(m.Serialize, bytes), at(m.Connection, bytes))
}

// TreeSnapshot : the memtables are flushed, then the new files are uploaded
// (CP-6.1). A full one uploads all.
func (m Model) TreeSnapshot(memtables int64, files []int64) Snapshot {
	return Snapshot{at(m.Flush, memtables), m.Transfer(files)}
}

// CanonicalSnapshot : every value of a tree is read and written as bytes into
// one object (CP-8.1).
func (m Model) CanonicalSnapshot(values, bytes int64) Snapshot {
	return Snapshot{0, max(milliseconds(values*m.TreeAccess), m.stream(bytes))}
}

// HeapRestore reads everything and makes objects of it.
func (m Model) HeapRestore(bytes int64) int64 { return m.stream(bytes) }

// TreeRestore downloads the files and opens the database; with copied bytes
// those that come out of other databases after a change of parallelism
// (CP-6.7, CP-6.8).
func (m Model) TreeRestore(files []int64, copied int64) int64 {
	return m.Transfer(files) + m.OpenTree + at(m.Load, copied)
}

// Compaction is how long a compaction takes that reads so many bytes.
func (m Model) Compaction(read int64) int64 { return at(m.Compact, read) }

// A Meter adds up costs in ns and gives them out in whole ms.
type Meter struct{ ns int64 }

// Heap spends accesses on the heap.
func (t *Meter) Heap(m Model, accesses int64) { t.ns += accesses * m.HeapAccess }

// Tree spends accesses in a tree, of which some had to read blocks.
func (t *Meter) Tree(m Model, accesses, blocks int64) {
	t.ns += accesses*m.TreeAccess + blocks*m.BlockRead
}

// Due takes the whole ms that have come together; the rest stays.
func (t *Meter) Due() int64 {
	ms := t.ns / 1_000_000
	t.ns -= ms * 1_000_000
	return ms
}
