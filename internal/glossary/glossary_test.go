package glossary

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"golang.org/x/text/unicode/norm"

	"streaminglab/assets"
)

func embedded(t testing.TB) *Glossary {
	t.Helper()
	g, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestEveryTermIsDefinedInBothLanguages(t *testing.T) {
	g := embedded(t)
	if len(g.Terms) < 270 {
		t.Errorf("only %d terms", len(g.Terms))
	}
	for _, term := range g.Terms {
		for _, l := range []string{"es", "ko"} {
			d := term.Define[l]
			if d == "" || !strings.HasSuffix(strings.TrimRight(d, ")`*+-DIU, "), ".") && !strings.HasSuffix(d, "?") {
				t.Errorf("%s: definition in %s: %q", term.ID, l, d)
			}
			if !norm.NFC.IsNormalString(d) {
				t.Errorf("%s: not composed in %s", term.ID, l)
			}
			for _, h := range g.Lint(l, d) {
				t.Errorf("%s: the definition in %s says %q", term.ID, l, h.Text)
			}
		}
		if strings.Contains(term.Define["ko"], "십시오") {
			t.Errorf("%s: register", term.ID)
		}
	}
}

func TestAnswersInEveryForm(t *testing.T) {
	g := embedded(t)
	for _, c := range []struct {
		term, answer string
		want         bool
	}{
		{"watermark", "watermark", true},
		{"watermark", " Water Mark ", true},
		{"watermark", "워터마크", true},
		{"watermark", "marca de agua", true}, // a vendor's word: right in an answer
		{"watermark", "Marca de agua", true},
		{"watermark", "high watermark", false},
		{"watermark", "", false},
		{"checkpoint", "체크 포인트", true},
		{"checkpoint", "체크포인트를", false}, // particles are not stripped
		{"checkpoint", "punto de control", true},
		{"exactly-once", "Exactly once", true},
		{"exactly-once", "exactamente una vez", true},
		{"exactly-once", "정확히 한번", true},
		{"emit", "to emit", true},
		{"emit", "emit", true},
		{"offset", "desplazamiento", true},
		{"barrier", "장벽", false},
		{"last-stable-offset", "LSO", true},
		{"late-record", "늦은 데이터", true},
		{"no-such-term", "x", false},
	} {
		if got := g.Accepts(c.term, c.answer); got != c.want {
			t.Errorf("%s %q: %v", c.term, c.answer, got)
		}
	}
	var ids []string
	for _, term := range g.Find("정렬") {
		ids = append(ids, term.ID)
	}
	if slices.Sort(ids); !slices.Equal(ids, []string{"aligned", "alignment"}) {
		t.Error(ids)
	}
}

func TestLint(t *testing.T) {
	g := embedded(t)
	for _, c := range []struct{ lang, text, want string }{
		{"es", "La marca de agua avanza.", "marca de agua→watermark"},
		{"es", "Las Marcas de agua avanzan.", "Marcas de agua→watermark"},
		{"es", "Los puntos\nde control, y las instantáneas.", "puntos\nde control→checkpoint instantáneas→snapshot"},
		{"es", "Las conmutaciones por error.", "conmutaciones por error→failover"},
		{"es", "Son las 12:00 en el reloj de la pared.", "reloj de la pared→hora real"},
		{"es", "El operador deja caer el registro.", "deja caer→descartar"},
		{"es", "El archivo `fichero.txt` y {{.fichero}} son código; fichero no.", "fichero→archivo compartido"},
		{"es", "```\nfichero\n```\nfin", ""},
		{"es", "https://example.org/fichero", ""},
		{"es", "ficherote, unfichero", ""},
		{"es", "El watermark, la carga de trabajo, ningún checkpoint completo falla; confirmar el commit.", ""},
		{"ko", "장벽은 흐릅니다. 장벽돌은 아닙니다.", "장벽→배리어"},
		{"ko", "스냅숏이 저장점에서 발사됩니다.", "스냅숏→스냅샷 저장점→세이브포인트 발사→트리거되다"},
		{"ko", "레코드를 떨어뜨립니다.", "떨어뜨립니다→버리다"},
		{"ko", "벽시계 시간", "벽시계→현재 시각"},
		{"ko", "파일 작업과 주제, 압축은 뜻에 따라 다릅니다. `장벽` {{.장벽}}", ""},
		{"ko", "The fichero in another language", ""},
	} {
		var got []string
		for _, h := range g.Lint(c.lang, c.text) {
			got = append(got, h.Text+"→"+h.Use)
			if c.text[h.Start:h.End] != h.Text {
				t.Errorf("%q: the place of %q is wrong", c.text, h.Text)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %q: got %q, want %q", c.lang, c.text, s, c.want)
		}
	}
}

// The gate for the catalogues: no message says what the glossary refuses.
func TestCataloguesFollowTheGlossary(t *testing.T) {
	g := embedded(t)
	for _, lang := range []string{"es", "ko"} {
		parts, err := fs.Glob(assets.Locales(), lang+"/*.toml")
		if err != nil || len(parts) == 0 {
			t.Fatal(parts, err)
		}
		for _, part := range parts {
			text, err := fs.ReadFile(assets.Locales(), part)
			if err != nil {
				t.Fatal(err)
			}
			var tree map[string]any
			if _, err := toml.Decode(string(text), &tree); err != nil {
				t.Errorf("%s: %v", part, err)
				continue
			}
			walk("", tree, func(id, s string) {
				if strings.HasSuffix(id, ".description") {
					return
				}
				for _, h := range g.Lint(lang, s) {
					t.Errorf("%s: %s says %q; write %q", part, id, h.Text, h.Use)
				}
			})
		}
	}
}

func walk(id string, v any, f func(id, s string)) {
	switch v := v.(type) {
	case string:
		f(id, v)
	case map[string]any:
		for k, x := range v {
			walk(strings.TrimPrefix(id+"."+k, "."), x, f)
		}
	}
}

func TestADefectiveGlossaryIsRefused(t *testing.T) {
	whole := "[[term]]\nid=\"a\"\nen=[\"a\"]\nes=[\"a\"]\nko=[\"가\"]\n"
	if _, err := Load([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		whole + whole, "[[term]]\nid=\"a\"\n", "[[term]]\nen=[\"a\"]\n", "x", whole + "colour=\"red\"\n",
		whole + "[[term.not]]\nform=\"b\"\nlang=\"fr\"\n",
	} {
		if _, err := Load([]byte(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func FuzzLint(f *testing.F) {
	for _, s := range []string{"marca de agua", "장벽은", "`fichero", "```\nfichero", "{{fichero", "\xff장벽\xff"} {
		f.Add(s)
	}
	g, err := Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, lang := range []string{"es", "ko"} {
			last := 0
			for _, h := range g.Lint(lang, s) {
				if h.Start < last || h.End > len(s) || s[h.Start:h.End] != h.Text {
					t.Fatal(fmt.Sprint(h))
				}
				last = h.End
			}
		}
		if n := Normalize(s); strings.ContainsAny(n, " -`") {
			t.Fatal(n)
		}
	})
}
