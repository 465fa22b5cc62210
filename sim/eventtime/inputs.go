package eventtime

// IndexedCombinedWatermarkStatus combines the watermarks of the inputs of one
// operator (EV-2.4). It mirrors Flink's class of that name.
type IndexedCombinedWatermarkStatus struct {
	status CombinedWatermarkStatus
}

// NewIndexedCombinedWatermarkStatus returns the status for a number of inputs,
// all active at MIN.
func NewIndexedCombinedWatermarkStatus(inputs int) *IndexedCombinedWatermarkStatus {
	c := &IndexedCombinedWatermarkStatus{status: newCombinedWatermarkStatus()}
	for range inputs {
		c.status.add()
	}
	return c
}

// UpdateWatermark says whether the combined watermark rose.
func (c *IndexedCombinedWatermarkStatus) UpdateWatermark(input int, timestamp int64) bool {
	c.status.partials[input].setWatermark(timestamp)
	return c.status.update()
}

// UpdateStatus says whether the combined watermark rose.
func (c *IndexedCombinedWatermarkStatus) UpdateStatus(input int, idle bool) bool {
	c.status.partials[input].idle = idle
	return c.status.update()
}

// CombinedWatermark is the operator's watermark.
func (c *IndexedCombinedWatermarkStatus) CombinedWatermark() int64 { return c.status.combined }

// IsIdle says whether all inputs are idle.
func (c *IndexedCombinedWatermarkStatus) IsIdle() bool { return c.status.idle }

// Input is the state of one input.
func (c *IndexedCombinedWatermarkStatus) Input(input int) *PartialWatermark {
	return c.status.partials[input]
}

// MultipleInputs is what an operator with two or more inputs does about time:
// a valve stands at every input, and the operator combines what comes out of
// them (EV-2.4). It mirrors processWatermark and processWatermarkStatus of
// AbstractStreamOperator (two inputs) and of AbstractStreamOperatorV2 (more),
// which do the same. For its output, a watermark means: the operator's time is
// now this; fire what is due, then forward it.
type MultipleInputs struct {
	valves   []*StatusWatermarkValve
	combined *IndexedCombinedWatermarkStatus
	out      TimeOutput
}

// NewMultipleInputs makes one input for every entry of channels, which is its
// number of channels.
func NewMultipleInputs(channels []int, out TimeOutput) *MultipleInputs {
	m := &MultipleInputs{combined: NewIndexedCombinedWatermarkStatus(len(channels)), out: out}
	for i, n := range channels {
		m.valves = append(m.valves, NewStatusWatermarkValve(n, &operatorInput{inputs: m, input: i}))
	}
	return m
}

// InputWatermark takes a watermark of a channel of an input.
func (m *MultipleInputs) InputWatermark(timestamp int64, input, channel int) {
	m.valves[input].InputWatermark(timestamp, channel)
}

// InputWatermarkStatus takes a status of a channel of an input.
func (m *MultipleInputs) InputWatermarkStatus(status WatermarkStatus, input, channel int) {
	m.valves[input].InputWatermarkStatus(status, channel)
}

// Valve is the valve at an input.
func (m *MultipleInputs) Valve(input int) *StatusWatermarkValve { return m.valves[input] }

// Combined is the combination behind the valves.
func (m *MultipleInputs) Combined() *IndexedCombinedWatermarkStatus { return m.combined }

// An operatorInput is where a valve puts what it lets through.
type operatorInput struct {
	inputs *MultipleInputs
	input  int
}

func (i *operatorInput) EmitWatermark(timestamp int64) {
	if i.inputs.combined.UpdateWatermark(i.input, timestamp) {
		i.inputs.out.EmitWatermark(i.inputs.combined.CombinedWatermark())
	}
}

// EmitWatermarkStatus passes a status on only when the combined idleness
// toggled, after the watermark that the change may have freed.
func (i *operatorInput) EmitWatermarkStatus(status WatermarkStatus) {
	wasIdle := i.inputs.combined.IsIdle()
	if i.inputs.combined.UpdateStatus(i.input, status.IsIdle()) {
		i.inputs.out.EmitWatermark(i.inputs.combined.CombinedWatermark())
	}
	if wasIdle != i.inputs.combined.IsIdle() {
		i.inputs.out.EmitWatermarkStatus(status)
	}
}
