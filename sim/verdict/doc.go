// Package verdict names what happened to data in a run: records that no state
// holds any more (lost), that a state counts twice (doubled-in-state), results
// that a sink took twice (doubled-in-output), records that were read again
// (replayed), what does not move (stuck), objects that nobody will delete
// (orphaned) and snapshots that cannot be restored (unrestorable). Each verdict
// says how certain it is, and which steps and which rule explain it.
//
// It is a fold over the steps of a trace. It must never know a world, a script
// or a language, and a step that it does not know changes nothing.
// Its truth is the trace; what a snapshot holds of an operator it knows because
// it adds up what the operator did until then.
package verdict
