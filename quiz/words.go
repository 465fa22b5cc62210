package quiz

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// CleanText is typed text in one canonical shape: marks that nobody sees
// removed, full-width forms folded, composed (NFC), spaces collapsed and
// trimmed. It keeps case, accents and inner spaces. ok is false when s is not
// valid UTF-8.
//
// NFC after width folding, not NFKC: NFKC would turn the letter ㄱ into a
// conjoining jamo and ² into 2.
func CleanText(s string) (clean string, ok bool) {
	if !utf8.ValidString(s) {
		return "", false
	}
	s = strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, s)
	s = norm.NFC.String(width.Fold.String(s))
	return strings.Join(strings.Fields(s), " "), true
}

// invisible runes come with text copied from web pages and chat programs:
// zero-width spaces and joiners, marks and embeddings of direction, the byte
// order mark. strings.Fields does not count U+200B as a space.
func invisible(r rune) bool {
	switch {
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return r == 0x2060 || r == 0xFEFF
}

// TextRule says what two texts may differ in and still be the same answer.
type TextRule struct {
	ExactCase    bool // Checkpoint is not checkpoint
	ExactAccents bool // retencion is not retención
	IgnoreSpaces bool // 체크 포인트 is 체크포인트
}

// SameText compares two texts under the rule. accents is true when they are
// the same only because accents were forgiven: the caller accepts and says so.
func SameText(a, b string, rule TextRule) (same, accents bool) {
	a, okA := CleanText(a)
	b, okB := CleanText(b)
	if !okA || !okB {
		return false, false
	}
	if !rule.ExactCase {
		a, b = cases.Fold().String(a), cases.Fold().String(b)
	}
	if rule.IgnoreSpaces {
		a, b = strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", "")
	}
	if a == b {
		return true, false
	}
	if rule.ExactAccents {
		return false, false
	}
	same = foldAccents(a) == foldAccents(b)
	return same, same
}

// foldAccents drops accents and keeps the tilde of ñ (U+0303), which makes
// another letter, not another stress: año is not ano. Hangul survives, because
// its jamo are not marks.
func foldAccents(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r != 0x0303 {
			return -1
		}
		return r
	}, norm.NFD.String(s))
	return norm.NFC.String(s)
}

// Glossary knows which terms mean the same. It is backed by assets/glossary.toml.
type Glossary interface {
	// Forms gives every accepted form of a term, in all languages, the
	// English one included; ok is false when the term is unknown.
	Forms(term string) (forms []string, ok bool)
}

// GlossaryFunc makes a Glossary from a function.
type GlossaryFunc func(term string) ([]string, bool)

// Forms calls the function.
func (f GlossaryFunc) Forms(term string) ([]string, bool) { return f(term) }
