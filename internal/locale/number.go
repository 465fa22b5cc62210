package locale

import (
	"fmt"
	"math"
	"math/bits"
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

// sizeUnits are those of Flink's web UI, where a KB is 1024 bytes.
var sizeUnits = []string{"KB", "MB", "GB", "TB", "PB", "EB"}

// size writes a number of bytes as Flink's web UI does (humanizeBytes): bytes
// below 1000, then three figures of the largest unit that has not a thousand.
func size(l Lang, v any) (string, error) {
	n, err := integer(v)
	if err != nil {
		return "", err
	}
	if n > -1000 && n < 1000 {
		return fmt.Sprint(n) + unit(l, "B", "B"), nil
	}
	sign := ""
	u := uint64(n)
	if n < 0 {
		sign, u = "-", -u
	}
	p := 0
	base := uint64(1024)
	for p < len(sizeUnits)-1 && u >= base*1000 {
		p, base = p+1, base*1024
	}
	decimals := 2
	if u >= base {
		for q := u / base; q >= 10 && decimals > 0; q /= 10 {
			decimals--
		}
	}
	s, err := number(l, rounded(u, base, decimals))
	if err != nil {
		return "", err
	}
	return sign + s + unit(l, sizeUnits[p], sizeUnits[p]), nil
}

// rounded is a/b with so many decimals, a half goes up.
func rounded(a, b uint64, decimals int) string {
	scale := uint64(1)
	for range decimals {
		scale *= 10
	}
	high, low := bits.Mul64(a, scale)
	low, carry := bits.Add64(low, b/2, 0)
	q, _ := bits.Div64(high+carry, low, b)
	whole := fmt.Sprint(q / scale)
	if decimals == 0 {
		return whole
	}
	return fmt.Sprintf("%s.%0*d", whole, decimals, q%scale)
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
