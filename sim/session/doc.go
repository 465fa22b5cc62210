// Package session holds experiments and what a learner does in them: a list of
// commands, a cursor, forks, comparison and tokens. A session is its list:
// everything else is a fold over the trace that the list makes.
//
// It must never know a screen, a file on disk or a language: the texts of an
// experiment are opaque bytes by language here. Its truth is the world that
// it drives.
package session
