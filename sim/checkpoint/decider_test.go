package checkpoint

import "testing"

// CP-2.4: the queue takes 1000 requests. One more pushes out the last periodic
// one; when there is none, it is refused itself.
func TestQueueIsCapped(t *testing.T) {
	d := &RequestDecider{maxConcurrent: 1}
	var last *request
	for i := range maxQueuedRequests {
		last = &request{number: -1, periodic: true, timestamp: int64(i)}
		if d.add(last) != nil {
			t.Fatal("refused too early")
		}
	}
	person := &request{}
	if refused := d.add(person); refused != last {
		t.Errorf("refused %+v", refused)
	}
	if d.queue[0] != person {
		t.Error("a person's request does not go first")
	}
	for range maxQueuedRequests - 1 {
		d.add(&request{})
	}
	if r := (&request{}); d.add(r) != r || len(d.queue) != maxQueuedRequests {
		t.Error("the queue grew")
	}
}

// CP-2.4: savepoints, forced, asked for by a person, older.
func TestOrderOfTheQueue(t *testing.T) {
	d := &RequestDecider{maxConcurrent: 1}
	savepoint := Properties{Type: TypeSavepoint}
	order := []*request{
		{number: 0, properties: Properties{Type: TypeSavepoint, Forced: true}, timestamp: 9},
		{number: 1, properties: savepoint, timestamp: 5},
		{number: 2, properties: savepoint, timestamp: 6},
		{number: 3, properties: Properties{Forced: true}, timestamp: 8},
		{number: 4, timestamp: 7},
		{number: 5, periodic: true, timestamp: 1},
		{number: 6, periodic: true, timestamp: 2},
	}
	for _, i := range []int{6, 2, 4, 0, 5, 3, 1} {
		d.add(order[i])
	}
	for i, r := range d.queue {
		if r != order[i] {
			t.Errorf("place %d has request %d", i, r.number)
		}
	}
}

// Every reason has the words of Flink, and nothing else is a reason.
func TestReasons(t *testing.T) {
	counted := 0
	for _, r := range FailureReasons() {
		if !r.Known() || r.Exception().Message == "" {
			t.Errorf("%s has no words", r)
		}
		if r.Counted() {
			counted++
		}
	}
	if counted != 5 || len(FailureReasons()) != 24 {
		t.Errorf("%d reasons, %d counted", len(FailureReasons()), counted)
	}
	if FailureReason("NO_SUCH").Known() {
		t.Error("NO_SUCH is known")
	}
}
