package conform

import (
	"encoding/json"

	"streaminglab/sim/flink"
)

// restartReplayer tells a restart strategy of failures.
type restartReplayer struct{ backoff *flink.RestartBackoff }

func newRestart(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Strategy    string `json:"strategy"`
		Attempts    *int   `json:"attempts"`
		Delay       int64  `json:"delay"`
		MaxFailures int    `json:"max_failures"`
		Interval    int64  `json:"interval"`
		Initial     int64  `json:"initial"`
		Max         int64  `json:"max"`
		Multiplier  string `json:"multiplier"`
		Reset       int64  `json:"reset"`
	}](config)
	if err != nil {
		return nil, err
	}
	s := flink.RestartStrategy{
		Type: c.Strategy, Delay: c.Delay, MaxFailures: c.MaxFailures, Interval: c.Interval,
		// The recordings are without jitter.
		Exponential: flink.ExponentialDelay{Initial: c.Initial, Max: c.Max, Multiplier: c.Multiplier, Reset: c.Reset},
	}
	if c.Attempts != nil {
		s.Attempts, s.Exponential.Attempts = *c.Attempts, *c.Attempts
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	return &restartReplayer{flink.NewRestartBackoff(s, nil)}, nil
}

// Step implements Replayer.
func (r *restartReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		FailAt *int64 `json:"fail_at"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if s.FailAt == nil {
		return nil, errStep
	}
	out := map[string]any{"new_attempt": r.backoff.NotifyFailure(*s.FailAt), "can_restart": r.backoff.CanRestart(), "backoff": nil}
	if r.backoff.CanRestart() {
		out["backoff"] = r.backoff.BackoffTime(*s.FailAt)
	}
	return out, nil
}
