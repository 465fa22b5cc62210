package main

import (
	"strings"

	"streaminglab/sim/session"
)

// checkpoints is an experiment with something of all: incremental checkpoints,
// a compaction, a savepoint, a checkpoint that failed, a file that a rule
// deleted though a retained checkpoint reads it.
const checkpoints = `job totals.yaml
slow put 200ms
produce clicks/0 1000 ana 1
produce clicks/0 1200 blas 1
checkpoint
advance 2s
produce clicks/0 2000 blas 1
checkpoint
advance 2s
savepoint native
advance 2s
produce clicks/0 3000 caro 1
checkpoint
advance 2s
compact totals
produce clicks/0 4000 dani 1
checkpoint
advance 2s
fault file.uploaded at=totals with=fail
checkpoint
advance 2s
produce clicks/0 5000 eva 1
checkpoint
advance 2s
delete checkpoints/job1/shared/f4@5
-- experiment.toml --
version = 1
[es]
title = "Quién borra qué"
goal = "Haz que un checkpoint conservado ya no se pueda restaurar."
hints = []
solution = ""
[ko]
title = "누가 무엇을 지워도 되는가"
goal = "보존된 체크포인트를 복원할 수 없게 만드세요."
hints = []
solution = ""
-- totals.yaml --
sources:
  clicks: {}
operators:
  - name: totals
    process: count
sinks:
  - name: out
flinkConfiguration:
  state.backend.type: rocksdb
  execution.checkpointing.incremental: true
  execution.checkpointing.data-inline-threshold: 0
  execution.checkpointing.num-retained: 3
  execution.checkpointing.tolerable-failed-checkpoints: 3
`

// opened is the experiment that a scene begins with instead of the home.
func opened(keys []string) (*session.Experiment, []string, error) {
	if len(keys) == 0 || keys[0] != "open:checkpoints" && keys[0] != "open:backends" {
		return nil, keys, nil
	}
	text := checkpoints
	if keys[0] == "open:backends" {
		// What only a tree or its files have is left out.
		var kept []string
		for _, l := range strings.Split(text, "\n") {
			if !strings.HasPrefix(l, "compact ") && !strings.HasPrefix(l, "delete ") {
				kept = append(kept, l)
			}
		}
		text = strings.Join(kept, "\n")
	}
	e, err := session.ParseExperiment("checkpoints", "checkpoints", []byte(text))
	return e, keys[1:], err
}
