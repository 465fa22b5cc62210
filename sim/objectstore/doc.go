// Package objectstore is a place for files in virtual time: an object store,
// or a local directory. Objects are put, read, listed by prefix, deleted and
// uploaded in parts; every request and byte is counted by operation and
// directory.
//
// What can go wrong stands above the objects as data: permissions, throttling,
// latency, lost answers, requests that fail, a full disk, and lifecycle rules
// that delete by age. The code that runs is the same with and without them.
//
// It must never know a checkpoint, a table, the kernel, a goroutine or a wall
// clock: the caller gives the time, and a latency is a number of ms that comes
// back with the answer, never a wait. It knows no file on disk either: content
// goes through Content, which keeps it in memory or wherever the caller wants.
//
// Its truth is the behaviour of S3 as far as Flink's file systems show it
// (delete of a missing key succeeds, a list is consistent and sorted, there are
// no directories) and of java.io.File under Flink's LocalFileSystem (a
// directory that is not empty is not removed unless recursively). Latencies
// are a model: fixed + bytes / bandwidth.
package objectstore
