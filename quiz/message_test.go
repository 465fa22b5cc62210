package quiz

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"testing"
	"text/template"

	"github.com/BurntSushi/toml"
)

// catalogue reads this package's sentences of one language.
func catalogue(t *testing.T, lang Lang) map[string]string {
	t.Helper()
	var text []byte
	err := fs.ErrNotExist
	for _, file := range []string{"../assets/locales/parts/quiz." + string(lang) + ".toml", "../assets/locales/" + string(lang) + "/quiz.toml"} {
		if errors.Is(err, fs.ErrNotExist) {
			text, err = os.ReadFile(file)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	if err := toml.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEveryMessageIsWordedInEveryLanguage: no id without a sentence, no
// sentence without an id, no argument that the code does not give, and no
// Korean particle after an argument whose ending nobody knows.
func TestEveryMessageIsWordedInEveryLanguage(t *testing.T) {
	variable := regexp.MustCompile(`\.([A-Z][a-z]+)`)
	particle := regexp.MustCompile("\\}\\}[`)]?(을|를|이|가|은|는|와|과|으로|로|에|의)( |$)")
	ids := MessageIDs()
	for _, lang := range Languages {
		texts := catalogue(t, lang)
		for _, id := range sortedKeys(ids) {
			text, ok := texts[id]
			if !ok {
				t.Errorf("%s: %s has no sentence", lang, id)
				continue
			}
			args := map[string]any{}
			for _, a := range ids[id] {
				args[a] = "x"
			}
			for _, m := range variable.FindAllStringSubmatch(text, -1) {
				if !slices.Contains(ids[id], m[1]) {
					t.Errorf("%s: %s uses %s, which it does not get", lang, id, m[1])
				}
			}
			tmpl, err := template.New(id).Option("missingkey=error").Parse(text)
			if err == nil {
				err = tmpl.Execute(&bytes.Buffer{}, args)
			}
			if err != nil {
				t.Errorf("%s: %v", lang, err)
			}
			if lang == Korean && particle.MatchString(text) {
				t.Errorf("%s: a particle after an argument: %s", id, text)
			}
		}
		for _, id := range sortedKeys(texts) {
			if _, ok := ids[id]; !ok {
				t.Errorf("%s: nothing says %s", lang, id)
			}
		}
	}
}

// TestNoMessageIDIsWrittenByHand: every id in the code is one of the list.
func TestNoMessageIDIsWrittenByHand(t *testing.T) {
	source, err := os.ReadFile("message.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"(quiz\.error\.[a-z-]+)"`).FindAllSubmatch(source, -1) {
		if _, ok := MessageIDs()[string(m[1])]; !ok {
			t.Errorf("%s is missing from MessageIDs", m[1])
		}
	}
	entries, _ := os.ReadDir(".")
	for _, e := range entries {
		text, err := os.ReadFile(e.Name())
		if err == nil && e.Name() != "message.go" && e.Name() != "message_test.go" && bytes.Contains(text, []byte(`"quiz.error.`)) && !bytes.HasSuffix([]byte(e.Name()), []byte("_test.go")) {
			t.Errorf("%s spells a message id", e.Name())
		}
	}
}
