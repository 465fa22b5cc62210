// Package eventtime holds what Flink 2.2.1 does with time: watermark
// generators and idleness, the per-split watermarks of a source, alignment,
// the valve between channels, the combination of inputs, window assigners,
// SQL slices and their time zones.
//
// Each type is the very one that the simulated world embeds and that the
// recordings drive. It is stepped: times come in as arguments, what comes out
// goes to a small interface that the caller gives (the world makes steps of
// it), and an error is a value, as a rule a *sim.Exception with Flink's own
// class and message. Names are Flink's; a comment names the class that a type
// mirrors and the rule (EV-n) that says so.
//
// It must never know a wall clock, a goroutine, the trace, a job, a script, a
// language, or a zone file of the machine; random numbers are passed in; no
// order of a map reaches an output.
//
// Its truth comes from the recordings of the real classes first (package
// conform replays them), then from the rules EV-1 to EV-8, then from the
// sources of Flink 2.2. What the lab simplifies stands at the type.
package eventtime
