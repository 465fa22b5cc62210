package objectstore

import (
	"slices"
	"strings"
)

// Usage counts requests.
type Usage struct {
	// Requests are all that arrived, refused ones too.
	Requests int64
	// Failed are those that the client saw fail.
	Failed int64
	// Bytes went in (put, parts) or out (get).
	Bytes int64
}

func (u *Usage) add(v Usage) {
	u.Requests += v.Requests
	u.Failed += v.Failed
	u.Bytes += v.Bytes
}

type place struct {
	op  Op
	dir string
}

// UsageOf sums the requests of an operation on keys whose directory begins
// with a prefix. An empty operation means all; an empty prefix means all.
func (s *Store) UsageOf(op Op, prefix string) Usage {
	var sum Usage
	for p, u := range s.usage {
		if (op == "" || p.op == op) && strings.HasPrefix(p.dir, prefix) {
			sum.add(*u)
		}
	}
	return sum
}

// A UsageRow is the usage of an operation in a directory.
type UsageRow struct {
	Op        Op
	Directory string
	Usage     Usage
}

// UsageTable returns all counters, by directory, then by operation.
func (s *Store) UsageTable() []UsageRow {
	rows := make([]UsageRow, 0, len(s.usage))
	for p, u := range s.usage {
		rows = append(rows, UsageRow{p.op, p.dir, *u})
	}
	slices.SortFunc(rows, func(a, b UsageRow) int {
		if c := strings.Compare(a.Directory, b.Directory); c != 0 {
			return c
		}
		return slices.Index(Ops, a.Op) - slices.Index(Ops, b.Op)
	})
	return rows
}

func (s *Store) count(op Op, dir string, u Usage) {
	p := place{op, dir}
	if s.usage[p] == nil {
		s.usage[p] = &Usage{}
	}
	s.usage[p].add(u)
}

// request runs one request: what goes wrong before it, the request itself,
// and a lost answer after it. bytes travel with the request; do returns those
// that travel with the answer.
func (s *Store) request(op Op, key string, bytes int64, do func() (int64, error)) (took int64, err error) {
	err = s.Faults.before(s, op, key)
	if err == nil {
		var answered int64
		answered, err = do()
		bytes += answered
		if err == nil {
			err = s.Faults.after(s, op, key)
		}
	}
	u := Usage{Requests: 1, Bytes: bytes}
	if err != nil {
		u.Failed = 1
	}
	s.count(op, parent(key), u)
	return s.Took(op, key, bytes), err
}
