package quiz

import (
	"math/big"
	"time"
)

func readAnswerSpec(t *table, kind Kind) AnswerSpec {
	spec := AnswerSpec{}
	needed := kind == Numeric || kind == Output
	at := t.child("answer", needed)
	if kind == TextKind {
		spec.Type = TypeText
	}
	if at == nil {
		return spec
	}
	defer at.close()
	switch kind {
	case Numeric:
		spec.Type = AnswerType(at.word("type", true, string(TypeInteger), string(TypeDecimal), string(TypeTime), string(TypeDuration)))
	case Output:
		spec.Type = AnswerType(at.word("type", true, string(TypeInteger), string(TypeDecimal), string(TypeTime), string(TypeDuration), string(TypeText), string(TypeBoolean)))
	case TextKind:
	default:
		// How strings in the values of options are read.
		spec.Type = AnswerType(at.word("type", true, string(TypeInteger), string(TypeDecimal), string(TypeTime), string(TypeDuration)))
	}
	switch spec.Type {
	case TypeText:
		spec.Text.ExactCase = at.word("case", false, "fold", "exact") == "exact"
		spec.Text.ExactAccents = at.word("accents", false, "lenient", "exact") == "exact"
		spec.Text.IgnoreSpaces = at.word("spaces", false, "keep", "ignore") == "ignore"
		spec.Glossary = at.flag("glossary")
	case TypeBoolean:
	default:
		spec.Unit = at.text("unit", false)
		if _, known := unitMillis(spec.Unit); spec.Type == TypeDuration && spec.Unit != "" && !known {
			at.fail("unit", errUnknownWord, "Value", spec.Unit, "Want", unitNames)
		}
		spec.Tolerance = at.decimal("tolerance")
		spec.Relative = at.decimal("relative")
		if spec.Type == TypeTime {
			spec.Day = at.text("day", false)
			if _, err := time.Parse(time.DateOnly, spec.Day); spec.Day != "" && err != nil {
				at.fail("day", errTimeFormat, "Value", spec.Day)
			}
		}
	}
	return spec
}

// decimal reads an exact number that is not negative.
func (t *table) decimal(key string) Score {
	switch v := t.literal(key).(type) {
	case int64:
		if v >= 0 {
			return Points(int(v))
		}
		t.fail(key, errOutOfRange, "Value", v, "Min", 0, "Max", "")
	case *big.Rat:
		if v.Sign() >= 0 {
			return Score{v}
		}
		t.fail(key, errOutOfRange, "Value", v.FloatString(4), "Min", 0, "Max", "")
	case nil:
	default:
		t.wrongType(key, "number")
	}
	return Score{}
}
