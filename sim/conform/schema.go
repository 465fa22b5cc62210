package conform

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/state"
)

// schemaReplayer asks a new type whether it can go on with an old one.
type schemaReplayer struct {
	old    state.TypeInfo
	record map[string]any
}

func newSchema(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Kind   string                     `json:"kind"`
		From   json.RawMessage            `json:"from"`
		Record map[string]json.RawMessage `json:"record"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &schemaReplayer{}
	if r.old, err = typeInfo(c.Kind, c.From); err != nil || c.Record == nil {
		return r, err
	}
	r.record = map[string]any{}
	for _, f := range r.old.Fields {
		v := any(c.Record[f.Name])
		if f.Type == "nested" && string(c.Record[f.Name]) != "null" {
			v = map[string]any{"z": v}
		}
		r.record[f.Name] = v
	}
	return r, nil
}

// typeInfo reads a definition: names and types of a POJO, constants of an
// enum, else types.
func typeInfo(kind string, text json.RawMessage) (state.TypeInfo, error) {
	t := state.TypeInfo{Kind: kind}
	switch kind {
	case state.KindPOJO:
		var fields [][2]string
		if err := decode(text, &fields); err != nil {
			return t, err
		}
		for _, f := range fields {
			t.Fields = append(t.Fields, state.Field{Name: f[0], Type: f[1]})
		}
	case state.KindEnum:
		return t, decode(text, &t.Constants)
	case state.KindTuple, state.KindRow, state.KindList, state.KindBasic:
		var types []string
		if err := decode(text, &types); err != nil {
			return t, err
		}
		for _, typ := range types {
			t.Fields = append(t.Fields, state.Field{Type: typ})
		}
	default:
		return t, fmt.Errorf("unknown kind of type %q", kind)
	}
	for _, f := range t.Fields {
		if !slices.Contains(state.FieldTypes, f.Type) {
			return t, fmt.Errorf("unknown type %q", f.Type)
		}
	}
	return t, nil
}

// Step implements Replayer.
func (r *schemaReplayer) Step(step json.RawMessage) (any, error) {
	var s struct {
		To json.RawMessage `json:"to"`
	}
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	if s.To == nil {
		return nil, errStep
	}
	t, err := typeInfo(r.old.Kind, s.To)
	if err != nil {
		return nil, err
	}
	compat, err := t.Resolve(r.old)
	var e *sim.Exception
	switch {
	case errors.As(err, &e):
		return map[string]any{"error": e.Class[strings.LastIndexByte(e.Class, '.')+1:]}, nil
	case err != nil:
		return nil, err
	}
	out := map[string]any{"compat": compat}
	if r.record != nil && compat != state.Incompatible {
		out["value"] = t.Migrate(r.old, r.record)
	}
	return out, nil
}
