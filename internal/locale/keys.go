package locale

import "strings"

// The letters of the Korean two-set keyboard, in the order of the Unicode
// syllables, as the Latin keys that type them.
var (
	initialKeys = []string{"r", "R", "s", "e", "E", "f", "a", "q", "Q", "t", "T", "d", "w", "W", "c", "z", "x", "v", "g"}
	vowelKeys   = []string{"k", "o", "i", "O", "j", "p", "u", "P", "h", "hk", "ho", "hl", "y", "n", "nj", "np", "nl", "b", "m", "ml", "l"}
	finalKeys   = []string{
		"", "r", "R", "rt", "s", "sw", "sg", "e", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg", "a", "q", "qt",
		"t", "T", "d", "w", "c", "z", "x", "v", "g",
	}
	// From U+3131: single letters, consonants and then vowels.
	letterKeys = []string{
		"r", "R", "rt", "s", "sw", "sg", "e", "E", "f", "fr", "fa", "fq", "ft", "fx", "fv", "fg", "a", "q", "Q", "qt",
		"t", "T", "d", "w", "W", "c", "z", "x", "v", "g",
		"k", "o", "i", "O", "j", "p", "u", "P", "h", "hk", "ho", "hl", "y", "n", "nj", "np", "nl", "b", "m", "ml", "l",
	}
)

// Keys are the Latin keys that were pressed for a text while a Korean input
// method was on: 벼ㅑㅅ is quit. What no such method makes stays as it is.
func Keys(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 0xAC00 && r <= 0xD7A3:
			n := int(r - 0xAC00)
			b.WriteString(initialKeys[n/(21*28)] + vowelKeys[n/28%21] + finalKeys[n%28])
		case r >= 0x3131 && int(r-0x3131) < len(letterKeys):
			b.WriteString(letterKeys[r-0x3131])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
