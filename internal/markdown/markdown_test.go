package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	xansi "github.com/charmbracelet/x/ansi"
	"github.com/cockroachdb/datadriven"

	"streaminglab/internal/locale"
)

// The stories in testdata: a text, what is asked of it, the exact answer.
// Escape sequences are shown as «…».
func TestStories(t *testing.T) {
	datadriven.Walk(t, "testdata/stories", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			// datadriven ends the input at an empty line; "." stands for one.
			input := regexp.MustCompile(`(?m)^\.$`).ReplaceAllString(td.Input, "")
			switch td.Cmd {
			case "problems":
				d, ps := Parse("l.md", []byte(input+"\n"))
				return fmt.Sprintf("title=%q\n", d.Title) + list(ps)
			case "lint":
				d, ps := ParseText("l.md", []byte(input+"\n"))
				return list(append(ps, d.Lint()...))
			case "blocks":
				d, _ := ParseText("l.md", []byte(input+"\n"))
				var b strings.Builder
				for _, bl := range d.Blocks {
					fmt.Fprintf(&b, "%d-%d %s level=%d lang=%q live=%q id=%q text=%q\n", bl.Line, bl.End, bl.Kind, bl.Level, bl.Lang, bl.Live, bl.ID, bl.Text)
				}
				return b.String()
			case "render":
				d, _ := ParseText("l.md", []byte(input+"\n"))
				return shown(Text(d.Render(options(t, td))))
			case "numbers":
				return strings.Join(figures(input, td.HasArg("es")), " | ") + "\n"
			case "compare":
				es, ko, _ := strings.Cut(input, "====\n")
				a, _ := ParseText("es.md", []byte(es))
				b, _ := ParseText("ko.md", []byte(ko))
				return list(Compare(a, b, true, false))
			}
			t.Fatalf("unknown command %s", td.Cmd)
			return ""
		})
	})
}

func options(t *testing.T, td *datadriven.TestData) Options {
	o := Options{Width: 40, Theme: Mono, Plain: td.HasArg("plain"), ASCII: td.HasArg("ascii")}
	if td.HasArg("width") {
		td.ScanArgs(t, "width", &o.Width)
	}
	if td.HasArg("theme") {
		var s string
		td.ScanArgs(t, "theme", &s)
		o.Theme = map[string]Theme{"dark": Dark, "light": Light, "ansi16": ANSI16, "mono": Mono}[s]
	}
	return o
}

func shown(s string) string {
	return regexp.MustCompile(`\x1b\[([0-9;]*)m`).ReplaceAllString(s, "«$1»")
}

