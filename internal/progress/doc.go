// Package progress keeps what a learner did: an append-only file of JSON lines
// under the home directory, and the fold of it into a summary.
//
// It must never know a lesson, an item or an experiment beyond its id, a
// score, a screen, or the wall clock: the caller passes the times. It never
// forgets and never rewrites a line; migration, import and reset leave the old
// file beside the new one.
// Its truth is docs of the contract ("Progress"): one write a line, a newline
// first if the last line is torn, so that a kill at any byte, two labs at once
// and a full disk cost at most the line that was being written.
package progress
