package quiz

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// TestEveryKindHasAnExampleThatIsRight: authors copy from these files.
func TestEveryKindHasAnExampleThatIsRight(t *testing.T) {
	lib := testLibrary(t)
	for _, kind := range Kinds {
		it := lib.Item("example-" + string(kind))
		if it == nil {
			t.Errorf("no example of kind %s", kind)
			continue
		}
		if it.Kind != kind {
			t.Errorf("example-%s is of kind %s", kind, it.Kind)
		}
	}
	if found := Check(t.Context(), CheckRequest{Library: lib, Engine: newToyEngine(), Glossary: toyGlossary}); len(found) > 0 {
		t.Errorf("the check finds\n%v", found)
	}
}

// TestTheEmbeddedContentCanBeRead: what ships parses, and its references hold.
func TestTheEmbeddedContentCanBeRead(t *testing.T) {
	lib, err := Load(Embedded())
	if err != nil {
		t.Fatal(err)
	}
	if len(lib.Items()) == 0 || len(lib.Sets()) == 0 {
		t.Error("there should be something to ask")
	}
}

// TestItemMistakes: what an author gets to read for each slip. A case edits
// one example (`old => new`) or is a whole file.
func TestItemMistakes(t *testing.T) {
	datadriven.RunTest(t, "testdata/items/mistakes.txt", func(t *testing.T, d *datadriven.TestData) string {
		var err error
		switch d.Cmd {
		case "edit":
			var id string
			d.ScanArgs(t, "item", &id)
			old, changed, _ := strings.Cut(d.Input, "=>")
			old, changed = strings.TrimSpace(old), strings.TrimSpace(changed)
			_, err = ParseItem("bank/"+id+".toml", editItem(t, id, old, changed))
		case "file":
			_, err = ParseItem("bank/x.toml", []byte(d.Input))
		case "set":
			_, err = ParseSet("sets/x.toml", []byte(d.Input))
		case "misconceptions":
			_, err = ParseMisconceptions("misconceptions.toml", []byte(d.Input))
		default:
			d.Fatalf(t, "unknown command %s", d.Cmd)
		}
		if err == nil {
			return "accepted"
		}
		return err.Error()
	})
}

// TestPositionsOfKeys: each key knows its own line, in arrays of tables too,
// behind strings that look like TOML.
func TestPositionsOfKeys(t *testing.T) {
	datadriven.RunTest(t, "testdata/items/positions.txt", func(t *testing.T, d *datadriven.TestData) string {
		places := tomlPlaces(d.Input)
		var b strings.Builder
		for _, path := range sortedKeys(places) {
			line, col := lineAndColumn(d.Input, places[path])
			fmt.Fprintf(&b, "%q %d:%d\n", path, line, col)
		}
		return b.String()
	})
}

// TestAVariantIsFilledFromTheSeed: stem, options and expressions of an item
// with ${bound} change together, and the original stays as it was.
func TestAVariantIsFilledFromTheSeed(t *testing.T) {
	it := testLibrary(t).Item("example-single")
	m := &Marker{Engine: newToyEngine()}
	var seen []string
	for seed := range uint64(3) {
		shown, err := m.Present(t.Context(), it, seed)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(shown.Texts[Spanish].Stem, "${") {
			t.Errorf("seed %d: %s", seed, shown.Texts[Spanish].Stem)
		}
		seen = append(seen, shown.Options[0].Texts[Korean].Text+" "+shown.Options[1].Texts[Spanish].Text)
	}
	want := "[12:00:05.999 12:00:06 12:00:04.999 12:00:05 12:00:01.999 12:00:02]"
	if fmt.Sprint(seen) != want {
		t.Errorf("options are %v, want %s", seen, want)
	}
	if !strings.Contains(it.Texts[Spanish].Stem, "${bound}") {
		t.Error("the item itself was written to")
	}
}

// TestTheSeedOrdersTheQuiz: the same for everybody with the same seed, each
// member once, and different for some other seed.
func TestTheSeedOrdersTheQuiz(t *testing.T) {
	lib := testLibrary(t)
	set := lib.Set("example")
	first := set.Order(1)
	if fmt.Sprint(first) != fmt.Sprint(set.Order(1)) {
		t.Error("not the same twice")
	}
	if len(first) != len(set.Members) || fmt.Sprint(first) == fmt.Sprint(set.Order(2)) {
		t.Errorf("orders: %v and %v", first, set.Order(2))
	}
	if got := set.OptionOrder(lib.Item("example-multiple"), 1); fmt.Sprint(got) != "[a b c]" {
		t.Errorf("keep_order is not kept: %v", got)
	}
	var none *Set
	if got := none.OptionOrder(lib.Item("example-single"), 1); fmt.Sprint(got) != "[a b c]" {
		t.Errorf("outside a quiz: %v", got)
	}
}

func FuzzParseItem(f *testing.F) {
	entries, err := os.ReadDir("testdata/bank")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile("testdata/bank/" + e.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("id = \"x\"\nkind = 'single'\noption = [{id='a'}, {id='b', es={text='''x'''}}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		it, err := ParseItem("bank/x.toml", data)
		if err == nil && (it == nil || it.Kind == "") {
			t.Error("neither an item nor an error")
		}
		_, _ = ParseSet("sets/x.toml", data)
		_, _ = ParseMisconceptions("misconceptions.toml", data)
	})
}
