package quiz

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNumberLength bounds a typed number, in bytes: long enough for every
// 64-bit integer with its fraction, short enough that nothing can be slow.
const maxNumberLength = 64

var (
	plainNumber   = lazy(`^[0-9]+([.,][0-9]+)?$`)
	groupedByDot  = lazy(`^[1-9][0-9]{0,2}(\.[0-9]{3})+$`)
	groupedByBoth = lazy(`^[0-9]{1,3}((\.[0-9]{3})+,|(,[0-9]{3})+\.)[0-9]+$`)
	groupedByComa = lazy(`^[1-9][0-9]{0,2}(,[0-9]{3})+$`)
	spacedGroups  = lazy(`^[0-9]{1,3}( [0-9]{3})+([.,][0-9]+)?$`)
)

// ParseNumber reads a decimal number as a person types it, exactly.
//
// In Spanish the comma is decimal and the point is too, unless the text could
// also be thousands: "1.234" alone is a Problem (an invalid format, to be
// asked again), never a wrong answer. In Korean the point is decimal and the
// comma separates thousands. When both occur the last one is decimal. The
// minus signs U+2212, U+FE63 and U+FF0D are minus; no-break and thin spaces
// between digits are dropped.
func ParseNumber(typed string, lang Lang) (*big.Rat, error) {
	s, ok := numberText(typed)
	if !ok {
		return nil, problem(errAnswerEncoding, Pos{})
	}
	bad := problem(errNumberFormat, Pos{}, "Value", typed)
	if len(s) > maxNumberLength {
		return nil, problem(errAnswerTooLong, Pos{}, "Max", maxNumberLength)
	}
	negative := strings.HasPrefix(s, "-")
	digits := strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	if len(s)-len(digits) > 1 {
		return nil, bad
	}
	digits = strings.TrimPrefix(digits, " ")
	if strings.Contains(digits, " ") {
		if !spacedGroups().MatchString(digits) {
			return nil, bad
		}
		digits = strings.ReplaceAll(digits, " ", "")
	}
	switch {
	case lang == Spanish && groupedByDot().MatchString(digits) && strings.Count(digits, ".") == 1:
		return nil, problem(errNumberAmbiguous, Pos{}, "Value", typed)
	case groupedByBoth().MatchString(digits):
		point := strings.LastIndexAny(digits, ".,")
		whole := strings.NewReplacer(".", "", ",", "").Replace(digits[:point])
		digits = whole + "." + digits[point+1:]
	case groupedByDot().MatchString(digits) && strings.Count(digits, ".") > 1:
		digits = strings.ReplaceAll(digits, ".", "")
	case groupedByComa().MatchString(digits) && (lang == Korean || strings.Count(digits, ",") > 1):
		digits = strings.ReplaceAll(digits, ",", "")
	case plainNumber().MatchString(digits):
		if lang == Korean && strings.Contains(digits, ",") {
			return nil, bad
		}
		digits = strings.ReplaceAll(digits, ",", ".")
	default:
		return nil, bad
	}
	r, ok := new(big.Rat).SetString(digits)
	if !ok {
		return nil, bad
	}
	if negative {
		r.Neg(r)
	}
	return r, nil
}

// numberText is CleanText with the minus signs and group spaces of numbers.
// The spaces are dealt with before CleanText, which would make plain spaces
// of them.
func numberText(typed string) (string, bool) {
	if !utf8.ValidString(typed) {
		return "", false
	}
	s := strings.Map(func(r rune) rune {
		switch r {
		case 0x2212, 0xFE63, 0xFF0D:
			return '-'
		}
		return r
	}, typed)
	runes := []rune(s)
	var b strings.Builder
	for i, r := range runes {
		group := r == 0x00A0 || r == 0x202F || r == 0x2009
		if group && i > 0 && i < len(runes)-1 && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1]) {
			continue
		}
		b.WriteRune(r)
	}
	return CleanText(b.String())
}

// formatNumber writes a decimal so that ParseNumber reads the same number in
// every language: point decimal, no groups, and never exactly three decimals,
// which Spanish could take for thousands.
func formatNumber(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	n, exact := r.FloatPrec()
	if !exact {
		n = 12
	}
	if n == 3 {
		n = 4
	}
	return r.FloatString(n)
}
