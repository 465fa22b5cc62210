package session_test

import (
	"testing"

	"streaminglab/sim/session"
)

// What an experiment refutes is read with the run that refutes it, in the
// order of the ids, and with the values of a seed; a key that an entry does
// not have is refused at its line.
func TestRefutations(t *testing.T) {
	const text = `job j.yaml
-- experiment.toml --
version = 1
[vary]
top = ["07"]
[refutes]
second = { belief = 'any(reads, .ts == time("12:00:${top}"))', run = "script" }
first = { belief = ' none(reads, true) ' }
`
	x, err := session.ParseExperiment("x", "x.txtar", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	x, _, err = x.Instance(1)
	if err != nil {
		t.Fatal(err)
	}
	want := []session.Refutation{
		{Misconception: "first", Belief: "none(reads, true)", Run: session.Reference},
		{Misconception: "second", Belief: `any(reads, .ts == time("12:00:07"))`, Run: session.Prefix},
	}
	if len(x.Refutes) != 2 || x.Refutes[0] != want[0] || x.Refutes[1] != want[1] {
		t.Errorf("%+v\nwant %+v", x.Refutes, want)
	}
	_, err = session.ParseExperiment("x", "x.txtar", []byte(text+"third = { beleif = 'true' }\n"))
	if want := "x.txtar:9:1: experiment.unknown-key Key=refutes.third.beleif"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}
