package quiz

import (
	"math"
	"math/big"
	"strings"
	"time"
)

// Quantity is a value of an answer that is not text: a number, a time or a
// duration in milliseconds, or none. The times MIN and MAX are the extremes
// of int64, as in the simulator.
type Quantity struct {
	Number *big.Rat
	None   bool
}

func (q Quantity) equal(o Quantity) bool {
	if q.None || o.None {
		return q.None && o.None
	}
	return q.Number.Cmp(o.Number) == 0
}

func wholeQuantity(n int64) Quantity { return Quantity{Number: new(big.Rat).SetInt64(n)} }

// AnswerType is what a numeric or output item expects to be typed.
type AnswerType string

// The types of answers. Times are typed as in scripts (12:00:04.999, 4.8s, a
// bare integer in ms since the epoch, MIN, MAX, none); durations need their
// unit unless the item says in which unit a bare number counts. A number that
// counts a unit of time may be typed as a duration.
const (
	TypeInteger  AnswerType = "integer"
	TypeDecimal  AnswerType = "decimal"
	TypeTime     AnswerType = "time"
	TypeDuration AnswerType = "duration"
	TypeText     AnswerType = "text"
	TypeBoolean  AnswerType = "boolean"
)

var (
	withUnit  = lazy(`^(.*[0-9])\s*([\p{L}%/]+)$`)
	clockTime = lazy(`^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{1,3}))?$`)
)

// parseQuantity reads typed text under an answer specification.
func parseQuantity(typed string, spec AnswerSpec, lang Lang) (Quantity, error) {
	s, ok := numberText(typed)
	if !ok {
		return Quantity{}, problem(errAnswerEncoding, Pos{})
	}
	if len(s) > maxNumberLength {
		return Quantity{}, problem(errAnswerTooLong, Pos{}, "Max", maxNumberLength)
	}
	if strings.EqualFold(s, "none") {
		return Quantity{None: true}, nil
	}
	switch spec.Type {
	case TypeTime:
		return parseTime(s, spec, lang)
	case TypeDuration:
		return parseDuration(s, spec.Unit, lang)
	}
	if m := withUnit().FindStringSubmatch(s); m != nil {
		if millis, ok := unitMillis(spec.Unit); ok {
			return parseIn(s, typed, millis, spec, lang)
		}
		if spec.Unit == "" || !strings.EqualFold(m[2], spec.Unit) {
			return Quantity{}, problem(errUnit, Pos{}, "Value", m[2], "Want", spec.Unit)
		}
		s = m[1]
	}
	r, err := ParseNumber(s, lang)
	if err != nil {
		return Quantity{}, err
	}
	if spec.Type == TypeInteger && !r.IsInt() {
		return Quantity{}, problem(errNumberWhole, Pos{}, "Value", typed)
	}
	return Quantity{Number: r}, nil
}

func parseDuration(s, unit string, lang Lang) (Quantity, error) {
	ms, err := parseMillis(s, unit, lang)
	if err != nil {
		return Quantity{}, err
	}
	return Quantity{Number: ms}, nil
}

// parseIn reads a duration where a number of some unit of time is asked for: the
// screens write times with their units, and who copies one is right.
func parseIn(s, typed string, millis int64, spec AnswerSpec, lang Lang) (Quantity, error) {
	ms, err := parseMillis(s, spec.Unit, lang)
	if err != nil {
		return Quantity{}, err
	}
	n := ms.Quo(ms, new(big.Rat).SetInt64(millis))
	if spec.Type == TypeInteger && !n.IsInt() {
		return Quantity{}, problem(errNumberWhole, Pos{}, "Value", typed)
	}
	return Quantity{Number: n}, nil
}

// parseTime reads the times of the command language; HH:MM:SS is on the day
// of the item.
func parseTime(s string, spec AnswerSpec, lang Lang) (Quantity, error) {
	switch strings.ToUpper(s) {
	case "MIN":
		return wholeQuantity(math.MinInt64), nil
	case "MAX":
		return wholeQuantity(math.MaxInt64), nil
	}
	if m := clockTime().FindStringSubmatch(s); m != nil {
		at, err := time.Parse("15:04:05", m[1]+":"+m[2]+":"+m[3])
		if err != nil {
			return Quantity{}, problem(errTimeFormat, Pos{}, "Value", s)
		}
		millis := int64(at.Hour())*3_600_000 + int64(at.Minute())*60_000 + int64(at.Second())*1000
		scale := int64(100)
		for _, d := range m[4] {
			millis += int64(d-'0') * scale
			scale /= 10
		}
		return wholeQuantity(spec.day() + millis), nil
	}
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return wholeQuantity(at.UnixMilli()), nil
	}
	if q, err := parseDuration(s, "ms", lang); err == nil && q.Number.IsInt() {
		return q, nil
	}
	return Quantity{}, problem(errTimeFormat, Pos{}, "Value", s)
}

// canonical writes a quantity so that it reads back equal in every language.
// Times and durations are written in ms.
func (q Quantity) canonical(spec AnswerSpec) string {
	if q.None {
		return "none"
	}
	if spec.Type == TypeTime && q.Number.IsInt() && q.Number.Num().IsInt64() {
		switch q.Number.Num().Int64() {
		case math.MinInt64:
			return "MIN"
		case math.MaxInt64:
			return "MAX"
		}
	}
	if spec.Type == TypeDuration {
		return formatNumber(q.Number) + "ms"
	}
	if millis, ok := unitMillis(spec.Unit); ok && spec.Type == TypeDecimal {
		if _, exact := q.Number.FloatPrec(); !exact {
			// A minute is no decimal of an hour: it is written as it was typed, in ms.
			ms := new(big.Rat).Mul(q.Number, new(big.Rat).SetInt64(millis))
			return formatNumber(ms) + "ms"
		}
	}
	return formatNumber(q.Number)
}

// Text is the quantity as somebody would type it for an item with that
// answer: a time as 12:00:04.999, a duration in the unit that is asked for.
func (q Quantity) Text(spec AnswerSpec) string {
	if q.None || q.Number == nil {
		return q.canonical(spec)
	}
	switch millis, known := unitMillis(spec.Unit); {
	case spec.Type == TypeTime && q.Number.IsInt() && q.Number.Num().IsInt64():
		return showTime(q.Number.Num().Int64(), spec)
	case spec.Type == TypeDuration:
		return millisText(q.Number, spec.Unit)
	case known && spec.Type != TypeTime:
		return millisText(new(big.Rat).Mul(q.Number, new(big.Rat).SetInt64(millis)), spec.Unit)
	}
	return q.canonical(spec)
}
