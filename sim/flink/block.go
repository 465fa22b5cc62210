package flink

import (
	"cmp"
	"slices"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/operator"
)

// block lets the thread of the task wait, and makes a call again when it may go
// on. Nothing is taken meanwhile.
func (t *task) block(b *operator.Blocked, again func()) {
	c, head := t.chain, t.chain.head()
	c.stand(+1)
	c.working++
	c.blocked++
	done := false
	var wake func()
	wake = func() {
		if done || head.Dead || head.isFrozen(wake) {
			return
		}
		done = true
		c.working--
		c.blocked--
		again()
		if head.Dead {
			return
		}
		c.stand(-1)
		c.readMails()
	}
	head.due(b.Again, false, wake)
	if b.Await != nil {
		b.Await(func() { head.put(nil, wake) })
	}
}

// stand lets the head of the task take nothing, or go on.
func (c *chain) stand(n int) {
	switch {
	case c.reader != nil:
		c.reader.standing += n
	case n > 0:
		c.tasks[0].standing += n
	default:
		c.tasks[0].rise()
	}
}

// because says what the operators of the task act upon.
func (c *chain) because(s *sim.Step) {
	for _, t := range c.tasks {
		t.ctx.Cause = s
	}
}

// readMails does what the task was told of while its thread was busy.
func (c *chain) readMails() {
	for c.working == 0 && len(c.mails) > 0 {
		next := c.mails[0]
		c.mails = c.mails[1:]
		next()
	}
}

// startOperators lets operators do what they have to before their first element:
// those of a task from the last one on.
func (j *Job) startOperators(tasks []*task, from *Restored) error {
	restored := int64(0)
	if from != nil {
		restored = from.ID
	}
	starters := map[*chain][]*task{}
	var chains []*chain
	ordered := slices.Clone(tasks)
	slices.Reverse(ordered)
	slices.SortStableFunc(ordered, func(a, b *task) int { return cmp.Compare(a.index, b.index) })
	for _, t := range ordered {
		if _, ok := t.op.(operator.Starter); !ok || t.Dead {
			continue
		}
		if starters[t.chain] == nil {
			chains = append(chains, t.chain)
		}
		starters[t.chain] = append(starters[t.chain], t)
	}
	for _, c := range chains {
		if err := j.startChain(starters[c], restored); err != nil {
			return err
		}
	}
	return nil
}

// initializes says that a subtask has not all that it needs to take part in
// checkpoints, initialized that it has got something. The JobManager does not hear
// a subtask that it has given up: the number is another one's.
func (t *task) initializes() {
	t.chain.restoring++
	if !t.zombie {
		t.job.coordinator.Graph().Set(t.number, checkpoint.Deploying)
	}
}

func (t *task) initialized() {
	if t.chain.restoring--; t.chain.restoring == 0 && !t.zombie {
		t.job.coordinator.Graph().Set(t.number, checkpoint.Running)
	}
}

func (j *Job) startChain(tasks []*task, restored int64) error {
	for i, t := range tasks {
		if t.Dead {
			return nil
		}
		t.ctx.Cause = t.started
		err := t.op.(operator.Starter).Start(restored)
		if b := operator.AsBlocked(err); b != nil {
			t.initializes()
			t.block(b, func() {
				j.must(j.startChain(tasks[i:], restored))
				if !t.Dead {
					t.initialized()
				}
			})
			return nil
		}
		if err == nil {
			continue
		}
		if e, ok := isException(err); ok {
			j.fail(t.at, e, nil, t.started)
			return nil
		}
		if err == operator.ErrCrashed {
			return nil
		}
		return err
	}
	return nil
}
