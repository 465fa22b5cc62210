package sim

// Values of the status fields.
const (
	StatusIdle   = "idle"
	StatusActive = "active"
)

// StatusOf returns the word for an idle flag.
func StatusOf(idle bool) string {
	if idle {
		return StatusIdle
	}
	return StatusActive
}

// SplitWatermark : the watermark of a split rose.
type SplitWatermark struct {
	Watermark int64 `json:"watermark" doc:"the watermark of the split, ms"`
	Previous  int64 `json:"previous" doc:"the one before, ms"`
	MaxTS     int64 `json:"max_ts" doc:"largest timestamp that its generator has seen, ms; MIN when it keeps none"`
}

// StepType names the type.
func (SplitWatermark) StepType() string { return "split.watermark" }

// SplitStatus : a split turned idle or active.
type SplitStatus struct {
	Status string `json:"status" doc:"idle or active"`
	Quiet  int64  `json:"quiet" doc:"ms of its clock since the first probe without a record; 0 when not known"`
}

// StepType names the type.
func (SplitStatus) StepType() string { return "split.status" }

// Part is one contributor to a combined watermark.
type Part struct {
	Name      string `json:"name" doc:"the split, input or channel"`
	Watermark int64  `json:"watermark" doc:"its watermark, ms"`
	Status    string `json:"status" doc:"idle or active"`
}

// WatermarkEmitted : a source or a watermark operator sent a watermark.
type WatermarkEmitted struct {
	Watermark int64  `json:"watermark" doc:"the watermark, ms"`
	Previous  int64  `json:"previous" doc:"the one before, ms"`
	Parts     []Part `json:"parts,omitempty" doc:"what it was combined from"`
}

// StepType names the type.
func (WatermarkEmitted) StepType() string { return "watermark.emitted" }

// WatermarkHeld : who keeps the combined watermark from rising changed.
type WatermarkHeld struct {
	Watermark int64    `json:"watermark" doc:"the combined watermark, ms"`
	By        []string `json:"by" doc:"splits or channels that hold it; empty: nobody does"`
	Ahead     int64    `json:"ahead" doc:"the highest watermark of the others, ms"`
}

// StepType names the type.
func (WatermarkHeld) StepType() string { return "watermark.held" }

// WatermarkAdvanced : the watermark of an operator rose.
type WatermarkAdvanced struct {
	Watermark int64 `json:"watermark" doc:"the watermark, ms"`
	Previous  int64 `json:"previous" doc:"the one before, ms"`
}

// StepType names the type.
func (WatermarkAdvanced) StepType() string { return "watermark.advanced" }

// StatusChanged : the output of a source, or the inputs of an operator
// together, turned idle or active.
type StatusChanged struct {
	Status string `json:"status" doc:"idle or active"`
}

// StepType names the type.
func (StatusChanged) StepType() string { return "status.changed" }

// AlignmentAnnounced : the coordinator told the readers of a group how far
// they may go, and the answer is another than before.
type AlignmentAnnounced struct {
	Group      string `json:"group" doc:"the alignment group"`
	Source     string `json:"source" doc:"the source whose readers are told"`
	MaxAllowed int64  `json:"max_allowed" doc:"the highest watermark that a reader may have and go on reading, ms"`
	Lowest     int64  `json:"lowest" doc:"the lowest watermark that was reported in the group, ms"`
	Drift      int64  `json:"drift" doc:"max-drift, ms"`
}

// StepType names the type.
func (AlignmentAnnounced) StepType() string { return "alignment.announced" }

// Reasons of a pause.
const (
	PauseCommand   = "command"
	PauseAlignment = "alignment"
)

// SplitPaused : a split is no longer read.
type SplitPaused struct {
	Reason     string `json:"reason" doc:"command or alignment"`
	Watermark  int64  `json:"watermark" doc:"watermark of the split, ms"`
	MaxAllowed int64  `json:"max_allowed" doc:"the limit of the alignment, ms; MAX when there is none"`
}

// StepType names the type.
func (SplitPaused) StepType() string { return "split.paused" }

// SplitResumed : a split is read again.
type SplitResumed struct {
	Reason string `json:"reason" doc:"command or alignment"`
}

// StepType names the type.
func (SplitResumed) StepType() string { return "split.resumed" }

// WatermarkLost : a watermark met an output that is announced as idle, which
// drops it.
type WatermarkLost struct {
	Watermark int64 `json:"watermark" doc:"the watermark, ms"`
}

// StepType names the type.
func (WatermarkLost) StepType() string { return "watermark.lost" }
