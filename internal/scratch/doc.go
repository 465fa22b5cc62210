// Package scratch is a directory on disk that one run of lab fills: --dir. It
// holds
//
//	lab-scratch  the mark: what this is, in which version, and who has it locked
//	store/       the objects of the simulated store, under their keys
//	work/        directories for whoever needs files while it runs
//
// A scratch belongs to one run: it is locked while the run lasts, wiped when
// the next one begins, and left lying in between, so that a person can look at
// what a job has written. A directory that is not empty and has no mark is
// somebody else's: it is refused, and nothing in it is touched. Beside the mark
// only store/ and work/ are ever wiped.
//
// What Content has written is on disk when Write returns, whole or not at all,
// also when the process is killed or the machine loses power: a file of its own
// is written, synced and renamed, and then its directory is synced. So the
// order of a checkpoint on disk is that of the simulated job, _metadata last.
//
// It must never know what an object is for. Its errors are those of this
// machine, never of the simulated one: *sim.Problem, for the person who chose
// the directory.
package scratch
