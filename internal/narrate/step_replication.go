package narrate

import (
	"strconv"

	"streaminglab/internal/locale"
	"streaminglab/sim"
)

// replication tells the steps of steps_replication.go.
func (w words) replication(s *sim.Step) (string, bool) {
	switch b := s.Body.(type) {
	case sim.MarkerDelayed:
		args := locale.Args{"Partition": b.Partition, "ID": b.TransactionalID, "Until": ""}
		if b.Until >= 0 {
			args["Until"] = w.moment(b.Until)
		}
		return w.text("step.marker.delayed", args), true
	case sim.HighWatermarkAdvanced:
		args := locale.Args{"Partition": b.Partition, "HW": logOffset(b.HW), "LSO": logOffset(b.LSO)}
		if b.LSO == b.Stable {
			return w.text("step.hw.advanced.same", args), true
		}
		return w.text("step.hw.advanced", args), true
	case sim.InSyncChanged:
		args := locale.Args{"Partition": b.Partition, "InSync": w.list(b.InSync), "Short": int64(len(b.InSync)) < b.MinInSync, "Changed": w.list(changed(b))}
		switch b.Why {
		case sim.WhyCaughtUp:
			return w.text("step.isr.changed.caught-up", args), true
		case sim.WhyLag:
			return w.text("step.isr.changed.lag", args), true
		case sim.WhyUnclean:
			return w.text("step.isr.changed.unclean", args), true
		}
		return w.text("step.isr.changed.down", args), true
	case sim.LeaderChanged:
		return w.leader(b), true
	case sim.BrokerChanged:
		args := locale.Args{"Broker": place(s.At), "Slow": b.Slow}
		switch {
		case b.State == sim.BrokerDown:
			return w.text("step.broker.changed.down", args), true
		case b.State == sim.BrokerPaused:
			return w.text("step.broker.changed.paused", args), true
		case b.Slow > 0:
			if b.Slow == sim.MaxTime {
				args["Slow"] = int64(0)
			}
			return w.text("step.broker.changed.slow", args), true
		}
		return w.text("step.broker.changed.runs", args), true
	case sim.OffsetReset:
		args := locale.Args{"Split": place(s.At), "Position": logOffset(b.Position), "To": logOffset(b.To), "Policy": b.Policy, "Lost": ""}
		if len(b.Lost) > 0 {
			args["Lost"] = w.list(b.Lost)
		}
		if b.Policy == "truncated" {
			return w.text("step.position.reset.truncated", args), true
		}
		return w.text("step.position.reset", args), true
	case sim.AccessChanged:
		args := locale.Args{"Who": b.Principal, "Operation": b.Operation, "Name": b.Name, "Resource": b.Resource, "Allowed": b.Allowed, "Still": b.Still}
		return w.text("step.access.changed", args), true
	}
	return "", false
}

func (w words) leader(b sim.LeaderChanged) string {
	args := locale.Args{"Partition": b.Partition, "Leader": b.Leader, "Previous": b.Previous, "Lost": "", "Undecided": "", "End": logOffset(b.End)}
	if b.Leader == "" {
		return w.text("step.leader.changed.none", args)
	}
	if len(b.Lost) > 0 {
		args["Lost"] = w.list(b.Lost)
	}
	if len(b.Undecided) > 0 {
		args["Undecided"] = w.list(b.Undecided)
	}
	if b.Clean {
		return w.text("step.leader.changed", args)
	}
	return w.text("step.leader.changed.unclean", args)
}

// changed are the brokers that came into an ISR, or fell out of it.
func changed(b sim.InSyncChanged) (out []string) {
	in := map[string]int{}
	for _, n := range b.InSync {
		in[n]++
	}
	for _, n := range b.Previous {
		if in[n]--; in[n] < 0 {
			out = append(out, n)
		}
	}
	for _, n := range b.InSync {
		if in[n] > 0 {
			out = append(out, n)
		}
	}
	return out
}

// moment is a virtual time.
func (w words) moment(t int64) string {
	if t == sim.MaxTime {
		return "MAX"
	}
	return locale.Clock(t)
}

// logOffset is an offset of a partition.
func logOffset(n int64) string {
	switch n {
	case sim.MinTime:
		return "MIN"
	case sim.MaxTime:
		return "MAX"
	}
	return strconv.FormatInt(n, 10)
}
