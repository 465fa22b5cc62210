package lsm

import "streaminglab/sim/state"

// Backend makes stores on empty trees, for callers that keep snapshots as rows
// (state.Snapshot). Who keeps files opens a DB and uses state.NewStoreOn.
func Backend(o Options) state.Backend {
	name := "rocksdb"
	if o.ForSt != nil {
		name = "forst"
	}
	return state.Backend{Name: name, Open: func(keys *state.Keys) state.Keyed {
		o := o
		o.Keys = keys
		db, err := New(o)
		if err != nil {
			return failed{err}
		}
		return db
	}}
}

// failed is a storage that could not be opened.
type failed struct{ err error }

// Table implements state.Keyed.
func (f failed) Table(string) state.RawTable { return f }

// Timers implements state.Keyed.
func (f failed) Timers(string, func(func(state.Timer))) state.RawTimers { return failedTimers{} }

// Err implements state.Keyed.
func (f failed) Err() error { return f.err }

// Fail implements state.Keyed: the first error stays.
func (failed) Fail(error) {}

// Close implements state.Keyed.
func (f failed) Close() error { return f.err }

// Get implements state.RawTable.
func (failed) Get(*state.Key, state.Namespace) ([]byte, bool) { return nil, false }

// Put implements state.RawTable.
func (failed) Put(*state.Key, state.Namespace, []byte) {}

// Delete implements state.RawTable.
func (failed) Delete(*state.Key, state.Namespace) {}

// Each implements state.RawTable.
func (failed) Each(func(*state.Key, state.Namespace, []byte)) {}

type failedTimers struct{}

// Put implements state.RawTimers.
func (failedTimers) Put(state.Timer) {}

// Delete implements state.RawTimers.
func (failedTimers) Delete(state.Timer) {}

// Each implements state.RawTimers.
func (failedTimers) Each(func(state.Timer)) {}
