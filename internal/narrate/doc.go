// Package narrate turns what the simulator says in values into text: a step
// into a sentence, a chain of causes into an explanation, an error of the user
// into words that say what to do, a run into tables of facts and into the text
// twin of the bench.
//
// It must never know a screen, a session or a file: it returns strings and
// tables, and callers lay them out. It invents nothing: every figure comes from
// the trace, or from the world that made it, every sentence from the catalogues
// (areas narrate, problem, view, help, rules), and it looks at no clock.
// Its truth is the trace for the facts and the ledger of rules for the reasons.
package narrate
