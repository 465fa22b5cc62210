package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"streaminglab/sim/checkpoint"
	"streaminglab/sim/state"
)

// mappingReplayer maps one snapshot to program after program.
type mappingReplayer struct{ snapshot checkpoint.Metadata }

const (
	// mappingID is the id of the recorded savepoint.
	mappingID = 5
	// maxMapped bounds the subtasks of a vertex.
	maxMapped = 1024
)

func newMapping(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Snapshot []struct {
			UID   string `json:"uid"`
			P     int    `json:"p"`
			MaxP  int    `json:"maxp"`
			State string `json:"state"`
		} `json:"snapshot"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &mappingReplayer{checkpoint.Metadata{ID: mappingID, Type: checkpoint.TypeSavepoint}}
	for _, s := range c.Snapshot {
		if err := errors.Join(index("parallelism", s.P-1, maxMapped), index("max parallelism", s.MaxP-1, state.MaxMaxParallelism)); err != nil {
			return nil, err
		}
		o := checkpoint.OperatorState{UID: s.UID, Parallelism: s.P, MaxParallelism: s.MaxP}
		for i := range s.P {
			sub := &checkpoint.SubtaskState{}
			switch s.State {
			case "keyed":
				groups, err := state.KeyGroupRangeOf(i, s.MaxP, s.P)
				if err != nil {
					return nil, err
				}
				sub.Keyed = []checkpoint.KeyedState{{First: groups.First, Last: groups.Last}}
			case "list":
				sub.Operator = []checkpoint.NamedHandle{{Name: "list"}}
			case "none", "coordinator":
			default:
				return nil, fmt.Errorf("unknown state %q", s.State)
			}
			o.Subtasks = append(o.Subtasks, sub)
		}
		if s.State == "coordinator" {
			o.Coordinator = []byte{1}
		}
		r.snapshot.Operators = append(r.snapshot.Operators, o)
	}
	return r, nil
}

type mappedVertex struct {
	MaxP int `json:"maxp"`
	// State is nil where nothing was assigned.
	State map[string][][]string `json:"state"`
}

// Step implements Replayer.
func (r *mappingReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		Op      string `json:"op"`
		Allow   bool   `json:"allow_non_restored"`
		Program []struct {
			UIDs []string `json:"uids"`
			P    int      `json:"p"`
			MaxP *int     `json:"maxp"`
		} `json:"program"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if s.Op != "restore" {
		return nil, errStep
	}
	program := checkpoint.Program{AllowNonRestoredState: s.Allow}
	for i, v := range s.Program {
		if err := index("parallelism", v.P-1, maxMapped); err != nil {
			return nil, err
		}
		x := checkpoint.Vertex{Name: fmt.Sprint(i), Parallelism: v.P, Operators: v.UIDs}
		if v.MaxP != nil {
			if err := index("max parallelism", *v.MaxP-1, state.MaxMaxParallelism); err != nil {
				return nil, err
			}
			x.MaxParallelism, x.MaxParallelismSet = *v.MaxP, true
		}
		program.Vertices = append(program.Vertices, x)
	}
	a, err := r.snapshot.Assign("savepoint", program)
	var refused *checkpoint.MappingError
	if errors.As(err, &refused) {
		return map[string]any{"ok": false, "error": refused.Class[strings.LastIndexByte(refused.Class, '.')+1:], "gist": refused.Cause}, nil
	}
	if err != nil {
		return nil, err
	}
	vertices := []mappedVertex{}
	for _, v := range a.Vertices {
		x := mappedVertex{v.MaxParallelism, map[string][][]string{}}
		for _, o := range v.Operators {
			x.State[o.UID] = nil
			if !o.HasState() {
				continue
			}
			for _, sub := range o.Subtasks {
				texts := []string{}
				for _, k := range sub.Keyed {
					texts = append(texts, fmt.Sprintf("kg %d-%d", k.Groups.First, k.Groups.Last))
				}
				for _, l := range sub.Lists {
					texts = append(texts, fmt.Sprintf("list %s%d", o.UID, l.From))
				}
				// The recording lists them in the order of the text.
				slices.Sort(texts)
				x.State[o.UID] = append(x.State[o.UID], texts)
			}
		}
		vertices = append(vertices, x)
	}
	return map[string]any{"ok": true, "next_id": r.snapshot.ID + 1, "vertices": vertices}, nil
}
