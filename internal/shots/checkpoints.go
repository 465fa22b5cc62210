package main

import (
	"slices"
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

// stories are experiments that a scene begins with, by the word that opens them.
var stories = map[string]string{
	"open:checkpoints": checkpoints,
	// What only a tree or its files have is left out.
	"open:backends":  without(checkpoints, "compact ", "delete "),
	"open:aligned":   aligned + channelJob,
	"open:unaligned": unaligned + channelJob + "  execution.checkpointing.unaligned.enabled: true\n",
	"open:crashes":   crashes + channelJob,
	"open:regions":   regions + regionJob,

	"open:log":          brokerStory("log", logs),
	"open:transactions": brokerStory("transactions", logs),
	"open:phases":       brokerStory("phases", expired),
	"open:latency":      brokerStory("latency", waits),
	"open:sink-log":     brokerStory("log", waits),
}

// aligned stops in the middle of an alignment: one source was told of the
// checkpoint and goes on reading, the other was not.
const aligned = `job totals.yaml
produce clicks/0 1000 ana 1
produce clicks/1 1200 blas 1
fault checkpoint.trigger at=clicks[1]
checkpoint
produce clicks/0 2000 ana 1
produce clicks/0 2100 blas 1
produce clicks/0 2200 blas 1
produce clicks/0 2300 dani 1
produce clicks/0 2400 caro 1
produce clicks/1 2500 blas 1
`

// unaligned stops where a barrier has overtaken records that waited in front of
// a subtask that stands still.
const unaligned = `job totals.yaml
produce clicks/0 1000 ana 1
fault task.snapshot at=totals[0] with=delay for=5s
fault checkpoint.trigger at=clicks[1]
checkpoint
produce clicks/0 2000 ana 1
produce clicks/1 2100 ana 1
produce clicks/1 2200 ana 1
produce clicks/1 2300 blas 1
`

// crashes is a job that comes back twice and is started anew from a savepoint.
const crashes = `job totals.yaml
produce clicks/0 1000 ana 1
advance 4s
checkpoint
produce clicks/0 2000 ana 1
produce clicks/1 2100 blas 1
advance 6s
fault task.record at=totals
produce clicks/1 3000 blas 1
advance 12s
fault checkpoint.trigger at=clicks[1]
checkpoint
advance 11s
resume clicks[1]
advance 2s
savepoint
produce clicks/0 4000 ana 1
advance 8s
crash totals
advance 10s
stop
restore sp2
produce clicks/0 5000 ana 1
advance 4s
checkpoint
produce clicks/0 6000 ana 1
advance 3s
crash out
advance 2s
`

// regions is a job of three regions: two come back while the third goes on, and
// one of them waits again.
const regions = `job totals.yaml
produce clicks/0 1000 ana 1
produce orders/0 1500 ana 1
advance 3s
checkpoint
produce clicks/1 2000 blas 1
produce orders/0 3000 ana 1
advance 3s
crash out[1]
produce clicks/0 4000 ana 1
advance 9s
checkpoint
produce orders/0 5000 ana 1
produce orders/0 6000 blas 1
advance 2s
fault record.timestamp at=orders/0 with=missing
produce orders/0 7000 ana 1
produce clicks/0 8000 ana 1
produce clicks/1 8500 blas 1
advance 2s
produce clicks/0 9000 ana 1
`

// regionJob is what that story runs.
const regionJob = `-- experiment.toml --
version = 1
[es]
title = "Quién vuelve atrás"
goal = "Que vuelva atrás una región y las demás sigan."
hints = []
solution = ""
[ko]
title = "누가 되돌아가는가"
goal = "한 리전만 되돌아가고 나머지는 계속 실행되게 하세요."
hints = []
solution = ""
-- totals.yaml --
sources:
  clicks: {splits: 2, parallelism: 2, watermark: {strategy: none}}
  orders: {splits: 1, parallelism: 1, watermark: {strategy: none}}
operators:
  - name: totals
    inputs: [orders]
    window: {assign: tumbling 10s, reduce: sum}
sinks:
  - name: out
    inputs: [clicks]
  - name: sums
    inputs: [totals]
parallelism: 2
flinkConfiguration:
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 9
  restart-strategy.fixed-delay.delay: 5s
`

// channelJob is what those stories run.
const channelJob = `-- experiment.toml --
version = 1
[es]
title = "Por dónde va la barrera"
goal = "Completa chk-1."
hints = []
solution = ""
[ko]
title = "배리어는 어디까지 왔을까"
goal = "chk-1을 완료하세요."
hints = []
solution = ""
-- totals.yaml --
sources:
  clicks: {splits: 2, parallelism: 2, watermark: {strategy: none}}
operators:
  - name: totals
    process: count
sinks:
  - name: out
parallelism: 2
flinkConfiguration:
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 3
  restart-strategy.fixed-delay.delay: 5s
  execution.checkpointing.timeout: 10s
  execution.checkpointing.tolerable-failed-checkpoints: 3
`

func without(text string, verbs ...string) string {
	var kept []string
	for _, l := range strings.Split(text, "\n") {
		if !slices.ContainsFunc(verbs, func(v string) bool { return strings.HasPrefix(l, v) }) {
			kept = append(kept, l)
		}
	}
	return strings.Join(kept, "\n")
}

// opened is the experiment that a scene begins with instead of the home.
func opened(keys []string) (*session.Experiment, []string, error) {
	if len(keys) == 0 || stories[keys[0]] == "" {
		return nil, keys, nil
	}
	e, err := session.ParseExperiment("checkpoints", "checkpoints", []byte(stories[keys[0]]))
	return e, keys[1:], err
}
