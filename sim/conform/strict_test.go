package conform

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Whatever is changed in what is recorded must be seen as a difference: a
// number, a field more, a field less, an entry more or less. Else a defect
// could hide behind a comparison that looks away.
func TestComparisonIsStrict(t *testing.T) {
	for _, file := range recordings(t) {
		n := 0
		for _, c := range all(t, file) {
			if !slices.Contains(Complete, c.Kind) || n >= 3 {
				continue
			}
			for i, out := range c.Out {
				for _, changed := range mutations(t, out) {
					d := *c
					d.Out = slices.Clone(c.Out)
					d.Out[i] = changed
					if diff := Replay(&d); diff == nil || diff.Step != i {
						t.Errorf("%s %s step %d: %s in place of %s is not seen", c.Kind, c.ID, i, changed, out)
					}
				}
			}
			if len(c.Out) == 0 {
				continue
			}
			n++
			longer, shorter := *c, *c
			longer.Out = append(slices.Clone(c.Out), json.RawMessage(`[]`))
			shorter.Out = c.Out[:len(c.Out)-1]
			if Replay(&longer) == nil || Replay(&shorter) == nil {
				t.Errorf("%s %s: a step more or less is not seen", c.Kind, c.ID)
			}
		}
	}
}

func all(t testing.TB, file string) (cases []*Recording) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	Read(filepath.Base(file), f, func(_ int, c *Recording) { cases = append(cases, c) }, func(e *LineError) { t.Error(e) })
	return cases
}

// mutations are texts that differ from a JSON text in one place.
func mutations(t *testing.T, text []byte) (out []json.RawMessage) {
	v, err := generic(text)
	if err != nil {
		t.Fatal(err)
	}
	each(v, func(changed any) {
		b, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b, text) {
			out = append(out, b)
		}
	})
	return out
}

// each calls f with every value that differs from v in one place.
func each(v any, f func(any)) {
	switch v := v.(type) {
	case []any:
		f(append(slices.Clone(v), map[string]any{}))
		for i := range v {
			f(append(slices.Clone(v[:i]), v[i+1:]...))
			each(v[i], func(x any) {
				w := slices.Clone(v)
				w[i] = x
				f(w)
			})
		}
	case map[string]any:
		with := func(key string, x any, set bool) {
			w := map[string]any{}
			for k, y := range v {
				w[k] = y
			}
			delete(w, key)
			if set {
				w[key] = x
			}
			f(w)
		}
		with("surplus", nil, true)
		for k := range v {
			with(k, nil, false)
			each(v[k], func(x any) { with(k, x, true) })
		}
	case json.Number:
		if v == "0" {
			f(json.Number("7"))
		} else {
			f(json.Number(v.String() + "1"))
		}
		f(v.String())
	case string:
		f(v + "x")
	case bool:
		f(!v)
	case nil:
		f(0)
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":2}`, ` { "b" : 2, "a" : 1 } `, true},
		{`[1,2]`, `[2,1]`, false},
		{`1`, `1.0`, false},
		{`{"a":null}`, `{}`, false},
		{`[]`, `null`, false},
		{`9223372036854775807`, `9223372036854775808`, false},
		{`"a"`, `"\u0061"`, true},
		{`{`, `[`, false},
	} {
		if got := equal([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
	}
}
