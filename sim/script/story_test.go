package script_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim/script"
)

// Stories of what the parser says. Directives: parse (a script, whole),
// time (one time a line), duration.
func TestStories(t *testing.T) {
	times := script.Times{Day: 1764374400000} // 2025-11-29
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			switch d.Cmd {
			case "parse":
				lines, err := script.Parse("s", d.Input, times)
				var errs script.Errors
				if errors.As(err, &errs) {
					for _, e := range errs {
						fmt.Fprintln(&out, e)
					}
					return out.String()
				}
				for _, l := range lines {
					fmt.Fprintf(&out, "%d %s: %s\n", l.Number, l.Verb.Class, l.Text)
				}
			case "time", "duration":
				for _, l := range strings.Split(d.Input, "\n") {
					read := times.Time
					if d.Cmd == "duration" {
						read = times.Duration
					}
					v, err := read(l)
					if err != nil {
						fmt.Fprintln(&out, err)
					} else {
						fmt.Fprintln(&out, v)
					}
				}
			}
			return out.String()
		})
	})
}

func FuzzParse(f *testing.F) {
	f.Add("produce clicks/0 1s ana 1 mark event=12:00:00 # why\nexpect count(records, .ts <= 5) == 1")
	f.Add("run until watermark(\"clicks\") > 5\nadvance 4.8s until step 7")
	f.Add("topic t partitions=2\nproducer a new id=A timeout=5s linger\nproducer a send t/1 k=v w until step 9\nproducer a offsets g t/0=3 t/1=4\nproducer a late t/0 1 v")
	f.Add("consumer c new t isolation=read_committed group=g reset=none\nconsumer c seek t/0 5\ntool kafka-transactions abort --topic t --partition 0 --start-offset 2")
	f.Add("tool kafka-features downgrade transaction.version=1\ntool server.properties transaction.max.timeout.ms=1h\nfence A B\nexpire id A\ncut markers")
	f.Add("set a.b {c: d}\n\"unclosed")
	f.Fuzz(func(t *testing.T, text string) {
		lines, err := script.Parse("fuzz", text, script.Times{})
		if err != nil {
			return
		}
		// A printed transcript reads back as itself.
		var again []string
		for _, l := range lines {
			again = append(again, l.Text)
		}
		second, err := script.Parse("fuzz", strings.Join(again, "\n"), script.Times{})
		if err != nil {
			t.Fatalf("%q: %v", again, err)
		}
		for i, l := range second {
			if l.Text != again[i] {
				t.Fatalf("%q became %q", again[i], l.Text)
			}
		}
	})
}
