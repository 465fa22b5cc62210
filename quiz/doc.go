// Package quiz holds questions and what becomes of the answers: items and
// quizzes read from TOML, answers read from answer files, scores, grading of
// whole directories, and the checks that authors run before a learner sees an
// item. docs/items.md is the guide for authors; testdata/bank has one example
// of each kind.
//
// One idea: a key is computed, not typed. An item names an experiment and an
// expression over its trace; the [Engine] that the caller passes runs it. So a
// wrong belief can be computed too, and an item on which a wrong belief gives
// the right answer is refused.
//
// Scores are never stored. An answer file keeps what was typed, the seed and
// hashes of the questions; grading computes the rest again, every time.
//
// What it must never know: a screen, a wall clock (times are passed in), a
// sentence that a learner reads. Errors are [Problem] values: a message id,
// a position and arguments; the sentences are in assets/locales. It writes
// only to an io.Writer that it is given and never runs what a learner wrote
// other than through the Engine. No map order reaches an output, no floating
// point reaches a score.
//
// Where its truth comes from: the scoring rules are those of PrairieLearn,
// Moodle and R/exams (named at each rule, with golden vectors in the tests);
// the normalisation of typed text and numbers is a table in testdata/typed;
// the glossary decides which words mean the same.
package quiz
