package main

import "fmt"

// logs is a broker with two partitions, whose last stable offset an open
// transaction holds back, and two consumers.
const logs = `topic orders partitions=2
producer a new id=orders-eu
producer b new id=orders-us
producer n new plain
producer a init
producer b init
producer a begin
producer a send orders/0 a1 a2 a3
producer a commit
producer b begin
producer b send orders/0 b1 b2
producer n send orders/0 n1
producer a begin
producer a send orders/0 c1 c2
producer a send orders/1 c3
producer a abort
consumer rc new orders isolation=read_committed reset=earliest
consumer ru new orders reset=earliest
consumer rc poll
consumer ru poll
producer b send orders/0 b3
producer n send orders/0 n2
advance 14500ms
`

// expired is a job that is away for longer than the timeout of a transaction that
// a checkpoint holds (V21).
const expired = `job orders.yaml
advance 1s
produce in/0 1s a r1
advance 4s
produce in/0 2s b r2
advance 5s
checkpoint
advance 6s
produce in/0 3s c r3
advance 4s
crash out[0] at checkpoint.notify
checkpoint
advance 95s
`

// waits is a job with a checkpoint each ten seconds, one crash, and a record that
// nobody can read yet.
const waits = `job orders.yaml
advance 1s
produce in/0 1s a r1
advance 2s
produce in/0 2s a r2
advance 5s
produce in/0 3s a r3
produce in/0 3s b r3
advance 1s
checkpoint
advance 3s
fault task.acknowledged at=in with=delay for=1s
produce in/0 4s a r4
checkpoint
advance 10s
produce in/0 5s a r5
crash out[0]
advance 92s
checkpoint
advance 4s
produce in/0 6s a r6
advance 3s
`

// brokerStory is an experiment about a broker, or a job in front of it.
func brokerStory(view, commands string) string {
	return fmt.Sprintf(`%s-- experiment.toml --
version = 1
view = %q
[es]
title = "La garantía que caduca"
goal = "Haz que read_committed no vea nunca un registro que un checkpoint dio por escrito."
hints = []
solution = ""
[ko]
title = "만료되는 보장"
goal = "체크포인트에 쓴 것으로 남은 레코드가 read_committed에 영영 보이지 않게 하세요."
hints = []
solution = ""
-- orders.yaml --
name: orders
kafka:
  topics: {orders: 1}
sources:
  in: {watermark: {strategy: none}}
sinks:
  - name: out
    kind: kafka
    topic: orders
    delivery-guarantee: EXACTLY_ONCE
    transactional-id-prefix: J
    properties: {transaction.timeout.ms: 60s}
flinkConfiguration:
  execution.checkpointing.interval: 24h
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.delay: 90s
  restart-strategy.fixed-delay.attempts: 10
`, commands, view)
}
