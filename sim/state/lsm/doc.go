// Package lsm keeps the keyed state of a subtask in a log-structured merge
// tree: Flink's RocksDB backend, and ForSt, which keeps the same files on a
// remote file system. The trees are real: Pebble, one instance for each column
// family, so that files, levels, flushes and compactions are what an engine
// does and not what a model says.
//
// Parts. An Instance is one tree and the only thing that touches Pebble. A DB
// is what a subtask owns: its instances, the files that the last confirmed
// checkpoint holds, and how snapshots are taken and restored; it implements
// state.Keyed. A Snapshot is a value: files that the caller uploads one by one,
// in steps of its own, and then reports as objects of its own naming. A Handle
// is what comes of it, and all that a restore needs. RemoteFS is the file
// system of ForSt.
//
// Determinism. The same calls make the same table files, byte for byte, on
// every machine: memtables are flushed by our own count of bytes, compactions
// run when the caller says so and one at a time, and nothing is compressed.
// Each call returns after its own background work ended. Only Pebble's MANIFEST
// holds a time: its bytes and hashes must never be shown.
//
// Failure. Nothing that a script can do reaches Pebble's fatal paths: room is
// asked for before a flush, and files are looked at before a tree is opened.
// What fails in spite of that (a real disk) makes the instance dead, which is
// an error of every later call, and never ends the process.
//
// It must never know operators, checkpoints that are pending or complete, who
// keeps objects, or when anything happens: it counts bytes, the caller turns
// them into virtual time. Its truth is the recordings rocksincremental and
// forst, the rules CP-5 to CP-9, and what was measured of Pebble itself.
package lsm
