package script

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"streaminglab/sim"
	"streaminglab/sim/world"
)

// Times reads times of an experiment.
type Times struct {
	// Day is the day of "12:00:05", in ms since the epoch.
	Day int64
}

var errTime = errors.New("script: no time")

// Time reads a time in ms since the epoch: a bare integer, a duration since
// the epoch, HH:MM:SS[.mmm] on the day, ISO-8601 with an offset, MIN, MAX.
func (t Times) Time(text string) (int64, error) {
	switch text {
	case "MIN":
		return sim.MinTime, nil
	case "MAX":
		return sim.MaxTime, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if d, ok := world.ParseSpokenDuration(text); ok {
		return d, nil
	}
	if ms, ok := clock(text); ok {
		return t.Day + ms, nil
	}
	if strings.Contains(text, "T") {
		for _, layout := range []string{"2006-01-02T15:04:05.999Z07:00", "2006-01-02T15:04Z07:00"} {
			if at, err := time.Parse(layout, text); err == nil {
				return at.UnixMilli(), nil
			}
		}
	}
	return 0, errTime
}

// Duration reads a duration in ms, which always has its unit.
func (t Times) Duration(text string) (int64, error) {
	if d, ok := world.ParseSpokenDuration(text); ok {
		return d, nil
	}
	return 0, errTime
}

// clock reads HH:MM:SS[.mmm].
func clock(text string) (ms int64, ok bool) {
	at, err := time.Parse("15:04:05.999", text)
	if err != nil || len(text) < len("15:04:05") || len(text) > len("15:04:05.999") {
		return 0, false
	}
	return at.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)).Milliseconds(), true
}

// ParseDay reads the day of an experiment (2026-11-29) in ms since the epoch.
func ParseDay(text string) (int64, error) {
	at, err := time.Parse("2006-01-02", text)
	if err != nil {
		return 0, errTime
	}
	return at.UnixMilli(), nil
}
