// Package cost is the model of how long things take in virtual time: accesses
// to state, flushes, serialization, transfers, the two halves of a snapshot and
// a restore. Learners compare state backends by it.
//
// It is a model and is shown as one: a handful of integers, the same on every
// machine, chosen so that what is slower by an order of magnitude in reality is
// so here. What bytes and files there are comes from the engine, never from
// here; only what they cost in time does.
//
// Its truth: a value that somebody has published names the source; all others
// are judgement and say so (Table). No garbage collection, no compression, no
// contention between tasks, no warm-up.
//
// It must never know an engine, a file, a clock or the kernel: numbers in,
// numbers out, rounded up to whole ms. Costs below a ms are kept in ns by a
// Meter, so that a thousand cheap accesses are not free.
package cost
