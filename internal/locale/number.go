package locale

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// nbsp keeps a figure and its unit on one line.
const nbsp = "\u00a0"

// Extremes of time, as sim spells them.
const (
	minTime = math.MinInt64
	maxTime = math.MaxInt64
)

// decimal gives the plain form of a number: sign, digits, a point. A string
// that is already such a form passes, so that figures that must not go
// through floating point can be given as text.
func decimal(v any) (string, error) {
	switch n := v.(type) {
	case int:
		return strconv.FormatInt(int64(n), 10), nil
	case int8:
		return strconv.FormatInt(int64(n), 10), nil
	case int16:
		return strconv.FormatInt(int64(n), 10), nil
	case int32:
		return strconv.FormatInt(int64(n), 10), nil
	case int64:
		return strconv.FormatInt(n, 10), nil
	case uint:
		return strconv.FormatUint(uint64(n), 10), nil
	case uint8:
		return strconv.FormatUint(uint64(n), 10), nil
	case uint16:
		return strconv.FormatUint(uint64(n), 10), nil
	case uint32:
		return strconv.FormatUint(uint64(n), 10), nil
	case uint64:
		return strconv.FormatUint(n, 10), nil
	case float64:
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return "", fmt.Errorf("locale: %v is not a number", n)
		}
		return strconv.FormatFloat(n, 'f', -1, 64), nil
	case string:
		s := strings.TrimSpace(n)
		if !plainDecimal(s) {
			return "", fmt.Errorf("locale: %q is not a number", n)
		}
		return s, nil
	case fmt.Stringer:
		return decimal(n.String())
	}
	return "", fmt.Errorf("locale: %T is not a number", v)
}

func plainDecimal(s string) bool {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	whole, frac, point := strings.Cut(s, ".")
	return digits(whole) && (!point || digits(frac))
}

func digits(s string) bool {
	if s == "" {
		return false
	}
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return true
}

// number writes a figure as prose of the language does: Spanish with a decimal
// comma and points between thousands from 10.000 on, Korean with a decimal
// point and commas from 1,000 on.
func number(l Lang, v any) (string, error) {
	s, err := decimal(v)
	if err != nil {
		return "", err
	}
	sign := ""
	if s[0] == '-' || s[0] == '+' {
		sign, s = s[:1], s[1:]
	}
	whole, frac, _ := strings.Cut(s, ".")
	point, comma, from := ",", ".", 5
	if l == KO {
		point, comma, from = ".", ",", 4
	}
	if len(whole) >= from {
		whole = group(whole, comma)
	}
	if frac != "" {
		whole += point + frac
	}
	return sign + whole, nil
}

func group(digits, sep string) string {
	var b strings.Builder
	for i, r := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(sep)
		}
		b.WriteRune(r)
	}
	return b.String()
}

// percent writes 50 as "50 %" with a no-break space, or "50%".
func percent(l Lang, v any) (string, error) {
	s, err := number(l, v)
	if err != nil {
		return "", err
	}
	return s + unit(l, "%", "%"), nil
}

func unit(l Lang, es, ko string) string {
	if l == KO {
		return ko
	}
	return nbsp + es
}

func integer(v any) (int64, error) {
	s, err := decimal(v)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("locale: %v is not a whole number of milliseconds", v)
	}
	return n, nil
}
