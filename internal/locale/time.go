package locale

import (
	"fmt"
	"strings"
	"time"
)

const (
	second = int64(1000)
	minute = 60 * second
	hour   = 60 * minute
	day    = 24 * hour
)

// duration writes milliseconds with their units: "200 ms", "4,8 s",
// "1 min 30 s"; "200ms", "4.8초", "1분 30초". No figure is rounded, because
// learners compare them with what they typed.
func duration(l Lang, v any) (string, error) {
	n, err := integer(v)
	if err != nil {
		return "", err
	}
	switch n {
	case maxTime:
		return "MAX", nil
	case minTime:
		return "MIN", nil
	}
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	if n < second {
		return sign + fmt.Sprint(n) + unit(l, "ms", "ms"), nil
	}
	var parts []string
	for _, u := range []struct {
		ms     int64
		es, ko string
	}{{day, "d", "일"}, {hour, "h", "시간"}, {minute, "min", "분"}} {
		if n >= u.ms {
			parts = append(parts, fmt.Sprint(n/u.ms)+unit(l, u.es, u.ko))
			n %= u.ms
		}
	}
	if n > 0 {
		s := fmt.Sprint(n / second)
		if ms := n % second; ms > 0 {
			s += "." + strings.TrimRight(fmt.Sprintf("%03d", ms), "0")
		}
		if s, err = number(l, s); err != nil {
			return "", err
		}
		parts = append(parts, s+unit(l, "s", "초"))
	}
	sep := " "
	if l == ES {
		sep = nbsp
	}
	return sign + strings.Join(parts, sep), nil
}

// Clock writes a virtual time: "0s", "200ms", "4.8s", "2m10s", "1h10m", with the
// units of the command language, alike in both languages and narrow enough for a
// column. It cannot be taken for an event time (12:00:05), nor for a duration in a
// sentence (4,8 s), which duration writes.
func Clock(ms int64) string {
	switch ms {
	case maxTime:
		return "MAX"
	case minTime:
		return "MIN"
	}
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	switch {
	case ms == 0:
		return "0s"
	case ms < second:
		return fmt.Sprintf("%s%dms", sign, ms)
	}
	var b strings.Builder
	b.WriteString(sign)
	for _, u := range []struct {
		ms   int64
		name string
	}{{day, "d"}, {hour, "h"}, {minute, "m"}} {
		if ms >= u.ms {
			fmt.Fprintf(&b, "%d%s", ms/u.ms, u.name)
			ms %= u.ms
		}
	}
	if ms > 0 {
		fmt.Fprintf(&b, "%d", ms/second)
		if f := ms % second; f > 0 {
			b.WriteString("." + strings.TrimRight(fmt.Sprintf("%03d", f), "0"))
		}
		b.WriteString("s")
	}
	return b.String()
}

// clock is Clock for messages.
func clock(v any) (string, error) {
	n, err := integer(v)
	if err != nil {
		return "", err
	}
	return Clock(n), nil
}

// small is the bound under which a time of the default day is a number of a
// worked example (4999) and not a time of day.
const small = hour

// eventTime writes a time as the command language reads it, in both languages
// alike: MIN, MAX, milliseconds when the experiment counts from zero,
// HH:MM:SS[.mmm] on the experiment's day, otherwise a full ISO-8601 instant.
// dayStart is the midnight of that day in milliseconds since the epoch.
func eventTime(dayStart int64, v any) (string, error) {
	n, err := integer(v)
	if err != nil {
		return "", err
	}
	switch {
	case n == maxTime:
		return "MAX", nil
	case n == minTime:
		return "MIN", nil
	case dayStart == 0 && n > -small && n < small:
		return fmt.Sprint(n), nil
	}
	if off := n - dayStart; n >= dayStart && off >= 0 && off < day {
		return clockTime(off), nil
	}
	t := time.UnixMilli(n).UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		return fmt.Sprint(n), nil
	}
	ms := ""
	if n%second != 0 {
		ms = fmt.Sprintf(".%03d", t.Nanosecond()/1e6)
	}
	return t.Format("2006-01-02T15:04:05") + ms + "Z", nil
}

func clockTime(off int64) string {
	s := fmt.Sprintf("%02d:%02d:%02d", off/hour, off%hour/minute, off%minute/second)
	if ms := off % second; ms != 0 {
		s += fmt.Sprintf(".%03d", ms)
	}
	return s
}

// interval writes a window: the start belongs to it and the end does not.
func interval(dayStart int64, start, end any) (string, error) {
	a, err := eventTime(dayStart, start)
	if err != nil {
		return "", err
	}
	b, err := eventTime(dayStart, end)
	if err != nil {
		return "", err
	}
	return "[" + a + ", " + b + ")", nil
}

// Day reads an experiment's day (2026-09-12) as the milliseconds of its
// midnight in UTC.
func Day(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	t, err := time.Parse("2006-01-02", s)
	if err != nil {
		return 0, fmt.Errorf("locale: %q is not a day like 2026-09-12", s)
	}
	return t.UnixMilli(), nil
}
