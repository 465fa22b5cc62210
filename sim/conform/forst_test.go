package conform

import (
	"encoding/json"
	"fmt"
	"testing"
)

// What the recordings do not show but the rules say: the heap restores its own
// snapshots, and RocksDB the canonical savepoint of the heap.
func TestForStSwitchesOfRows(t *testing.T) {
	for _, c := range []struct{ first, format, second string }{
		{"hashmap", "native", "hashmap"}, {"hashmap", "canonical", "rocksdb"}, {"rocksdb", "canonical", "hashmap"}, {"rocksdb", "canonical", "rocksdb"},
	} {
		r, err := newForSt(json.RawMessage(fmt.Sprintf(`{"api":"sync","primary":"checkpoint","backend":%q}`, c.first)))
		if err != nil {
			t.Fatal(err)
		}
		var out any
		for _, step := range []string{
			`{"op":"put","kv":{"a":1,"b":2}}`,
			fmt.Sprintf(`{"op":"savepoint","id":1,"format":%q}`, c.format),
			`{"op":"put","kv":{"a":7}}`,
			fmt.Sprintf(`{"op":"restore","from":"sp-1","mode":"NO_CLAIM","backend":%q}`, c.second),
			`{"op":"get","keys":["a","b"]}`,
		} {
			if out, err = r.Step(json.RawMessage(step)); err != nil {
				t.Fatalf("%v: %s: %v", c, step, err)
			}
		}
		if got, _ := json.Marshal(out); !equal(got, []byte(`{"values":{"a":1,"b":2}}`)) {
			t.Errorf("%v: %s", c, got)
		}
		if err := r.(*forstReplayer).Close(); err != nil {
			t.Error(err)
		}
	}
}