func list(ps []Problem) string {
	if len(ps) == 0 {
		return "clean\n"
	}
	var b strings.Builder
	for _, p := range ps {
		b.WriteString(p.Error() + "\n")
	}
	return b.String()
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A lesson with everything in it fits at every width, in both languages, in
// every style, and its plain text has no escape sequence.
func TestSamplesFit(t *testing.T) {
	for _, name := range []string{"sample.es.md", "sample.ko.md"} {
		d, ps := Parse(name, read(t, name))
		for _, p := range append(ps, d.Lint()...) {
			t.Error(p)
		}
		for _, w := range append([]int{20, 33}, Widths...) {
			for _, o := range []Options{{Theme: Dark}, {Theme: Light}, {Theme: ANSI16}, {Theme: Mono}, {Plain: true}, {ASCII: true, Theme: Mono}} {
				o.Width = w
				for _, l := range d.Render(o) {
					if got := xansi.StringWidth(l.Text); got > w && !l.Code {
						t.Errorf("%s w=%d %+v: %d cells: %q", name, w, o, got, l.Text)
					}
					if o.Plain && strings.ContainsRune(l.Text, '\x1b') {
						t.Errorf("%s: an escape in plain text: %q", name, l.Text)
					}
					if o.ASCII && strings.ContainsAny(l.Text, "│─┼•") {
						t.Errorf("%s: a drawn sign in ASCII: %q", name, l.Text)
					}
					if strings.HasSuffix(l.Text, " ") {
						t.Errorf("%s: a blank at the end: %q", name, l.Text)
					}
				}
			}
		}
	}
}

func TestSamplesAreTheSameLesson(t *testing.T) {
	es, _ := Parse("sample.es.md", read(t, "sample.es.md"))
	ko, _ := Parse("sample.ko.md", read(t, "sample.ko.md"))
	for _, p := range Compare(es, ko, true, false) {
		t.Error(p)
	}
}

// Rendering must not use a document up: the screen is drawn many times.
func TestRenderingTwiceGivesTheSame(t *testing.T) {
	d, _ := Parse("sample.ko.md", read(t, "sample.ko.md"))
	o := Options{Width: 60, Theme: Dark}
	whole := Text(d.Render(o))
	if again := Text(d.Render(o)); again != whole {
		t.Error("the second rendering differs")
	}
	var parts []string
	for i := range d.Blocks {
		parts = append(parts, Text(d.RenderBlock(i, o)))
	}
	if got := strings.Join(parts, "\n"); got != whole {
		t.Errorf("the blocks one by one differ from the whole:\n%s", got)
	}
}

func TestLiveBlocksComeToLife(t *testing.T) {
	d, _ := ParseText("l.md", []byte("antes\n\n```sim time-1-first\n```\n"))
	o := Options{Width: 40, Plain: true, Live: func(b Block, w int) []string {
		return []string{fmt.Sprintf("<%s %s %d>", b.Live, b.ID, w)}
	}}
	if got := Text(d.Render(o)); got != "antes\n\n<sim time-1-first 40>\n" {
		t.Error(got)
	}
}

// A lesson is content: it must not be able to steer the terminal.
func TestControlCharactersDoNotReachTheScreen(t *testing.T) {
	d, _ := ParseText("l.md", []byte("uno \x1b]0;título\x07 dos &#27;[2J &#x9b;31m `a\x1b[31m` \u202etres\n\n    código \x1b[2J\n\n| a\x1b |\n|---|\n| &#7; |\n"))
	for _, plain := range []bool{true, false} {
		for _, l := range d.Render(Options{Width: 60, Theme: Mono, Plain: plain}) {
			text := xansi.Strip(l.Text)
			if !plain {
				l.Text = regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(l.Text, "")
			} else {
				text = l.Text
			}
			for _, r := range text + l.Text {
				if r < ' ' || r >= 0x7f && r < 0xa0 || invisible(r) {
					t.Errorf("%U in %q", r, l.Text)
				}
			}
		}
	}
}

// Every problem has a text in both languages, with exactly its arguments.
func TestProblemsHaveTexts(t *testing.T) {
	ids := map[string]bool{}
	files, _ := filepath.Glob("*.go")
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"(markdown\.[a-z0-9.]*[a-z0-9])"`).FindAllStringSubmatch(string(b), -1) {
			ids[m[1]] = true
		}
	}
	for _, side := range []string{"lacks", "has"} {
		ids["markdown.parity.rule."+side], ids["markdown.parity.number."+side] = true, true
	}
	for _, l := range locale.Langs {
		texts := locale.Strict(t, l)
		for id := range ids {
			if !texts.Has(id) {
				t.Errorf("%s: no text for %s", l, id)
			}
		}
	}
	broken, ps := Parse("l.md", []byte("---\nfoo: 1\nbar\n---\n\n```sim X\nbody\n```\n\n- a\n\n  ```item x\n  ```\n\n**워터마크(watermark)**가 ![i](x) <b>n\u0303</b> \x07\n"))
	ps = append(ps, broken.Lint()...)
	other, _ := ParseText("o.md", []byte("# x\n\nEV-6.2 45\n"))
	ps = append(ps, Compare(broken, other, true, false)...)
	ps = append(ps, Compare(other, broken, true, false)...)
	for _, l := range locale.Langs {
		texts := locale.Strict(t, l)
		for _, p := range ps {
			texts.Text(p.ID, p.Args)
		}
	}
	if len(ps) < 12 {
		t.Errorf("only %d problems: %v", len(ps), ps)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"sample.es.md", "sample.ko.md"} {
		f.Add(read(f, name))
	}
	for _, s := range []string{"", "---", "---\n---\n", "---\ntitle: x\n---\n```sim\n", "```sim a\n```\n> ```poll b\n> ```\n",
		"| a | b |\n|:-:|\n| c", "1. - 1. - > # x\n", "**가**(a)가**", "&#27;\t\x1b", "- [ ]\n- [x] a\n", "![a](b) [c](d) <e>", "99999999. a\n100000000. b", "0\n0\n:-", "a\n|b|\n|-|\n|c|\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4<<10 {
			return
		}
		d, ps := Parse("f.md", src)
		for _, p := range append(ps, d.Lint()...) {
			if p.ID == "markdown.width" {
				t.Fatalf("a line is too wide: %v", p)
			}
			if p.Line < 1 || p.Line > len(d.lines) {
				t.Fatalf("%v has no place", p)
			}
		}
		for i, b := range d.Blocks {
			if b.Line < 1 || b.End < b.Line || i > 0 && b.Line < d.Blocks[i-1].Line {
				t.Fatalf("block %d at %d-%d", i, b.Line, b.End)
			}
		}
		d.Contents()
		if ps := Compare(d, d, true, true); len(ps) > 0 {
			t.Fatalf("a lesson is the same as itself: %v", ps)
		}
		for _, l := range d.Render(Options{Width: 40, Plain: true}) {
			if strings.ContainsRune(l.Text, '\x1b') {
				t.Fatalf("an escape: %q", l.Text)
			}
		}
	})
}

