package glossary

import (
	"strings"
	"testing"
)

// Terms are found as readers meet them: in the plural, before a particle, over
// a line end; the longer form wins, and a part of a word is no term.
func TestOccurrences(t *testing.T) {
	g, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ lang, text, want string }{
		{"es", "Los watermarks y las particiones.", "watermarks particiones"},
		{"es", "El estado con\nclave es estado.", "estado con\nclave|estado"},
		{"es", "Nada se ha dicho, salvo estadounidense.", ""},
		{"ko", "워터마크는 키별 상태를 바꾸지 않습니다.", "워터마크|키별 상태"},
		{"ko", "상태가 있습니다.", "상태"},
	} {
		var got []string
		for _, p := range g.Occurrences(c.lang, c.text) {
			got = append(got, c.text[p.Start:p.End])
		}
		want := strings.ReplaceAll(c.want, "|", " ")
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %q, want %q", c.text, s, want)
		}
	}
}
