package locale

import (
	"strings"
	"unicode"
)

// latinWords are the words whose reading neither the letters nor the spelling
// rules below give. Keys are lower case.
var latinWords = map[string]final{}

func init() {
	for f, words := range map[final]string{
		vowel: "check error",     // 체크, 에러
		rieul: "file idle table", // in capitals too: IDLE is a word, not four letters
		closed: `ack drop group heap hop keep limit map name out set sleep split step stop time timeout type what
			app book hook look lookup prototype hadoop`, // 액, 드롭, 그룹, 힙, 홉 …
	} {
		for _, w := range strings.Fields(words) {
			latinWords[w] = f
		}
	}
}

// letterSound is how the names of the letters end in Korean: 엘, 알 with ㄹ;
// 엠, 엔 with a consonant; all others with a vowel.
func letterSound(r rune) final {
	switch unicode.ToLower(r) {
	case 'l', 'r':
		return rieul
	case 'm', 'n':
		return closed
	}
	return vowel
}

// latinSound reads the last Latin word of s: a unit after a figure, a word
// that is known, an acronym by its letters, or else by its spelling.
func latinSound(s string) final {
	word, before := lastLatin(s)
	if before >= '0' && before <= '9' {
		if f, ok := unitSound[word]; ok {
			return f
		}
	}
	if f, ok := latinWords[strings.ToLower(word)]; ok {
		return f
	}
	part := lastPart(word)
	if f, ok := latinWords[strings.ToLower(part)]; ok && len(part) > 1 {
		return f
	}
	if acronym(part) {
		return letterSound(rune(part[len(part)-1]))
	}
	return spelledSound(strings.ToLower(part))
}

// unitSound reads the units of the command language after a figure.
var unitSound = map[string]final{
	"ms": vowel, "s": vowel, "m": closed, "h": closed, "d": rieul, // 밀리초 초 분 시간 일
	"min": closed, "KB": vowel, "MB": vowel, "GB": vowel, "B": vowel,
}

func lastLatin(s string) (word string, before rune) {
	runes := []rune(s)
	i := len(runes)
	for i > 0 && isLatin(runes[i-1]) {
		i--
	}
	if i > 0 {
		before = runes[i-1]
	}
	return string(runes[i:]), before
}

// lastPart takes the last word of a camel-case name: numLateRecordsDropped is
// read up to "Dropped", RocksDB up to "DB".
func lastPart(w string) string {
	runes := []rune(w)
	for i := len(runes) - 1; i > 0; i-- {
		if unicode.IsUpper(runes[i]) && unicode.IsLower(runes[i-1]) {
			return string(runes[i:])
		}
		if unicode.IsUpper(runes[i-1]) && unicode.IsLower(runes[i]) && i-1 > 0 {
			return string(runes[i-1:])
		}
	}
	return w
}

// acronym: capitals alone up to five letters, a single letter, or letters that
// no vowel makes pronounceable (jm, tm).
func acronym(w string) bool {
	for _, r := range w {
		if r > unicode.MaxASCII {
			return false
		}
	}
	if len(w) == 1 {
		return true
	}
	if w == strings.ToUpper(w) {
		return len(w) <= 5
	}
	return len(w) <= 4 && !strings.ContainsAny(strings.ToLower(w), "aeiouy")
}

// spelledSound guesses the ending of an English word as it is borrowed into
// Korean: ng, m, n close the syllable, l is ㄹ, a stop after one short vowel
// closes it (split, job, block), everything else takes a vowel (로그, 사이트).
func spelledSound(w string) final {
	ends := func(suffixes ...string) bool {
		for _, s := range suffixes {
			if strings.HasSuffix(w, s) {
				return true
			}
		}
		return false
	}
	switch {
	case ends("le", "l"):
		return rieul
	case ends("m", "n", "ng", "me", "ne"):
		return closed
	case ends("ck"):
		return closed
	case ends("p", "t", "k", "c", "b"):
		if len(w) < 2 || !isVowel(w[len(w)-2]) {
			return vowel // point 포인트, task 태스크
		}
		if len(w) >= 3 && isVowel(w[len(w)-3]) && !ends("c") {
			return vowel // break 브레이크, float 플로트
		}
		return closed
	}
	return vowel
}

func isVowel(b byte) bool { return strings.IndexByte("aeiou", b) >= 0 }
