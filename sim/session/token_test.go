package session_test

import (
	"errors"
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/session"
)

// A token that lost or gained one character, anywhere, is refused with a
// reason: it never opens something else.
func TestADamagedTokenIsRefused(t *testing.T) {
	text, err := (&session.Token{Experiment: "time-1-break", Version: 1, Seed: 7, Commands: []string{"produce clicks/0 1s ana 1", "advance 200ms"}, Engine: "1"}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.DecodeToken(text); err != nil {
		t.Fatal(err)
	}
	refused := func(damaged string) {
		t.Helper()
		_, err := session.DecodeToken(damaged)
		var p *sim.Problem
		if !errors.As(err, &p) {
			t.Errorf("%q: %v", damaged, err)
		}
	}
	for i := range text {
		refused(text[:i] + text[i+1:])
		refused(text[:i])
		for _, c := range "Ax-_%" {
			if changed := text[:i] + string(c) + text[i+1:]; changed != text {
				refused(changed)
			}
		}
	}
	refused("lab1:" + strings.Repeat("A", 100_000))
	refused("lab2:" + text[5:])
}

func FuzzToken(f *testing.F) {
	text, _ := (&session.Token{Experiment: "x", Commands: []string{"advance 1s"}}).Encode()
	f.Add(text)
	f.Add("lab1:")
	f.Add("lab1:AAAAAAAA")
	f.Fuzz(func(t *testing.T, text string) {
		k, err := session.DecodeToken(text)
		if err != nil {
			return
		}
		again, err := k.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.DecodeToken(again); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzExperiment(f *testing.F) {
	f.Add("job a.yaml\n-- experiment.toml --\nversion = 1\n-- a.yaml --\nsources: {a: {}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := session.ParseExperiment("fuzz", "fuzz", []byte(text))
		if err != nil {
			return
		}
		// Whatever can be read runs or is refused with a value; bounds keep it short.
		_, err = session.Start(e, session.Options{Bounds: sim.Bounds{
			Steps: 2000, Records: 200, Windows: 100, Entries: 500, Time: 100_000_000, Actions: 20_000,
		}})
		_ = err
	})
}
