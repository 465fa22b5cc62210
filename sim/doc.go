// Package sim is the kernel of the simulator: virtual time, the event queue,
// derived random streams, fault points, bounds, the trace and the ledger of
// rules. Everything else under sim is a state machine that is stepped by it.
//
// It must never know a screen, a language, a file on disk, a wall clock or a
// goroutine: the same commands and seed give the same trace, byte for byte.
// Its truth comes from recordings of the real engines first, then from the
// written rules with their sources, then from judgement that the ledger names.
package sim
