package locale

import (
	"fmt"
	"strings"
	"unicode"
)

// final is the last sound of a word: what a Korean particle depends on.
type final int

const (
	vowel  final = iota // no final consonant: 워터마크, Kafka, LSO, 2
	rieul               // ㄹ: 윈도우 7, SQL, 테이블; counts as a vowel before 으로
	closed              // any other final consonant: 체크포인트 3, RAM, 잡
)

// particles maps each pair, in both orders, to (after a consonant, after a
// vowel). 으로 and its compounds are the only ones that treat ㄹ as a vowel.
var particles = map[string][2]string{}

func init() {
	for _, p := range []string{
		"을/를", "이/가", "은/는", "과/와", "으로/로", "으로서/로서", "으로써/로써",
		"으로부터/로부터", "으로는/로는", "으로도/로도", "이나/나", "이라/라", "이란/란", "이라는/라는",
		"이라고/라고", "이며/며", "이고/고", "이면/면", "이든/든", "이었/였", "이므로/므로", "이지만/지만", "아/야",
	} {
		a, b, _ := strings.Cut(p, "/")
		particles[a+"/"+b] = [2]string{a, b}
		particles[b+"/"+a] = [2]string{a, b}
	}
}

// Particle chooses the particle of the pair ("을/를") that follows word as it
// is read aloud.
func Particle(pair, word string) (string, error) {
	p, ok := particles[pair]
	if !ok {
		return "", fmt.Errorf("locale: %q is not a pair of particles", pair)
	}
	f := finalSound(word)
	if f == vowel || f == rieul && strings.HasPrefix(p[0], "으로") {
		return p[1], nil
	}
	return p[0], nil
}

// Josa appends the right particle to word: Josa("을/를", "LSO") is "LSO를".
func Josa(pair, word string) (string, error) {
	p, err := Particle(pair, word)
	if err != nil {
		return "", err
	}
	return word + p, nil
}

// finalSound finds what of a text is read last and how it ends.
func finalSound(s string) final {
	s = lastRead(s)
	runes := []rune(s)
	if len(runes) == 0 {
		return vowel
	}
	switch r := runes[len(runes)-1]; {
	case r >= '가' && r <= '힣':
		return syllable(r)
	case r >= 'ㄱ' && r <= 'ㅎ': // read by its name: 기역, 리을, 히읗
		if r == 'ㄹ' {
			return rieul
		}
		return closed
	case r >= '0' && r <= '9':
		return numberSound(trailingNumber(s))
	case isLatin(r):
		return latinSound(s)
	case r == '%': // 퍼센트
		return vowel
	}
	return vowel
}

func syllable(r rune) final {
	switch (r - '가') % 28 {
	case 0:
		return vowel
	case 8:
		return rieul
	}
	return closed
}

func isLatin(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || unicode.Is(unicode.Latin, r)
}

// lastRead drops from the end what is not read: emphasis, quotes, closing
// punctuation, a remark in parentheses. An interval keeps its last number and
// a name in backquotes or brackets is read inside.
func lastRead(s string) string {
	for {
		s = strings.TrimRightFunc(s, func(r rune) bool {
			return unicode.IsSpace(r) || strings.ContainsRune("`*_~\"'“”‘’«»‹›「」『』.,:;!?…]}>-–—/", r)
		})
		if !strings.HasSuffix(s, ")") {
			return s
		}
		open := matching(s)
		if open < 0 { // "[0,5)": what closes is an interval
			return lastOfInterval(strings.TrimSuffix(s, ")"))
		}
		inside := s[open+1 : len(s)-1]
		if isInterval(inside) {
			return lastOfInterval(inside)
		}
		if strings.TrimSpace(s[:open]) == "" {
			s = inside // nothing but the remark: then it is the word
			continue
		}
		s = s[:open]
	}
}

// matching gives the index of the parenthesis that the last byte closes, or -1.
func matching(s string) int {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func isInterval(s string) bool {
	a, b, ok := strings.Cut(s, ",")
	return ok && boundOf(a) && boundOf(b)
}

func boundOf(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.Trim(s, "0123456789.:-+TZMAXIN") == ""
}

func lastOfInterval(s string) string {
	if i := strings.LastIndex(s, ", "); i >= 0 {
		return lastRead(s[i+2:])
	}
	if i := strings.LastIndex(s, ","); i >= 0 {
		return lastRead(s[i+1:])
	}
	return lastRead(s)
}
