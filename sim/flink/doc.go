// Package flink runs a job: a graph of sources, operators and sinks as
// subtasks with channels between them, and a job manager that takes
// checkpoints, restarts and rescales.
//
// A subtask embeds the same component types that recordings are replayed on
// (sim/eventtime); this package only connects them. Elements of a channel stay
// in order; between channels, elements are handled in the order in which they
// were sent, and a source reads its next record when everything before it has
// been handled. Real Flink may interleave channels in any way: the lab picks
// this one and says so (LAB-3).
//
// It must never know a job file, a script, a screen or a language. Its truth
// comes from recordings of whole jobs (kind job), of drains, and from rules
// EV-2, EV-4 and EV-8.
package flink
