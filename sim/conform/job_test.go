package conform

import (
	"encoding/json"
	"os"
	"sort"
	"testing"
)

// jobClass says what a case needs that the runtime does not have yet; "" when
// it has everything. It looks at the configuration and the steps, never at the
// id or the outcome.
func jobClass(t *testing.T, c *Recording) string {
	var config jobConfig
	if err := decode(c.Config, &config); err != nil {
		t.Fatal(err)
	}
	var native, claim bool
	held := false
	for _, in := range c.In {
		var s jobStep
		if err := decode(in, &s); err != nil {
			t.Fatal(err)
		}
		switch s.Op {
		case "begin", "release", "expire":
			held = true
		}
		native = native || s.Format == "native"
		claim = claim || s.Claim == "claim"
	}
	switch {
	case config.Unaligned:
		return "unaligned checkpoints"
	case held:
		return "a held reader"
	case native && claim && config.Backend == "rocksdb" && config.Inline != nil:
		return "files of RocksDB that a claimed savepoint shares"
	}
	return ""
}

// Whole jobs with aligned checkpoints in which nothing is held, of one or two
// stages, agree; the rest waits for the state chapter and is counted.
func TestJobs(t *testing.T) {
	f, err := os.Open("../../testdata/recordings/job.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	total, same := map[string]int{}, map[string]int{}
	Read("job", f, func(_ int, c *Recording) {
		class := jobClass(t, c)
		total[class]++
		d := Replay(c)
		if d == nil {
			same[class]++
			return
		}
		if class == "" {
			text, _ := json.Marshal(d)
			t.Errorf("%s", text)
		}
	}, func(e *LineError) { t.Error(e) })
	var names []string
	for name := range total {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		what := name
		if what == "" {
			what = "aligned, nothing held"
		}
		t.Logf("%s: %d of %d equal", what, same[name], total[name])
	}
	if total[""] < 266 {
		t.Errorf("only %d cases are required to agree", total[""])
	}
}
