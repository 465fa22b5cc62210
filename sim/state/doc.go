// Package state is what a job remembers: keyed tables, timers and operator
// state, addressed by key group as Flink addresses them.
//
// The seam. A table is one Go type over two kinds of storage. The heap backend
// keeps values as Go objects and hands the operator a pointer to change in
// place: one call, no allocation. Every other backend stores bytes and
// implements Keyed: read, decode, change, encode, write, as Flink's
// serializing backends do; timers are written through. Such a storage may take
// snapshots in files of its own (sim/state/lsm); rows, and the canonical form
// of them, are what every backend can take. Which of the two an operator runs
// on is invisible to it, but for what it costs. BenchmarkSeam holds the choice
// against the alternatives: the same behind an interface costs no more where
// the compiler sees through it and an allocation for each closure where it
// does not; boxed values cost twice as much and allocate; bytes are what a
// backend that serializes pays in any case (docs/measures.md).
//
// It must never know operators, watermarks, graphs or files. Its truth comes
// from recordings of key groups and of whole operators (state counts after
// each step), and from the rules CP-9 and EV-8.
package state
