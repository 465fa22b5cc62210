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
	"combined":         newCombined,
	"drain":            newDrain,
	"forst":            newForSt,
	"generator":        newGenerator,
	"idleness":         newIdleness,
	"keygroup":         newKeygroup,
	"intervaljoin":     newIntervaljoin,
	"job":              newJob,
	"rocksincremental": newRocksincremental,
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
	"alignment", "combined", "drain", "forst", "generator", "idleness", "intervaljoin", "keygroup",
	"rocksincremental", "session", "splits", "sqlwatermark", "sqlwindow", "timers", "valve", "window",
}

// alone are kinds whose types no world embeds yet. They are replayed as all
// others are; their row in docs/conform.md comes with the story that reaches
// them.
var alone = []string{"forst", "rocksincremental"}

// Kinds are the kinds whose types a world embeds, sorted.
func Kinds() []string {
	all := slices.Sorted(maps.Keys(kinds))
	return slices.DeleteFunc(all, func(k string) bool { return slices.Contains(alone, k) })
}

// configured reads a configuration.
func configured[C any](config json.RawMessage) (C, error) {
	var c C
	err := decode(config, &c)
	return c, err
}
