// Package conform replays recordings of the real engines through the types
// that the simulated world embeds, and says where they differ.
//
// A recording is a line of JSON: a case with its configuration, its steps and
// what came out of each step. A kind of recording is one file of this package:
// it builds the component that the configuration names, gives it the steps and
// puts what comes out into the form of the recording. Comparison is strict: a
// field too many is a difference as much as a field too few or another value,
// and so is a step that a kind does not understand.
//
// It must never know a particular case: there is no list of exceptions, and no
// branch on an id. It knows no file on disk either; the caller opens readers.
// Nothing but cmd/lab imports it.
//
// Its truth is the recordings. Those of the kinds built so far lie, compressed,
// in testdata/recordings at the root of the repository and are run by its
// tests.
package conform
