package conform

import (
	"encoding/json"
	"fmt"
	"sort"

	"streaminglab/sim/eventtime"
)

// alignmentReplayer drives the coordinators of the sources of one job.
type alignmentReplayer struct {
	names   []string
	sources map[string]*eventtime.SourceCoordinator
}

func newAlignment(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Sources []struct {
			Source string `json:"source"`
			Group  string `json:"group"`
			Drift  int64  `json:"drift"`
		} `json:"sources"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &alignmentReplayer{sources: map[string]*eventtime.SourceCoordinator{}}
	groups := map[string]*eventtime.AlignmentGroup{}
	for _, s := range c.Sources {
		if groups[s.Group] == nil {
			groups[s.Group] = &eventtime.AlignmentGroup{}
		}
		r.names = append(r.names, s.Source)
		r.sources[s.Source] = eventtime.NewSourceCoordinator(s.Source, s.Drift, groups[s.Group])
	}
	return r, nil
}

type allowance struct {
	Subtask    int  `json:"subtask"`
	MaxAllowed Time `json:"maxallowed"`
}

// Step implements Replayer.
func (r *alignmentReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		Source  string `json:"source"`
		Subtask int    `json:"subtask"`
		WM      *Time  `json:"wm"`
		Tick    bool   `json:"tick"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	told := []allowance{}
	switch {
	case s.Tick:
		for _, name := range r.names {
			maxAllowed, subtasks := r.sources[name].AnnounceCombinedWatermark()
			for _, subtask := range subtasks {
				told = append(told, allowance{subtask, Time(maxAllowed)})
			}
		}
		sort.SliceStable(told, func(i, j int) bool { return told[i].Subtask < told[j].Subtask })
	case s.WM != nil:
		source := r.sources[s.Source]
		if source == nil {
			return nil, fmt.Errorf("unknown source %q", s.Source)
		}
		source.HandleReportedWatermark(s.Subtask, int64(*s.WM))
	default:
		return nil, errStep
	}
	return told, nil
}
