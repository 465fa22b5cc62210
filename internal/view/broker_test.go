package view_test

import (
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/view"
	"streaminglab/sim"
	"streaminglab/sim/fold"
	"streaminglab/sim/script"
	"streaminglab/sim/session"
	"streaminglab/sim/session/sessiontest"
)

// brokerLegends are the entries of legends of pictures of a broker by their signs.
func brokerLegends(s view.Signs) map[string]map[string][]string {
	return map[string]map[string][]string{
		"log": {
			s.Fired: {"readable"}, s.Fates[view.OnTime]: {"got"}, s.Fates[view.Dropped]: {"aborted"}, s.Hatch: {"waits"}, s.Part: {"replicas"}, s.Arrow: {"position"},
		},
		"phases": {
			s.Fates[view.OnTime]: {"first"}, s.Double: {"precommitted"}, s.Part: {"overdue", "part"}, s.Fired: {"committed", "completed"},
			s.Fates[view.Dropped]: {"aborted", "failed"}, s.Missing: {"tried", "fault"}, s.Fates[view.Behind]: {"planned"}, s.Hatch: {"restarting"}, s.Rise: {"restored"},
		},
		"latency": {s.Fill: {"inside", "record"}, s.Part: {"outside"}, s.Hatch: {"waiting"}, s.Fates[view.Dropped]: {"never"}},
	}
}

const brokerJob = `kafka:
  topics: {orders: 2}
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
  restart-strategy.type: fixed-delay
  restart-strategy.fixed-delay.attempts: 10
  restart-strategy.fixed-delay.delay: 90s
`

const brokerRun = `advance 1s
produce in/0 1s a r1
advance 9s
checkpoint
produce in/0 2s b r2
advance 3s
fault task.acknowledged at=in with=delay for=1s
checkpoint
producer p new id=P
producer n new plain
producer p init
producer p begin
producer p send orders/0 x1 x2 x3
producer n send orders/0 n1
producer n send orders/1 n2
consumer rc new orders isolation=read_committed reset=earliest
consumer ru new orders reset=earliest
consumer rc poll
consumer ru poll
advance 20s
producer p abort
consumer rc poll
produce in/0 3s a r3
crash out[0] at checkpoint.notify
checkpoint
advance 30s
producer p begin
producer p send orders/1 y1
advance 75s
produce in/0 4s a r4
cut markers
checkpoint
advance 5s
heal markers
savepoint
advance 5s
stop
`

// Every picture of a broker has as many lines as it was given and none too wide,
// whatever the size and the step; and its legend explains each sign in it, on
// every screen from 40×15 on.
func TestPicturesOfABroker(t *testing.T) {
	e := sessiontest.Experiment(t, brokerJob, brokerRun)
	r, err := session.Batch(e, func(tt script.Times) ([]*script.Line, error) { return script.Parse("story", "", tt) }, session.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	trace := r.World.Trace()
	n := 0
	for step := 1; step <= trace.Len(); step += 7 {
		part := trace.Prefix(step)
		broker, phases, latency := view.BuildBroker(part), view.BuildPhases(part), view.BuildLatency(part)
		for _, w := range []int{1, 7, 20, 38, 45, 57, 59, 60, 70, 78, 118} {
			for _, h := range []int{1, 2, 3, 5, 7, 9, 12, 14, 18, 40} {
				n++
				p := view.Picture{
					Loc: locale.New(locale.Langs[n%2]), Width: w, Height: h, Signs: [2]view.Signs{view.Unicode, view.ASCII}[n/2%2],
					Step: step * (n % 3 / 2), Now: part.Step(step).T + int64(n%3)*7000,
				}
				for name, lines := range map[string][]string{
					"log": broker.DrawLog(p), "transactions": broker.DrawTransactions(p), "phases": phases.DrawPhases(p), "latency": latency.DrawLatency(p),
				} {
					if len(lines) != h {
						t.Fatalf("%s, %d×%d, step %d: %d lines", name, w, h, step, len(lines))
					}
					for _, l := range lines {
						if lipgloss.Width(l) > w {
							t.Fatalf("%s, %d×%d, step %d: too wide: %q", name, w, h, step, l)
						}
					}
					if w >= 38 && h >= 12 && p.Signs == view.Unicode {
						signsExplained(t, p, name, step, lines)
					}
				}
			}
		}
	}
}

func signsExplained(t *testing.T, p view.Picture, picture string, step int, lines []string) {
	t.Helper()
	all := strings.Join(lines, "\n")
	for sign, ids := range brokerLegends(p.Signs)[picture] {
		if !strings.Contains(all, sign) {
			continue
		}
		if !slices.ContainsFunc(ids, func(id string) bool {
			return slices.ContainsFunc([]string{"legend", "legend-short"}, func(form string) bool {
				return strings.Contains(all, p.Loc.Text("scene."+picture+"."+form+"."+id, locale.Args{"Sign": sign}))
			})
		}) {
			// The picture above the legend may use a sign of the language.
			t.Fatalf("%s, step %d, %d×%d: %q is not explained in\n%s", picture, step, p.Width, p.Height, sign, all)
		}
	}
}

// V13: what stands behind the high watermark is read by nobody, and a decided
// transaction whose marker is not replicated keeps the last stable offset.
func TestWhatIsNotReplicated(t *testing.T) {
	batch := &fold.Batch{Partition: "orders/0", Offset: 0, Last: 0, ID: "A", Transaction: 1, State: fold.BatchCommitted, Values: []string{"a1"}}
	more := &fold.Batch{Partition: "orders/0", Offset: 2, Last: 2, Producer: -1, State: fold.BatchCommitted, Values: []string{"n1"}}
	b := &view.Broker{Kafka: &fold.Kafka{
		Partitions: []*fold.Partition{{Name: "orders/0", LSO: 0, HW: 1, End: 3, Entries: []fold.Entry{
			{Batch: batch}, {Marker: &fold.Marker{Offset: 1, Result: sim.ResultCommit, Transaction: 1}}, {Batch: more},
		}}},
		Transactions: []*fold.Transaction{{ID: "A", Number: 1, State: "CompleteCommit", Decided: sim.ResultCommit}},
	}}
	for lang, want := range map[string]string{
		"es": `orders/0: read_committed espera en el offset 0 a que se replique un marcador.
                   0  1  2
orders/0           a Ca  ·
             LSO 0 ▲  ▲ HW 1
read_committed     ░     ▒
read_uncommitted   ✓     ▒

a transacción  · sin transacción  C marcador COMMIT  ✓ se puede leer  ░ espera
▒ sin replicar`,
		"ko": `orders/0: read_committed가 오프셋 0에서 마커의 복제를 기다립니다.
                   0  1  2
orders/0           a Ca  ·
             LSO 0 ▲  ▲ HW 1
read_committed     ░     ▒
read_uncommitted   ✓     ▒

a 트랜잭션  · 트랜잭션 밖  C COMMIT 마커  ✓ 읽을 수 있음  ░ 대기  ▒ 복제 전`,
	} {
		got := b.DrawLog(view.Picture{Loc: locale.New(locale.Lang(lang)), Width: 78, Height: 12, Signs: view.Unicode})
		if text := strings.TrimRight(strings.Join(got, "\n"), "\n"); text != want {
			t.Errorf("%s:\n%s\nwant\n%s", lang, text, want)
		}
	}
}
