package eventtime

// An idlenessManager lets the splits of a reader and its main output share one
// gate, which turns idle only when both sides are idle (EV-1.7). Each side
// counts as idle until it first emits something, even MIN, so an unused main
// output with a periodic generator and no timeout keeps the source active. It
// mirrors ProgressiveTimestampsAndWatermarks.IdlenessManager.
type idlenessManager struct {
	gate   *WatermarkGate
	splits idlenessAwareOutput
	main   idlenessAwareOutput
}

func newIdlenessManager(gate *WatermarkGate) *idlenessManager {
	m := &idlenessManager{gate: gate}
	m.splits = idlenessAwareOutput{manager: m, idle: true}
	m.main = idlenessAwareOutput{manager: m, idle: true}
	return m
}

type idlenessAwareOutput struct {
	manager *idlenessManager
	idle    bool
}

func (o *idlenessAwareOutput) EmitWatermark(timestamp int64) {
	o.manager.gate.EmitWatermark(timestamp)
	o.idle = false
}

func (o *idlenessAwareOutput) MarkIdle() {
	o.idle = true
	if o.manager.splits.idle && o.manager.main.idle {
		o.manager.gate.MarkIdle()
	}
}

func (o *idlenessAwareOutput) MarkActive() {
	o.idle = false
	o.manager.gate.MarkActive()
}
