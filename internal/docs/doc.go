// Command docs writes the documents that are generated: docs/rules.md,
// docs/events.md, docs/commands.md and docs/expressions.md. Run it from the
// root of the repository:
//
//	go run ./internal/docs
//
// It must never say anything of its own about a rule, a step, a verb or a fold:
// its truth is the ledger, the tags of the step types and of the folds, the
// registry of verbs and the catalogues. A test fails when a document is stale.
package main
