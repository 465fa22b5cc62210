package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/eventtime"
)

// startAlignment makes the readers of a source report, and its coordinator
// announce, at every update interval. Within one tick the reports come first:
// in Flink both run on clocks of their own.
func (j *Job) startAlignment(s *SourceSpec) {
	group := j.groups[s.Alignment.Group]
	if group == nil {
		group = &eventtime.AlignmentGroup{}
		j.groups[s.Alignment.Group] = group
	}
	c := eventtime.NewSourceCoordinator(s.Name, s.Alignment.MaxDrift, group)
	var readers []*reader
	for _, r := range j.readers {
		if r.spec == s {
			readers = append(readers, r)
		}
	}
	announced := sim.MaxTime
	j.every(s.Alignment.UpdateInterval, func() {
		for _, r := range readers {
			if r.ended {
				c.HandleReportedWatermark(r.index, sim.MaxTime)
			} else if w, ok := r.aligned.ReportedWatermark(); ok {
				c.HandleReportedWatermark(r.index, w)
			}
		}
		allowed, subtasks := c.AnnounceCombinedWatermark()
		if len(subtasks) == 0 {
			return
		}
		var step *sim.Step
		if allowed != announced {
			announced = allowed
			step = j.kernel.Step("jm", "EV-3.5", sim.AlignmentAnnounced{
				Group: s.Alignment.Group, Source: s.Name, MaxAllowed: allowed,
				Lowest: group.Watermark(), Drift: s.Alignment.MaxDrift,
			}, readers[0].last)
			j.kernel.Put(step, nil)
		}
		for _, r := range readers {
			for _, n := range subtasks {
				if n == r.index && !r.ended {
					r.cause = step
					r.aligned.HandleWatermarkAlignmentEvent(allowed)
				}
			}
		}
	})
}
