package conform

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"

	"streaminglab/sim"
)

// Time is a number of recordings whose extremes are written "MIN" and "MAX".
type Time int64

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	switch int64(t) {
	case sim.MinTime:
		return []byte(`"MIN"`), nil
	case sim.MaxTime:
		return []byte(`"MAX"`), nil
	}
	return strconv.AppendInt(nil, int64(t), 10), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"MIN"`:
		*t = Time(sim.MinTime)
		return nil
	case `"MAX"`:
		*t = Time(sim.MaxTime)
		return nil
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return &json.UnmarshalTypeError{Value: "number " + string(text), Type: reflect.TypeFor[Time]()}
	}
	*t = Time(n)
	return nil
}

func timeAt(t int64) *Time {
	v := Time(t)
	return &v
}

// equal says whether two JSON texts mean the same value: the order of the
// fields of an object is free, everything else counts. Numbers are equal when
// their digits are.
func equal(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	va, errA := generic(a)
	vb, errB := generic(b)
	return errA == nil && errB == nil && reflect.DeepEqual(va, vb)
}

func generic(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}

// An event is one entry of the lists that most kinds of time components put
// out.
type event struct {
	TS     *Time          `json:"ts,omitempty"`
	Row    *Time          `json:"row,omitempty"`
	WM     *Time          `json:"wm,omitempty"`
	Status string         `json:"status,omitempty"`
	Error  *sim.Exception `json:"error,omitempty"`
	// R and Dropped are what an attached window operator made of it.
	R       json.RawMessage `json:"r,omitempty"`
	Dropped *int64          `json:"dropped,omitempty"`
}
