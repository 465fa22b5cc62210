package quiz

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestTyped holds what people type against what it means. Lines of input are
// Go strings in quotes where a character could not be seen otherwise.
func TestTyped(t *testing.T) {
	datadriven.Walk(t, "testdata/typed", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var b strings.Builder
			for _, line := range strings.Split(d.Input, "\n") {
				typed := line
				if s, err := strconv.Unquote(line); err == nil {
					typed = s
				}
				fmt.Fprintf(&b, "%s → %s\n", line, typedAs(t, d, typed))
			}
			return b.String()
		})
	})
}

func typedAs(t *testing.T, d *datadriven.TestData, typed string) string {
	lang := "es"
	d.MaybeScanArgs(t, "lang", &lang)
	shown := func(v string, err error) string {
		if err != nil {
			return err.Error()
		}
		return v
	}
	switch d.Cmd {
	case "clean":
		s, ok := CleanText(typed)
		return fmt.Sprintf("%+q %v", s, ok)
	case "number":
		n, err := ParseNumber(typed, Lang(lang))
		if err != nil {
			return err.Error()
		}
		return shown(decimalText(n), nil)
	case "same":
		rule := TextRule{ExactCase: d.HasArg("exact-case"), ExactAccents: d.HasArg("exact-accents"), IgnoreSpaces: d.HasArg("ignore-spaces")}
		var want string
		for _, arg := range d.CmdArgs {
			if arg.Key == "as" {
				want = strings.ReplaceAll(arg.Vals[0], "_", " ")
			}
		}
		same, accents := SameText(want, typed, rule)
		if accents {
			return "same but for accents"
		}
		return fmt.Sprint(same)
	case "integer", "decimal", "time", "duration":
		spec := AnswerSpec{Type: AnswerType(d.Cmd)}
		d.MaybeScanArgs(t, "unit", &spec.Unit)
		d.MaybeScanArgs(t, "day", &spec.Day)
		q, err := parseQuantity(typed, spec, Lang(lang))
		if err != nil {
			return err.Error()
		}
		canonical := q.canonical(spec)
		for _, l := range Languages { // the canonical form means the same to everybody
			again, err := parseQuantity(canonical, spec, l)
			if err != nil || !again.equal(q) {
				t.Errorf("%q is %q, which %s reads as %v (%v)", typed, canonical, l, again, err)
			}
		}
		return canonical
	}
	d.Fatalf(t, "unknown command %s", d.Cmd)
	return ""
}

// TestDecomposedHangulIsTheSameWord: a keyboard of macOS may send 11 runes.
func TestDecomposedHangulIsTheSameWord(t *testing.T) {
	decomposed := "\u110e\u1166\u110f\u1173\u1111\u1169\u110b\u1175\u11ab\u1110\u1173"
	if n := len([]rune(decomposed)); n != 11 {
		t.Fatalf("%d runes: the test file was normalised", n)
	}
	if same, accents := SameText("체크포인트", decomposed, TextRule{}); !same || accents {
		t.Error("not the same word")
	}
}
