// Package ledger lists the rules that steps carry: where each is written down,
// which recordings confirm it, and what was simplified.
//
// It must never know a sentence: statements and simplifications are messages of
// the catalogues (rule.EV-6.3, rule.EV-6.3.simplified). Its truth are the specs,
// the sources of Flink 2.2.1, Kafka 4.1 and flink-connector-kafka 5.0.0-2.2, and
// the recordings under testdata/recordings; a test looks for each of them.
package ledger
