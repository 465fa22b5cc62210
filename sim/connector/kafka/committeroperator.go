package kafka

import (
	"errors"

	"streaminglab/sim"
	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// committerState is the name of the committer's list state.
const committerState = "streaming_committer_raw_states"

// A CommitterOperator is the committer of a KafkaSink in a job
// (CommitterOperator).
type CommitterOperator struct {
	operator.Base
	sink      *Sink
	committer *Committer
	channel   *backchannel
	states    *state.TextList
	restores  bool
	crashed   bool
}

// Open declares the state of the committer.
func (c *CommitterOperator) Open(ctx *operator.Context) error {
	c.Init(ctx, nil, nil)
	c.states = state.OpenTexts(ctx.State, committerState, state.SplitDistribute)
	c.committer = NewCommitter(c.sink.Config.Broker, c.sink.Config.timeout())
	c.committer.Name, c.committer.Waits = subtask(ctx), true
	c.committer.Committing = func(Committable) error {
		if c.Crashes(sim.PointCommit) {
			return operator.ErrCrashed
		}
		return nil
	}
	c.committer.Committed = c.tell
	c.committer.Resumed = func() bool { return c.Happens(sim.PointResumed) }
	c.channel = c.sink.Channels.of(c.sink, ctx)
	c.channel.committer = c.committer
	return nil
}

// Start commits what the snapshot holds (F-15).
func (c *CommitterOperator) Start(int64) error {
	if c.restores {
		return c.outcome(c.committer.Resume())
	}
	c.restores = true
	var restored CommitterState
	for _, text := range c.states.Restored() {
		x, err := ParseCommittable(text)
		if err != nil {
			return err
		}
		restored = append(restored, x)
	}
	return c.outcome(c.committer.Restore(restored))
}

// ProcessRecord takes a committable of the writer.
func (c *CommitterOperator) ProcessRecord(_ int, r *operator.Record) error {
	x, err := ParseCommittable(r.Word)
	if err != nil {
		return err
	}
	if !c.sink.Unchained {
		x.live = c.channel.live[x.ID]
		delete(c.channel.live, x.ID)
	}
	c.committer.Receive([]Committable{x})
	return nil
}

// Snapshot saves what is not committed.
func (c *CommitterOperator) Snapshot(checkpoint int64) error {
	var texts []string
	for _, x := range c.committer.Snapshot(checkpoint) {
		texts = append(texts, x.String())
	}
	c.states.Set(texts...)
	return nil
}

// NotifyComplete commits what belongs to the checkpoint and to those before it
// (F-10).
func (c *CommitterOperator) NotifyComplete(checkpoint int64) error {
	c.committer.Cause = c.Cause
	return c.outcome(c.committer.NotifyComplete(checkpoint))
}

// EndOfInput commits everything when no completion will come.
func (c *CommitterOperator) EndOfInput(int) error {
	if c.sink.Checkpointing {
		return nil
	}
	c.committer.Snapshot(sim.MaxTime)
	return c.outcome(c.committer.NotifyComplete(sim.MaxTime))
}

// tell writes what came of a commit.
func (c *CommitterOperator) tell(done Commit) {
	b := c.sink.Config.Broker
	o := b.Outcome(done.Number)
	body := sim.CommitAttempted{
		ID: done.ID, Transaction: done.Number, Epoch: int64(done.Epoch), Live: done.Live, Result: done.Result,
		Records: o.Records, Again: c.restores && !done.Live,
	}
	if done.Exception != nil {
		body.Exception = done.Exception.Class
	}
	body.Decided = o.Decided
	rule := "F-10"
	switch {
	case done.Result == CommitKnown && o.Decided == sim.ResultCommit:
		rule = "F-16"
	case done.Result == CommitKnown:
		rule = "F-17"
	case done.Result != CommitOK:
		rule = "F-12"
	case !done.Live:
		rule = "F-15"
	}
	var cause *sim.Step
	if t := b.Transaction(done.ID); t != nil && t.Number == done.Number {
		cause = t.Step
	}
	if c.Trace != nil {
		c.Trace.Done(rule, body, c.Cause, cause)
	}
	if done.Result == CommitOK && c.Crashes(sim.PointCommitted) {
		c.crashed = true
	}
}

func (c *CommitterOperator) outcome(err error) error {
	switch {
	case c.crashed, errors.Is(err, operator.ErrCrashed):
		return operator.ErrCrashed
	}
	return outcome(c.sink.Config.Broker, err, "F-12")
}

// Close drops the producers that were rebuilt.
func (c *CommitterOperator) Close() error {
	c.committer.Close()
	return nil
}
