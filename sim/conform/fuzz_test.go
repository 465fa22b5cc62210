package conform

import (
	"bytes"
	"io"
	"testing"
)

// FuzzRead: no file, however broken, makes the reader or a replayer fail
// otherwise than by a report, and a report can always be written.
func FuzzRead(f *testing.F) {
	for _, s := range []string{good, different, foreign, "{", "\x1f\x8b", good + "\n" + different} {
		f.Add([]byte(s))
	}
	for _, file := range recordings(f) {
		for i, c := range all(f, file) {
			if i == 2 {
				break
			}
			f.Add(line(c))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := Run(Input{Name: "fuzz", Reader: bytes.NewReader(data)})
		if r.Equal > r.Total || len(r.Differences) > r.Total {
			t.Errorf("%+v", r)
		}
		for _, d := range r.Differences {
			if d.Step < -1 {
				t.Errorf("%+v", d)
			}
		}
		for _, verbose := range []bool{false, true} {
			if err := r.WriteText(io.Discard, verbose); err != nil {
				t.Error(err)
			}
		}
		if err := r.WriteJSON(io.Discard); err != nil {
			t.Error(err)
		}
	})
}

// line writes a recording as it was read.
func line(c *Recording) []byte {
	var b bytes.Buffer
	b.WriteString(`{"id":"` + c.ID + `","kind":"` + c.Kind + `","config":`)
	b.Write(c.Config)
	for _, part := range []struct {
		name  string
		steps [][]byte
	}{{"in", raw(c.In)}, {"out", raw(c.Out)}} {
		b.WriteString(`,"` + part.name + `":[`)
		b.Write(bytes.Join(part.steps, []byte(",")))
		b.WriteString("]")
	}
	b.WriteString("}")
	return b.Bytes()
}

func raw[T ~[]byte](in []T) [][]byte {
	out := make([][]byte, len(in))
	for i, x := range in {
		out[i] = x
	}
	return out
}
