package script_test

import (
	"strings"
	"testing"

	"streaminglab/sim/script"
)

func TestCompletion(t *testing.T) {
	known := script.Known{
		Files: []string{"clicks.yaml"}, Sources: []string{"clicks"}, Splits: []string{"clicks/0", "clicks/1"},
		Operators: []string{"totals", "results"}, Snapshots: []string{"chk-1", "sp1"}, Forks: []string{"main"},
		Objects: []string{"chk-1/_metadata", "shared/f1@1"},
		Paths:   []string{"sources.clicks.splits", "flinkConfiguration.state.backend.type"},
		Words:   map[string][]string{"flinkConfiguration.state.backend.type": {"hashmap", "rocksdb"}},
	}
	for _, c := range []struct{ text, want string }{
		{"pro", "produce"},
		{"re", "redo rescale reset restore resume"},
		{"produce ", "clicks clicks/0 clicks/1"},
		{"produce clicks/1", "clicks/1"},
		{"produce clicks/0 1s ana 1 op", "op=+I op=+U op=-D op=-U"},
		{"split ", "add remove"},
		{"backpressure tot", "totals"},
		{"backpressure totals ", "off on"},
		{"crash totals at checkpoint", "checkpoint.acknowledged checkpoint.completed checkpoint.notify checkpoint.trigger"},
		{"restore ", "chk-1 none sp1"},
		{"restore chk-1 ", "--allow-non-restored-state claim clicks.yaml legacy noclaim"},
		{"delete ", "chk-1/_metadata shared/f1@1"},
		{"deny ", "* delete get list put read write"},
		{"slow g", "get"},
		{"fault t", "task.acknowledged task.barrier task.emit task.record task.snapshot task.watermark transaction.commit transaction.committed transaction.precommit"},
		{"show w", "watermarks windows"},
		{"show k", "keygroups"},
		{"savepoint ", "canonical native"},
		{"checkpoint ", "full"},
		{"set ", "flinkConfiguration.state.backend.type sources.clicks.splits"},
		{"set fl", "flinkConfiguration.state.backend.type"},
		{"set flinkConfiguration.state.backend.type ", "hashmap rocksdb"},
		{"set flinkConfiguration.state.backend.type r", "rocksdb"},
		{"set sources.clicks.splits ", ""},
		{"frob", ""},
	} {
		if got := strings.Join(script.Complete(c.text, known), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