func BenchmarkRender(b *testing.B) {
	src := read(b, "sample.ko.md")
	d, _ := Parse("sample.ko.md", src)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		d.Render(Options{Width: 80, Theme: Dark})
	}
}

// A name is broken at its hyphen only where a whole line has no room for it.
func TestNamesStayWhole(t *testing.T) {
	text := "La opción `execution.checkpointing.data-inline-threshold` y el archivo s3://lab/chk-1/totals-0-keyed, con `--allow-non-restored-state` y EV-1.2: 옵션 `data-inline-threshold`를 체크포인트 chk-12에서 씁니다."
	d, _ := ParseText("", []byte(text))
	for width := MinWidth; width <= 100; width++ {
		plain := strings.Split(strings.TrimRight(Text(d.Render(Options{Width: width, Plain: true})), "\n"), "\n")
		for how, lines := range map[string][]string{"Wrap": Wrap(text, width), "Render": plain} {
			shown := " " + strings.Join(lines, " ") + " "
			for _, w := range strings.Fields(text) {
				if Width(w) <= width && !strings.Contains(shown, " "+w+" ") {
					t.Errorf("%s at %d parts %s:\n%s", how, width, w, strings.Join(lines, "\n"))
				}
			}
			if strings.ContainsRune(shown, tiedHyphen) {
				t.Errorf("%s at %d leaves a sign behind", how, width)
			}
			for _, l := range lines {
				if Width(l) > width {
					t.Errorf("%s at %d is wider: %s", how, width, l)
				}
			}
		}
	}
}

// A word that is wider than a line is broken where a reader breaks it, and
// nothing of it is lost.
func TestLongNames(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"KafkaSinkBuilder.setTransactionalIdPrefix", 18, "KafkaSinkBuilder.|setTransactionalId|Prefix"},
		{"en transactional-id-prefix", 16, "en|transactional-|id-prefix"},
		{"execution.checkpointing.interval", 10, "execution.|checkpoint|ing.|interval"},
		{"\x1b[33mkafka-transactions\x1b[m.", 12, "kafka-|transactions|."},
		{"체크포인트체크포인트", 8, "체크포인|트체크포|인트"},
		{"un texto corto", 8, "un texto|corto"},
	} {
		lines := Wrap(c.text, c.width)
		for i := range lines {
			lines[i] = strings.TrimSpace(regexp.MustCompile(`\x1b\[[0-9;]*m`).ReplaceAllString(lines[i], ""))
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%q at %d: %s, not %s", c.text, c.width, got, c.want)
		}
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("KafkaSinkBuilder.setTransactionalIdPrefix [12:00:00, 12:00:05) 체크포인트", 12)
	f.Add("\x1b[33ma-b\x1b[m|c", 1)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if len(s) > 500 || string(harmless([]byte(s))) != s {
			return
		}
		width = max(width%100, 1)
		text := parted(s, width)
		if strings.ReplaceAll(text, " ", "") != strings.ReplaceAll(s, " ", "") {
			t.Errorf("%q became %q", s, text)
		}
		if strings.Contains(s, " ") {
			return
		}
		// Of a single word every blank is a break.
		words := strings.Split(text, " ")
		for i := 1; i < len(words); i++ {
			if Width(words[i-1])+1+Width(words[i]) <= width {
				t.Errorf("%q at %d: %q and %q have room in one line", s, width, words[i-1], words[i])
			}
		}
	})
}
