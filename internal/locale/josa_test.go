package locale

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// The table reads "word → word with its particle", one a line, by the pair
// that stands above.
func TestJosaFollowsTheSound(t *testing.T) {
	text, err := os.ReadFile("testdata/josa.txt")
	if err != nil {
		t.Fatal(err)
	}
	pair, n := "", 0
	for i, line := range strings.Split(string(text), "\n") {
		line, _, _ = strings.Cut(line, " ## ")
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			pair = strings.TrimPrefix(line, "== ")
		default:
			word, want, ok := strings.Cut(line, " → ")
			if !ok {
				t.Fatalf("line %d: %q", i+1, line)
			}
			got, err := Josa(pair, word)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			if got != want {
				t.Errorf("line %d: got %s, want %s", i+1, got, want)
			}
			n++
		}
	}
	if n < 100 {
		t.Errorf("only %d words were tried", n)
	}
}

func TestJosaPairs(t *testing.T) {
	for pair, want := range map[string]string{"을/를": "LSO를", "를/을": "LSO를", "으로/로": "LSO로", "이라는/라는": "LSO라는"} {
		if got, err := Josa(pair, "LSO"); err != nil || got != want {
			t.Errorf("%s: %s %v", pair, got, err)
		}
	}
	if _, err := Josa("에/에서", "LSO"); err == nil {
		t.Error("에/에서 does not depend on the sound: asking for it is a mistake")
	}
}

func FuzzJosa(f *testing.F) {
	for _, s := range []string{"워터마크", "[0,5)", "잡(job)", "`clicks/0`", "((", "1,000", "Flink 2.2.1", "(", "é", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Josa("을/를", s)
		if err != nil || got != s+"을" && got != s+"를" {
			t.Fatalf("%q %v", got, err)
		}
		_ = utf8.ValidString(got)
	})
}
