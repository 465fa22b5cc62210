package flink

import (
	"bytes"
	"testing"

	"streaminglab/sim/state"
)

// sample has an element of each kind, of two channels.
func sample() []flight {
	var out []flight
	add := func(vertex string, subtask int, e element) { out = append(out, flight{vertex, subtask, e}) }
	var full, bare element
	full.record.Name, full.record.TS, full.record.Value, full.record.Word = "ana", -5, 7, "seven"
	full.record.Values, full.record.Window = []int64{1, -2}, state.Namespace{Start: -10, End: 10}
	full.record.Event, full.record.HasEvent, full.record.Gap = 3, true, 9
	full.record.Mark, full.record.NullExpr, full.record.Timer, full.record.Count, full.record.NullSum = true, true, 8, 2, true
	full.record.Source, full.record.Split, full.record.Offset = "clicks", "0", 41
	add("clicks", 0, full)
	add("clicks", 1, element{kind: elementWatermark, time: -1})
	add("clicks", 1, element{kind: elementStatus, idle: true})
	add("clicks", 1, bare)
	return out
}

func bytesOf(fs []flight) (data []byte) {
	for i := range fs {
		data = appendFlight(data, &fs[i])
	}
	return data
}

// What is in flight is in the checkpoint as it was, and bytes that nobody wrote
// are refused.
func FuzzInFlight(f *testing.F) {
	f.Add(bytesOf(sample()))
	f.Add([]byte{})
	f.Add([]byte{0, 0, 9})
	f.Fuzz(func(t *testing.T, data []byte) {
		fs, err := readInFlight(data)
		if err != nil {
			return
		}
		again, err := readInFlight(bytesOf(fs))
		if err != nil || !bytes.Equal(bytesOf(fs), bytesOf(again)) {
			t.Fatalf("%x reads as %+v and then as %+v, %v", data, fs, again, err)
		}
	})
}

func TestInFlightIsReadAsItWas(t *testing.T) {
	want := sample()
	got, err := readInFlight(bytesOf(want))
	if err != nil || len(got) != len(want) {
		t.Fatalf("%+v, %v", got, err)
	}
	for i := range want {
		a, b := got[i], want[i]
		if a.vertex != b.vertex || a.subtask != b.subtask || !bytes.Equal(appendElement(nil, &a.e), appendElement(nil, &b.e)) {
			t.Errorf("%+v is read as %+v", b, a)
		}
	}
	if r := got[0].e.record; r.Source != "clicks" || r.Offset != 41 || r.Word != "seven" || len(r.Values) != 2 || !r.NullSum || r.Window.End != 10 {
		t.Errorf("%+v", r)
	}
	for n := 1; n < len(bytesOf(want)); n++ {
		if fs, err := readInFlight(bytesOf(want)[:n]); err == nil && len(fs) == len(want) {
			t.Errorf("the first %d bytes are read as all", n)
		}
	}
}
