// Package kafka is a broker as transactions see it: the logs of partitions with
// what their leader knows of producers, the transaction coordinator, and the
// offsets of groups. It answers requests as a broker of Kafka 4.1 does, with
// transaction.version 1 or 2.
//
// It knows no client, no job and no clock: whoever calls it says what time it
// is, and when its periodic jobs run. It never imports a package of Flink.
//
// Its truth are recordings of a real broker (kinds kafka-proto and kafka-txn of
// sim/conform). K1 to K42 in comments are the rules K-1 to K-42 of docs/rules.md,
// which says of each whether a recording shows it.
package kafka
