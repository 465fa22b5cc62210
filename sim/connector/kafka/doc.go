// Package kafka is the sink of flink-connector-kafka 5.0.0-2.2: a writer that
// collects the records of a checkpoint in a transaction, and a committer that
// commits it when the checkpoint is complete.
//
// It knows brokers by package sim/kafka, and of a job only what it is called
// with: records, barriers, completions, and what was restored. It must never
// know why it is called.
//
// Its truth are recordings of the real sink on the real operators (kind
// kafka-sink of sim/conform). F1 to F34 in comments are the rules F-1 to F-34 of
// docs/rules.md, like the K of package sim/kafka.
package kafka
