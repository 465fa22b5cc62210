package eventtime

import (
	"slices"

	"streaminglab/sim/operator"
	"streaminglab/sim/state"
)

// Profile keeps an object for each key in a ValueState whose type the job file
// declares: `visits` counts the records, `last` is the last value, and other
// fields keep their default. It is there to be given another type (CP-9.6).
type Profile struct {
	Type  state.TypeInfo
	state *state.Table[state.POJO]
	codec state.POJOCodec
}

// Open declares the state.
func (f *Profile) Open(o *KeyedProcessOperator) {
	f.codec = state.POJOCodec{Type: f.Type, Backend: o.State.Backend().Name}
	f.state = state.Open(o.State, "profile", f.codec)
}

// OnRecord counts.
func (f *Profile) OnRecord(o *KeyedProcessOperator, r *operator.Record) {
	var now state.POJO
	f.state.Update(r.Key, state.Void, func(p *state.POJO) {
		v := state.POJO{Values: slices.Clone(p.Values)}
		if len(v.Values) == 0 {
			v = f.Type.New()
		}
		for i, field := range f.Type.Fields {
			switch field.Name {
			case "visits":
				n, _ := v.Values[i].(int64)
				v.Values[i] = n + 1
			case "last":
				v.Values[i] = r.Value
			}
		}
		*p = v
		now = v
	})
	visits := int64(0)
	for i, field := range f.Type.Fields {
		if field.Name == "visits" {
			visits, _ = now.Values[i].(int64)
		}
	}
	o.holds(r, visits, func() string { return f.codec.Format(now) })
}

// OnTimer is never called.
func (*Profile) OnTimer(*KeyedProcessOperator, *state.Key, int64) {}
