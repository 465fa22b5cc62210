// Package engine lets a quiz ask the simulator: it implements quiz.Engine over
// package session.
//
// It must never know a screen or a language. Its truth is the trace of the
// experiment that an item names.
package engine
