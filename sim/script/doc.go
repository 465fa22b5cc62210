// Package script is the command language: its grammar as one registry of
// verbs, its parser, and what each world verb does. The learner and the tests
// type the same. One file a verb.
//
// It must never know a screen, a session or a language: errors are values
// with a place (Error), questions and session verbs are parsed here and
// carried out elsewhere. Its truth is the contract of the command language.
package script
