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
		Objects:   []string{"chk-1/_metadata", "shared/f1@1"},
		Paths:     []string{"sources.clicks.splits", "flinkConfiguration.state.backend.type"},
		Producers: []string{"a", "b"}, Consumers: []string{"c"}, Topics: []string{"orders"}, Partitions: []string{"orders/0", "orders/1"},
		TransactionalIDs: []string{"A"},
		Words:            map[string][]string{"flinkConfiguration.state.backend.type": {"hashmap", "rocksdb"}},
	}
	for _, c := range []struct{ text, want string }{
		{"pro", "produce producer"},
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
		{"fault task.", "task.acknowledged task.barrier task.emit task.record task.snapshot task.watermark"},
		{"show w", "watermarks windows"},
		{"show k", "keygroups"},
		{"savepoint ", "canonical native"},
		{"checkpoint ", "full"},
		{"set ", "flinkConfiguration.state.backend.type sources.clicks.splits"},
		{"set fl", "flinkConfiguration.state.backend.type"},
		{"set flinkConfiguration.state.backend.type ", "hashmap rocksdb"},
		{"set flinkConfiguration.state.backend.type r", "rocksdb"},
		{"set sources.clicks.splits ", ""},
		{"topic orders ", "partitions="},
		{"producer ", "a b"},
		{"producer a ", "abort begin close commit flush init kill late new offsets send"},
		{"producer a new ", "id= linger plain timeout="},
		{"producer a send ", "orders orders/0 orders/1"},
		{"producer a late ", "orders/0 orders/1"},
		{"producer a commit ", ""},
		{"consumer c new ", "orders"},
		{"consumer c new orders r", "reset=earliest reset=latest reset=none"},
		{"consumer c commit ", "last+1"},
		{"tool kafka-t", "kafka-transactions"},
		{"tool kafka-transactions ", "abort describe describe-producers find-hanging list"},
		{"tool kafka-transactions abort ", "--partition --start-offset --topic"},
		{"tool kafka-transactions abort --topic ", "orders"},
		{"tool kafka-transactions abort --topic orders --p", "--partition"},
		{"tool kafka-configs p", "producer.id.expiration.ms="},
		{"tool kafka-features downgrade ", "transaction.version=1 transaction.version=2"},
		{"tool kafka-get-offsets ", "--topic"},
		{"fence ", "A"}, {"fence A ", "A"},
		{"expire ", "id producers transaction"},
		{"expire id ", "A"},
		{"heal ", "coordinator markers"},
		{"show log ", "orders/0 orders/1"},
		{"show state ", "--dump"},
		{"frob", ""},
	} {
		if got := strings.Join(script.Complete(c.text, known), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
