package objectstore_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim/objectstore"
)

// A story makes a store with the arguments of its command; every line of its
// input is one request or one fault, and the output repeats the lines with the
// answers.
func TestStories(t *testing.T) {
	for _, name := range []string{"objects", "directories", "faults", "permissions", "slow", "multipart", "lifecycle", "usage"} {
		t.Run(name, func(t *testing.T) {
			datadriven.RunTest(t, filepath.Join("testdata", name+".txt"), runStory)
		})
	}
}

func runStory(t *testing.T, d *datadriven.TestData) string {
	flavours := map[string]objectstore.Flavour{"object-store": objectstore.ObjectStore, "local": objectstore.LocalDirectory}
	flavour, ok := flavours[d.Cmd]
	if !ok {
		d.Fatalf(t, "unknown flavour %q", d.Cmd)
	}
	now := int64(0)
	s := objectstore.New(flavour, func() int64 { return now }, objectstore.Memory{})
	var told []string
	s.Expires = func(at int64) { told = append(told, fmt.Sprintf("expires at %d", at)) }
	for _, a := range d.CmdArgs {
		n := number(t, d, a.Vals[0])
		switch a.Key {
		case "fixed":
			s.Latency.Fixed = n
		case "bandwidth":
			s.Latency.Bandwidth = n
		case "quota":
			s.Quota = n
		default:
			d.Fatalf(t, "unknown argument %q", a.Key)
		}
	}
	var b strings.Builder
	for line := range strings.Lines(d.Input) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		fmt.Fprintf(&b, "%s: ", line)
		answer := runLine(t, d, s, &now, strings.Fields(line))
		if answer == "" {
			answer = "ok"
		}
		b.WriteString(strings.Join(append([]string{answer}, told...), "; "))
		told = nil
		b.WriteByte('\n')
	}
	return b.String()
}

func number(t *testing.T, d *datadriven.TestData, s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return n
}

func runLine(t *testing.T, d *datadriven.TestData, s *objectstore.Store, now *int64, w []string) string {
	answer := func(text string, took int64, err error) string {
		var e *objectstore.Error
		if errors.As(err, &e) {
			text = e.Exception().Error()
			if e.Unknown() {
				text += " (it may have taken effect)"
			}
		} else if err != nil {
			d.Fatalf(t, "%v", err)
		}
		if took > 0 {
			text = strings.TrimSpace(text + fmt.Sprintf(" after %d ms", took))
		}
		return text
	}
	infos := func(all []objectstore.Info) string {
		var out []string
		for _, o := range all {
			out = append(out, fmt.Sprintf("%s (%d bytes, created %d, %s)", o.Key, o.Size, o.Created, o.Owner))
		}
		if out == nil {
			return "nothing"
		}
		return strings.Join(out, "; ")
	}
	text := func(b objectstore.Body) string {
		if b.Bytes == nil {
			return fmt.Sprintf("%d bytes", b.Size)
		}
		return fmt.Sprintf("%q", b.Bytes)
	}
	body := func(word string) objectstore.Body {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			return objectstore.Sized(n)
		}
		return objectstore.Bytes([]byte(word))
	}
	op, prefix := objectstore.Op(""), ""
	if len(w) > 1 && w[1] != "any" {
		op = objectstore.Op(w[1])
	}
	if len(w) > 2 {
		prefix = w[2]
	}
	switch w[0] {
	case "at":
		*now = number(t, d, w[1])
	case "put":
		took, err := s.Put(w[1], body(w[2]), w[3])
		return answer("", took, err)
	case "get":
		b, took, err := s.Get(w[1])
		return answer(text(b), took, err)
	case "list":
		all, took, err := s.List(strings.Join(w[1:], ""))
		return answer(infos(all), took, err)
	case "delete":
		took, err := s.Delete(w[1])
		return answer("", took, err)
	case "mkdir":
		took, err := s.MakeDirectory(w[1])
		return answer("", took, err)
	case "rmdir":
		took, err := s.RemoveDirectory(w[1], len(w) > 2)
		return answer("", took, err)
	case "dirs":
		return strings.Join(s.Directories(), " ")
	case "start":
		id, took, err := s.StartMultipart(w[1], w[2])
		return answer(id, took, err)
	case "part":
		took, err := s.UploadPart(w[1], int(number(t, d, w[2])), body(w[3]))
		return answer("", took, err)
	case "complete":
		took, err := s.CompleteMultipart(w[1])
		return answer("", took, err)
	case "abort":
		took, err := s.AbortMultipart(w[1])
		return answer("", took, err)
	case "uploads":
		return infos(s.Uploads())
	case "deny":
		s.Faults.Deny(op, prefix)
	case "allow":
		if !s.Faults.Allow(op, prefix) {
			return "was allowed"
		}
	case "throttle-next":
		s.Faults.Throttled = append(s.Faults.Throttled, &objectstore.Throttle{Op: op, Prefix: prefix, Next: int(number(t, d, w[3]))})
	case "throttle-rate":
		s.Faults.Throttled = append(s.Faults.Throttled, &objectstore.Throttle{Op: op, Prefix: prefix, PerSecond: number(t, d, w[3])})
	case "fail", "lose":
		s.Faults.Failing = append(s.Faults.Failing, &objectstore.Failing{
			Op: op, Prefix: prefix, Nth: int(number(t, d, w[3])), Lost: w[0] == "lose"})
	case "permissions":
		var out []string
		for _, p := range s.Faults.Permissions {
			out = append(out, fmt.Sprintf("%s %s %q", map[bool]string{true: "allow", false: "deny"}[p.Allowed], p.Op, p.Prefix))
		}
		return strings.Join(out, "; ")
	case "slow":
		x := objectstore.Slowness{Op: op, Extra: number(t, d, w[2])}
		if len(w) > 3 {
			x.Prefix = w[3]
		}
		if len(w) > 4 {
			x.Bandwidth = number(t, d, w[4])
		}
		s.Faults.SlowDown(x)
	case "lifecycle":
		s.SetLifecycle(objectstore.LifecycleRule{Prefix: w[1], Age: number(t, d, w[2])})
	case "next-expiry":
		at, ok := s.NextExpiry()
		if !ok {
			return "never"
		}
		return fmt.Sprint(at)
	case "apply-lifecycle":
		var gone []objectstore.Info
		for _, o := range s.ApplyLifecycle() {
			gone = append(gone, o.Info)
		}
		return infos(gone)
	case "used":
		return fmt.Sprintf("%d bytes", s.Used())
	case "usage":
		u := s.UsageOf(op, prefix)
		return fmt.Sprintf("%d requests, %d failed, %d bytes", u.Requests, u.Failed, u.Bytes)
	case "usage-table":
		var out strings.Builder
		for _, r := range s.UsageTable() {
			fmt.Fprintf(&out, "\n  %s in %q: %d requests, %d failed, %d bytes", r.Op, r.Directory, r.Usage.Requests, r.Usage.Failed, r.Usage.Bytes)
		}
		return out.String()
	default:
		d.Fatalf(t, "unknown line %q", w)
	}
	return ""
}
