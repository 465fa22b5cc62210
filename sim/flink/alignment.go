package flink

import (
	"streaminglab/sim"
	"streaminglab/sim/eventtime"
)

// startAlignment makes the readers of all sources report, and their
// coordinators announce, at every update interval. Where both are due, all
// reports come first: in Flink both run on clocks of their own.
func (j *Job) startAlignment() {
	var aligned []*SourceSpec
	coordinators := map[*SourceSpec]*eventtime.SourceCoordinator{}
	for _, s := range j.Spec.Sources {
		if s.Alignment == nil {
			continue
		}
		group := j.groups[s.Alignment.Group]
		if group == nil {
			group = &eventtime.AlignmentGroup{}
			j.groups[s.Alignment.Group] = group
		}
		aligned = append(aligned, s)
		coordinators[s] = eventtime.NewSourceCoordinator(s.Name, s.Alignment.MaxDrift, group)
	}
	for _, s := range aligned {
		j.startReports(s, coordinators[s])
	}
	for _, s := range aligned {
		j.startAnnouncements(s, coordinators[s])
	}
}

func (j *Job) readersFor(s *SourceSpec) []*reader {
	var readers []*reader
	for _, r := range j.readers {
		if r.spec == s {
			readers = append(readers, r)
		}
	}
	return readers
}

func (j *Job) startReports(s *SourceSpec, c *eventtime.SourceCoordinator) {
	j.every(nil, s.Alignment.UpdateInterval, func() {
		for _, r := range j.readersFor(s) {
			if r.Dead {
				continue // what it reported last stands
			}
			if r.ended {
				c.HandleReportedWatermark(r.index, sim.MaxTime)
			} else if w, ok := r.aligned.ReportedWatermark(); ok {
				c.HandleReportedWatermark(r.index, w)
			}
		}
	})
}

func (j *Job) startAnnouncements(s *SourceSpec, c *eventtime.SourceCoordinator) {
	group := j.groups[s.Alignment.Group]
	announced := sim.MaxTime
	j.every(nil, s.Alignment.UpdateInterval, func() {
		allowed, subtasks := c.AnnounceCombinedWatermark()
		if len(subtasks) == 0 {
			return
		}
		readers := j.readersFor(s)
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
				if n == r.index && !r.ended && !r.Dead {
					r.cause = step
					r.aligned.HandleWatermarkAlignmentEvent(allowed)
				}
			}
		}
	})
}
