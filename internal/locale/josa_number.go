package locale

import "strings"

// digitSound is how 0 to 9 end: 영 일 이 삼 사 오 육 칠 팔 구.
var digitSound = [10]final{closed, rieul, vowel, closed, vowel, vowel, closed, rieul, rieul, vowel}

// trailingNumber gives the number that a text ends with, thousands commas
// removed; points stay, because what follows a decimal point is read digit by
// digit.
func trailingNumber(s string) string {
	i := len(s)
	for i > 0 && (s[i-1] >= '0' && s[i-1] <= '9' || (s[i-1] == '.' || s[i-1] == ',') && i < len(s) && i > 1 && s[i-2] >= '0' && s[i-2] <= '9') {
		i--
	}
	n := s[i:]
	if !grouped(n) {
		n = n[strings.LastIndexByte(n, ',')+1:]
	}
	return strings.ReplaceAll(n, ",", "")
}

// grouped tells 1,000 from 0,5.
func grouped(n string) bool {
	n, _, _ = strings.Cut(n, ".")
	parts := strings.Split(n, ",")
	if len(parts) < 2 || len(parts[0]) > 3 || parts[0] == "0" {
		return false
	}
	for _, p := range parts[1:] {
		if len(p) != 3 {
			return false
		}
	}
	return true
}

// numberSound ends a number as it is read in Sino-Korean. With one point the
// last digit counts (4.10 is 사 점 일영); with two or more it is a version and
// its last part is a number (1.20 of 2.1.20 is 이십).
func numberSound(n string) final {
	parts := strings.Split(n, ".")
	last := parts[len(parts)-1]
	if last == "" {
		return vowel
	}
	if len(parts) == 2 {
		return digitSound[last[len(last)-1]-'0']
	}
	trimmed := strings.TrimLeft(last, "0")
	if trimmed == "" {
		return closed // 영
	}
	zeros := len(trimmed) - len(strings.TrimRight(trimmed, "0"))
	switch {
	case zeros == 0:
		return digitSound[trimmed[len(trimmed)-1]-'0']
	case zeros >= 16:
		return closed // 경
	case zeros >= 12:
		return vowel // 조
	}
	return closed // 십, 백, 천, 만, 억 and what is built on them
}
