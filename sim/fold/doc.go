// Package fold reads a trace and answers questions about it: which records
// went where, what fired, how far time has come. One expression language over
// these folds serves expect, predict, goals, conditions and the keys of quiz
// items (github.com/expr-lang/expr).
//
// It must never know a world, a script or a language, and never look at
// anything but the steps of a trace. Its truth is the trace.
package fold
