package conform

import (
	"encoding/json"
	"maps"
	"slices"
)

// A Replayer is the component of one case.
type Replayer interface {
	// Step gives the component one step and returns what came out of it, as a
	// value that marshals to the form of the recording. An error is a step that
	// is not understood, or a defect of lab; what the simulated system throws
	// is part of the value.
	Step(step json.RawMessage) (any, error)
}

// A Kind makes the replayer of a case from its configuration.
type Kind func(config json.RawMessage) (Replayer, error)

// kinds are the kinds of recordings that can be replayed: one file each.
var kinds = map[string]Kind{
	"alignment":        newAlignment,
	"barrier":          newBarrier,
	"combined":         newCombined,
	"drain":            newDrain,
	"forst":            newForSt,
	"generator":        newGenerator,
	"idleness":         newIdleness,
	"intervaljoin":     newIntervaljoin,
	"job":              newJob,
	"kafka-proto":      newKafkaProto,
	"kafka-sink":       newKafkaSink,
	"kafka-txn":        newKafkaTxn,
	"keygroup":         newKeygroup,
	"mapping":          newMapping,
	"opstate":          newOpstate,
	"registry":         newRegistry,
	"restart":          newRestart,
	"rocksincremental": newRocksincremental,
	"schedule":         newSchedule,
	"schema":           newSchema,
	"session":          newWindow,
	"splits":           newSplits,
	"sqlwatermark":     newSQLWatermark,
	"sqlwindow":        newSQLWindow,
	"timers":           newTimers,
	"valve":            newValve,
	"window":           newWindow,
}

// Complete are the kinds of which every recording must be equal.
var Complete = []string{
	"alignment", "barrier", "combined", "drain", "forst", "generator", "idleness", "intervaljoin", "job", "kafka-proto", "kafka-sink", "kafka-txn", "keygroup", "mapping", "opstate", "registry", "restart", "rocksincremental", "schedule", "schema", "session", "splits", "sqlwatermark", "sqlwindow", "timers", "valve", "window",
}

// Kinds are the kinds that can be replayed, sorted.
func Kinds() []string { return slices.Sorted(maps.Keys(kinds)) }

// configured reads a configuration.
func configured[C any](config json.RawMessage) (C, error) {
	var c C
	err := decode(config, &c)
	return c, err
}
