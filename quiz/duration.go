package quiz

import (
	"math/big"
	"slices"
	"strings"
)

// timeUnits are the names of units of time with their length in ms, as people
// and engines write them: Go and the screens of lab (15m20s), Flink (15 min,
// 20 sec), prose in Spanish and Korean (5초).
var timeUnits = []struct {
	millis int64
	names  []string
}{
	{86_400_000, []string{"d", "day", "days", "día", "días", "dia", "dias", "일"}},
	{3_600_000, []string{"h", "hour", "hours", "hora", "horas", "시간"}},
	{60_000, []string{"m", "min", "minute", "minutes", "minuto", "minutos", "분"}},
	{1000, []string{"s", "sec", "second", "seconds", "seg", "segundo", "segundos", "초"}},
	{1, []string{"ms", "milli", "millis", "millisecond", "milliseconds", "milisegundo", "milisegundos", "밀리초"}},
}

// unitNames is what an error offers.
const unitNames = "ms, s, min, h, d"

// unitMillis gives the length of a unit of time in ms.
func unitMillis(name string) (int64, bool) {
	for _, u := range timeUnits {
		if slices.Contains(u.names, strings.ToLower(name)) {
			return u.millis, true
		}
	}
	return 0, false
}

// durationPart is a number with a unit at the beginning of a text. Spaces may
// stand between digits (groups of thousands), before the unit and behind it.
var durationPart = lazy(`^([0-9](?:[0-9.,]| [0-9])*) ?([\p{L}%/]+) ?`)

// parseMillis reads numbers with their units, the largest unit first and each
// once: 950000ms, 4,8 s, 15m20s, 1 h 30 min, 15분 20초. Only the last number may
// have a fraction. A bare number counts in unit; "": it needs its own.
func parseMillis(s, unit string, lang Lang) (*big.Rat, error) {
	rest, negative := s, false
	switch {
	case strings.HasPrefix(s, "-"):
		rest, negative = s[1:], true
	case strings.HasPrefix(s, "+"):
		rest = s[1:]
	}
	rest = strings.TrimPrefix(rest, " ")
	if durationPart().FindStringIndex(rest) == nil {
		millis, known := unitMillis(unit)
		n, err := ParseNumber(s, lang)
		switch {
		case err != nil:
			return nil, err
		case !known:
			return nil, problem(errUnitMissing, Pos{}, "Value", s)
		}
		return n.Mul(n, new(big.Rat).SetInt64(millis)), nil
	}
	total, last := new(big.Rat), int64(0)
	for rest != "" {
		m := durationPart().FindStringSubmatch(rest)
		if m == nil {
			if n, err := ParseNumber(rest, lang); err == nil && n.Sign() >= 0 {
				return nil, problem(errUnitMissing, Pos{}, "Value", rest)
			}
			return nil, problem(errNumberFormat, Pos{}, "Value", s)
		}
		rest = rest[len(m[0]):]
		millis, known := unitMillis(m[2])
		if !known {
			return nil, problem(errUnit, Pos{}, "Value", m[2], "Want", unitNames)
		}
		n, err := ParseNumber(m[1], lang)
		if err != nil {
			return nil, err
		}
		if last > 0 && millis >= last || rest != "" && !n.IsInt() {
			return nil, problem(errDuration, Pos{}, "Value", s)
		}
		last = millis
		total.Add(total, n.Mul(n, new(big.Rat).SetInt64(millis)))
	}
	if negative {
		total.Neg(total)
	}
	return total, nil
}

// millisText writes a duration for a person: in the unit that was asked for,
// else in the largest one that needs no fraction.
func millisText(ms *big.Rat, unit string) string {
	millis, known := unitMillis(unit)
	if !known {
		unit, millis = "ms", 1
		for _, u := range []string{"h", "min", "s"} {
			n, _ := unitMillis(u)
			if ms.Sign() != 0 && new(big.Rat).Quo(ms, new(big.Rat).SetInt64(n)).IsInt() {
				unit, millis = u, n
				break
			}
		}
	}
	n := new(big.Rat).Quo(ms, new(big.Rat).SetInt64(millis))
	if _, exact := n.FloatPrec(); !exact {
		return decimalText(ms) + "ms" // a third of an hour has no end
	}
	return decimalText(n) + unit
}
