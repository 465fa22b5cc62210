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
	if config.Unaligned {
		return "unaligned checkpoints"
	}
	return ""
}

// Whole jobs agree but for unaligned checkpoints, which are counted.
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
			what = "all others"
		}
		t.Logf("%s: %d of %d equal", what, same[name], total[name])
	}
	if total[""] < 483 {
		t.Errorf("only %d cases are required to agree", total[""])
	}
}
