package conform

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
)

const (
	good      = `{"id":"good","engine":"x","kind":"valve","config":{"channels":1},"in":[{"c":0,"wm":5}],"out":[[{"wm":5}]]}`
	different = `{"id":"different","engine":"x","kind":"valve","config":{"channels":1},"in":[{"c":0,"wm":5}],"out":[[{"wm":6}]]}`
	foreign   = `{"id":"foreign","engine":"x","kind":"astrology","config":{},"in":[],"out":[]}`
)

func text(t *testing.T, verbose bool, inputs ...Input) (*Report, string) {
	r := Run(inputs...)
	var b bytes.Buffer
	if err := r.WriteText(&b, verbose); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

func from(s string) Input { return Input{Name: "f", Reader: strings.NewReader(s)} }

func TestReport(t *testing.T) {
	r, got := text(t, false, from(good+"\n\n"+different+"\r\n"+foreign+"\n"+good))
	want := `valve 2/3
astrology 0/1 (unknown kind)

valve different step 0
  in       {"c":0,"wm":5}
  expected [{"wm":6}]
  got      [{"wm":5}]
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if r.OK() || r.Equal != 2 || r.Total != 4 {
		t.Errorf("%+v", r)
	}
	var b bytes.Buffer
	if err := r.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	wantJSON := `{"kinds":[{"kind":"valve","equal":2,"total":3,"known":true},{"kind":"astrology","equal":0,"total":1,"known":false}],` +
		`"equal":2,"total":4,"differences":[{"id":"different","kind":"valve","file":"f","line":3,"step":0,` +
		`"in":{"c":0,"wm":5},"expected":[{"wm":6}],"got":[{"wm":5}]}],"unreadable":[]}` + "\n"
	if b.String() != wantJSON {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), wantJSON)
	}
	if r, _ := text(t, false, from(good)); !r.OK() {
		t.Error("equal is not OK")
	}
	if r, _ := text(t, false, from("")); r.OK() {
		t.Error("nothing is OK")
	}
}

// What is not understood is a difference or an unreadable line, with a reason.
func TestReasons(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{`, "unexpected EOF"},
		{`[]`, "cannot unmarshal array"},
		{`{} {}`, "more than one JSON value"},
		{`{"kind":"valve"}`, "no id"},
		{`{"id":"a"}`, "no kind"},
		{`{"id":"a","kind":"valve","in":5}`, "field in:"},
		{`{"id":"a","kind":"valve","config":{"channels":1},"in":[],"out":[],"final":1}`, `nobody looks at field "final"`},
		{`{"id":"a","kind":"valve","in":[],"out":[]}`, "config:"},
		{`{"id":"a","kind":"valve","config":{"channels":-1},"in":[],"out":[]}`, "channels -1"},
		{`{"id":"a","kind":"valve","config":{"channels":1,"more":1},"in":[],"out":[]}`, `unknown field "more"`},
		{`{"id":"a","kind":"valve","config":{"channels":1},"in":[{"c":1,"wm":5}],"out":[[]]}`, "channel 1 of 1"},
		{`{"id":"a","kind":"valve","config":{"channels":1},"in":[{"c":0,"wm":5,"x":1}],"out":[[]]}`, `unknown field "x"`},
		{`{"id":"a","kind":"valve","config":{"channels":1},"in":[{"c":0,"wm":"NOW"}],"out":[[]]}`, "NOW"},
		{`{"id":"a","kind":"valve","config":{"channels":1},"in":[{"c":0}],"out":[[]]}`, "unknown step"},
		{`{"id":"a","kind":"valve","config":{"channels":1},"in":[{"c":0,"status":"dozing"}],"out":[[]]}`, `unknown status "dozing"`},
		{`{"id":"a","kind":"splits","config":{"generator":"bounded","interval":1},"in":[{"time":9000000000000000000}],"out":[[]]}`, "probes in one step"},
		{`{"id":"a","kind":"splits","config":{"generator":"bounded","interval":1},"in":[{"time":-1}],"out":[[]]}`, "time goes back"},
	} {
		if _, got := text(t, false, from(c.line)); !strings.Contains(got, c.want) {
			t.Errorf("%s\ngot: %swant: %s", c.line, got, c.want)
		}
	}
}

// A panic of a component is the difference of its case and of no other.
func TestPanic(t *testing.T) {
	kinds["panics"] = func(json.RawMessage) (Replayer, error) { return panicking{}, nil }
	defer delete(kinds, "panics")
	r, got := text(t, false, from(`{"id":"a","kind":"panics","config":{},"in":[{}],"out":[[]]}`+"\n"+good))
	if !strings.Contains(got, "panic: at the disco") || r.Equal != 1 {
		t.Error(got)
	}
}

type panicking struct{}

func (panicking) Step(json.RawMessage) (any, error) { panic("at the disco") }

// A report that is not verbose stays short, and what somebody else wrote into
// a file cannot act on the terminal.
func TestReportIsShort(t *testing.T) {
	many := strings.Repeat(strings.Replace(different, `"id":"different"`, `"id":"d\u001b[2J\u009b"`, 1)+"\n{\n", 50)
	_, short := text(t, false, from(many))
	if n := strings.Count(short, "\nvalve d"); n != firstDifferences {
		t.Errorf("%d differences", n)
	}
	if !strings.Contains(short, "40 more cases differ") || !strings.Contains(short, "40 more lines") {
		t.Error(short)
	}
	if strings.ContainsAny(short, "\x1b\u009b") {
		t.Error("control characters")
	}
	_, long := text(t, true, from(many))
	if n := strings.Count(long, "\nvalve d"); n != 50 {
		t.Errorf("verbose: %d differences", n)
	}
	wide := strings.Replace(different, `"wm":6`, `"wm":6,"x":"`+strings.Repeat("가", 1000)+`"`, 1)
	if _, got := text(t, false, from(wide)); len(got) > 3*longestValue {
		t.Errorf("%d bytes", len(got))
	}
}

// failing gives some bytes and then an error.
type failing struct{ r io.Reader }

func (f failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if errors.Is(err, io.EOF) {
		err = errors.New("the disk is gone")
	}
	return n, err
}

func TestInputsThatBreak(t *testing.T) {
	r, got := text(t, false, Input{"f", failing{strings.NewReader(good + "\n")}})
	if r.Equal != 1 || r.OK() || !strings.Contains(got, "unreadable f:2: the disk is gone") {
		t.Error(got)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := io.WriteString(w, good+"\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if r, got := text(t, false, Input{"f", bytes.NewReader(z.Bytes())}); !r.OK() {
		t.Error(got)
	}
	if _, got := text(t, false, Input{"f", bytes.NewReader(z.Bytes()[:z.Len()-5])}); !strings.Contains(got, "unexpected EOF") {
		t.Error(got)
	}
	if _, got := text(t, false, from("\x1f\x8b")); !strings.Contains(got, "unreadable f:1:") {
		t.Error(got)
	}
	r, got = text(t, false, from(strings.Repeat(" ", MaxLine+1)+"\n"+good))
	if r.Equal != 1 || !strings.Contains(got, "unreadable f:1: the line is longer") {
		t.Error(got)
	}
}
