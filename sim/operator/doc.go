// Package operator is the seam between a subtask and what it runs: the
// interface that every operator implements and the context that it is given.
// The same operator types run inside a simulated job and under recordings of
// the real engine; the second is how the first is known to be right.
//
// It must never know graphs, channels, sources or other operators. Its truth
// comes from the life cycle of Flink's StreamOperator
// (streaming/api/operators/StreamOperator, AbstractStreamOperator,
// InternalTimerServiceImpl) and from rules EV-2.2, EV-4.1 and EV-8.1.
package operator
