package quiz

import (
	"regexp"
	"slices"
	"strings"
)

// maxRaw bounds what was typed as one answer, in bytes.
const maxRaw = 64 << 10

// Answer is a raw answer that was read for its kind. A blank answer says
// nothing: it earns nothing and is not a try.
type Answer struct {
	Blank    bool
	Choice   []string // single, multiple, poll: ids, sorted
	True     bool
	Quantity Quantity
	Text     string   // text, script, YAML: as typed
	Order    []string // ids in the order given
	Pairs    [][2]string
	canon    string
}

// Canonical is the raw form that an answer file should hold: "a,c", "c a b",
// "1=b,2=a", "true", a number that reads the same in every language, or the
// text as typed.
func (a Answer) Canonical() string { return a.canon }

// ParseAnswer reads a raw answer in the form of its kind. The error is a
// [Problem]: the format is invalid, which is to be said and asked again, and
// which earns nothing when a file holds it.
func ParseAnswer(it *Item, lang Lang, raw string) (Answer, error) {
	if len(raw) > maxRaw {
		return Answer{}, problem(errAnswerTooLong, Pos{}, "Max", maxRaw)
	}
	clean, ok := CleanText(raw)
	if !ok {
		return Answer{}, problem(errAnswerEncoding, Pos{})
	}
	if clean == "" {
		return Answer{Blank: true}, nil
	}
	var a Answer
	var err error
	switch it.Kind {
	case Single, Poll, Multiple:
		if a.Choice, err = ids(clean, it.OptionIDs()); err != nil {
			return Answer{}, err
		}
		if len(a.Choice) != 1 && it.Kind != Multiple {
			return Answer{}, problem(errAnswerOne, Pos{}, "Value", raw)
		}
		slices.Sort(a.Choice)
		a.canon = strings.Join(a.Choice, ",")
	case OrderKind:
		if a.Order, err = ids(clean, it.OptionIDs()); err != nil {
			return Answer{}, err
		}
		a.canon = strings.Join(a.Order, " ")
	case Match:
		if a.Pairs, err = answerPairs(it, clean); err != nil {
			return Answer{}, err
		}
		parts := make([]string, len(a.Pairs))
		for i, p := range a.Pairs {
			parts[i] = p[0] + "=" + p[1]
		}
		a.canon = strings.Join(parts, ",")
	case TrueFalse:
		err = a.setBool(clean)
	case TextKind, Counterexample, Fix:
		a.Text, a.canon = raw, raw
	case Numeric, Output:
		switch it.Answer.Type {
		case TypeBoolean:
			err = a.setBool(clean)
		case TypeText:
			a.Text, a.canon = raw, raw
		default:
			if a.Quantity, err = parseQuantity(raw, it.Answer, lang); err == nil {
				a.canon = a.Quantity.canonical(it.Answer)
			}
		}
	}
	if err != nil {
		return Answer{}, err
	}
	return a, nil
}

func (a *Answer) setBool(clean string) error {
	switch strings.ToLower(clean) {
	case "true":
		a.True = true
	case "false":
	default:
		return problem(errAnswerBool, Pos{}, "Value", clean)
	}
	a.canon = strings.ToLower(clean)
	return nil
}

// ids reads ids between commas or spaces; each must be known and occur once.
func ids(clean string, known []string) ([]string, error) {
	parts := strings.FieldsFunc(strings.ToLower(clean), func(r rune) bool { return r == ',' || r == ' ' })
	if len(parts) == 0 {
		return nil, problem(errAnswerID, Pos{}, "Value", clean, "Want", strings.Join(known, " "))
	}
	for i, p := range parts {
		if !slices.Contains(known, p) {
			return nil, problem(errAnswerID, Pos{}, "Value", p, "Want", strings.Join(known, " "))
		}
		if slices.Contains(parts[:i], p) {
			return nil, problem(errAnswerTwice, Pos{}, "Value", p)
		}
	}
	return parts, nil
}

var aroundEquals = regexp.MustCompile(` ?= ?`)

// answerPairs reads 1=b,2=a (or with spaces); prompts may be left out. Two
// prompts may share an option: an item may want that.
func answerPairs(it *Item, clean string) ([][2]string, error) {
	clean = aroundEquals.ReplaceAllString(strings.ToLower(clean), "=")
	parts := strings.FieldsFunc(clean, func(r rune) bool { return r == ',' || r == ' ' })
	var lefts []string
	for _, p := range parts {
		left, right, ok := strings.Cut(p, "=")
		if !ok {
			return nil, problem(errAnswerPair, Pos{}, "Value", p)
		}
		if !slices.Contains(it.PromptIDs(), left) {
			return nil, problem(errAnswerID, Pos{}, "Value", left, "Want", strings.Join(it.PromptIDs(), " "))
		}
		if it.Option(right) == nil {
			return nil, problem(errAnswerID, Pos{}, "Value", right, "Want", strings.Join(it.OptionIDs(), " "))
		}
		if slices.Contains(lefts, left) {
			return nil, problem(errAnswerTwice, Pos{}, "Value", left)
		}
		lefts = append(lefts, left)
	}
	if len(parts) == 0 {
		return nil, problem(errAnswerPair, Pos{}, "Value", clean)
	}
	return readPairs(it, parts)
}
