package conform

import (
	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// maxParallelism is that of all recordings of keyed operators.
const maxParallelism = 128

// backend is what recordings run on. A test runs them on the others too.
var backend = state.Heap

// tracer watches the operators of recordings; nobody does but in a test.
var tracer operator.Tracer

// A harness runs one keyed operator at a parallelism, as the recording
// program did: each key lives in one subtask, every subtask gets every
// watermark, and the outputs are shown together.
type harness struct {
	open     func() (operator.Operator, error)
	backend  state.Backend
	keys     *state.Keys
	subtasks []*subtask
	now      int64
	saved    []*state.Snapshot

	// What came out since the last take.
	results []operator.Record
	late    bool
	wm      *int64
}

type subtask struct {
	h   *harness
	op  operator.Operator
	ctx *operator.Context
}

func newHarness(keys *state.Keys, open func() (operator.Operator, error)) (*harness, error) {
	h := &harness{open: open, backend: backend, keys: keys}
	return h, h.start(1)
}

// start runs the operator from what was saved, or from nothing.
func (h *harness) start(parallelism int) error {
	if err := index("parallelism", parallelism-1, maxParallelism); err != nil {
		return err
	}
	if err := h.close(); err != nil {
		return err
	}
	for i := range parallelism {
		op, err := h.open()
		if err != nil {
			return err
		}
		t := &subtask{h: h, op: op}
		t.ctx = &operator.Context{
			Name: "operator", Subtask: i, Parallelism: parallelism,
			State: state.NewStore(h.backend, h.keys), Out: t, Clock: t, Trace: tracer,
			Random: sim.NewStream(1, "operator", "stagger"),
		}
		if err := op.Open(t.ctx); err != nil {
			return err
		}
		if err := t.ctx.State.RestoreAll(h.saved, i, parallelism); err != nil {
			return err
		}
		if err := op.Restored(); err != nil {
			return err
		}
		h.subtasks = append(h.subtasks, t)
	}
	return nil
}

// close ends the storage of all subtasks.
func (h *harness) close() error {
	for _, s := range h.subtasks {
		if err := s.ctx.State.Close(); err != nil {
			return err
		}
	}
	h.subtasks = nil
	return nil
}

func (h *harness) record(input int, r *operator.Record) error {
	r.Key = h.keys.Intern(r.Name)
	t := h.subtasks[r.Key.Owner(maxParallelism, len(h.subtasks))]
	if err := t.op.ProcessRecord(input, r); err != nil {
		return err
	}
	return t.ctx.State.Err()
}

func (h *harness) watermark(t int64) error {
	for _, s := range h.subtasks {
		if err := s.op.ProcessWatermark(t); err != nil {
			return err
		}
		if err := s.ctx.State.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (h *harness) checkpoint() error {
	h.saved = nil
	for _, s := range h.subtasks {
		if err := s.op.PrepareBarrier(1); err != nil {
			return err
		}
		if err := s.op.Snapshot(1); err != nil {
			return err
		}
		h.saved = append(h.saved, s.ctx.State.Snapshot())
	}
	return nil
}

// dropped is numLateRecordsDropped of all subtasks.
func (h *harness) dropped() (n int64) {
	for _, s := range h.subtasks {
		n += s.ctx.Metrics.NumLateRecordsDropped
	}
	return n
}

// take returns what came out since the last call.
func (h *harness) take() (results []operator.Record, late bool, wm *int64) {
	results, late, wm = h.results, h.late, h.wm
	h.results, h.late, h.wm = nil, false, nil
	return results, late, wm
}

// Record keeps a result.
func (t *subtask) Record(r *operator.Record) {
	bounded("results", len(t.h.results))
	t.h.results = append(t.h.results, *r)
}

// Watermark keeps a forwarded watermark.
func (t *subtask) Watermark(at int64, _ *sim.Step) { t.h.wm = &at }

// Status is not recorded for keyed operators.
func (t *subtask) Status(bool, *sim.Step) {}

// Side marks that the record of this step went to the late output.
func (t *subtask) Side(string, *operator.Record) { t.h.late = true }

// Now is the processing time of the case.
func (t *subtask) Now() int64 { return t.h.now }

// At is not used by keyed operators.
func (t *subtask) At(int64, bool, func() error) {}
