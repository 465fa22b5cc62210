package world

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var units = []struct {
	name string
	ms   int64
}{
	{"ms", 1}, {"s", 1000}, {"min", 60_000}, {"m", 60_000}, {"h", 3_600_000}, {"d", 86_400_000},
}

// ParseDuration reads a duration with its unit: "200ms", "4.8s", "200 ms",
// "5m", "5 min". The result is in whole ms; a fraction of a ms is refused.
func ParseDuration(text string) (ms int64, ok bool) {
	s := strings.TrimSpace(text)
	sign := int64(1)
	if rest, neg := strings.CutPrefix(s, "-"); neg {
		s, sign = rest, -1
	}
	i := 0
	for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
		i++
	}
	number, unit := s[:i], strings.TrimSpace(s[i:])
	if number == "" {
		return 0, false
	}
	var scale int64
	for _, u := range units {
		if u.name == unit {
			scale = u.ms
		}
	}
	if scale == 0 {
		return 0, false
	}
	whole, fraction, point := strings.Cut(number, ".")
	if point && fraction == "" {
		return 0, false
	}
	if whole == "" {
		whole = "0"
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n > math.MaxInt64/scale/2 {
		return 0, false
	}
	ms = n * scale
	// A day has 2^10 * 5^5 among its factors: no fraction in whole ms is longer.
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		f, err := strconv.ParseUint(fraction, 10, 64)
		if err != nil || len(fraction) > 10 {
			return 0, false
		}
		part := int64(f) * scale
		for range fraction {
			if part%10 != 0 {
				return 0, false
			}
			part /= 10
		}
		ms += part
	}
	return sign * ms, true
}

// FormatDuration writes ms in the largest unit that needs no fraction but for
// seconds, which may have one: "200ms", "4.8s", "5m".
func FormatDuration(ms int64) string {
	if ms == 0 {
		return "0s"
	}
	sign := ""
	if ms < 0 {
		sign, ms = "-", -ms
	}
	for i := len(units) - 1; i > 1; i-- {
		if u := units[i]; u.name != "min" && ms%u.ms == 0 {
			return sign + strconv.FormatInt(ms/u.ms, 10) + u.name
		}
	}
	if ms < 1000 {
		return sign + strconv.FormatInt(ms, 10) + "ms"
	}
	s := strconv.FormatInt(ms/1000, 10)
	if r := ms % 1000; r != 0 {
		f := strconv.FormatInt(1000+r, 10)[1:]
		s += "." + strings.TrimRight(f, "0")
	}
	return sign + s + "s"
}

// compoundForm is one part of a duration as screens write it: "15m20s".
var compoundForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^ ?([0-9]+(?:\.[0-9]+)?) ?(ms|s|min|m|h|d)`) })

// ParseSpokenDuration is ParseDuration that also takes several parts, from the
// largest unit to the smallest, as lab itself writes times: "15m20s", "1d 2h". Only
// the last part may have a fraction. Flink's options take one part.
func ParseSpokenDuration(text string) (ms int64, ok bool) {
	if ms, ok = ParseDuration(text); ok {
		return ms, true
	}
	rest, negative := strings.CutPrefix(strings.TrimSpace(text), "-")
	last := int64(math.MaxInt64)
	for rest != "" {
		m := compoundForm().FindString(rest)
		part, ok := ParseDuration(strings.TrimSpace(m))
		if m == "" || !ok {
			return 0, false
		}
		unit := unitOf(m)
		rest = rest[len(m):]
		if unit >= last || rest != "" && strings.Contains(m, ".") || ms > math.MaxInt64-part {
			return 0, false
		}
		ms, last = ms+part, unit
	}
	if negative {
		ms = -ms
	}
	return ms, last < math.MaxInt64
}

// unitOf is the length in ms of the unit at the end of a part.
func unitOf(part string) (ms int64) {
	name := strings.TrimLeft(part, " 0123456789.")
	for _, u := range units {
		if u.name == name {
			ms = u.ms
		}
	}
	return ms
}
