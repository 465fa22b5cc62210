package main

import (
	"flag"
	"fmt"
	"html"
	"image/color"
	"io"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/vt"

	"streaminglab/assets"
	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/progress"
	"streaminglab/internal/tui"
	"streaminglab/lessons"
	"streaminglab/quiz"
	"streaminglab/quiz/engine"
)

// A scene is a screen to draw: keys from the home of a fresh learner.
type scene struct {
	name string
	w, h int
	keys []string
}

// broken is a bench on which one record was late and counted, another lost.
var broken = []string{
	"down", "down", "enter", "produce clicks/0 12:00:04 ana 2", "enter", "produce clicks/0 12:00:12 blas 1", "enter",
	"advance 200ms", "enter", "produce clicks/0 12:00:03 ana 1", "enter", "esc", "left",
}

// theme is the look that the name of a scene ends with.
func (s scene) theme() markdown.Theme {
	switch {
	case strings.HasSuffix(s.name, "-light"):
		return markdown.Light
	case strings.HasSuffix(s.name, "-mono"):
		return markdown.Mono
	case strings.HasSuffix(s.name, "-ansi16"):
		return markdown.ANSI16
	}
	return markdown.Dark
}

var scenes = []scene{
	{"home", 80, 24, nil},
	{"lesson", 80, 24, []string{"enter", "tab"}},
	{"bench", 80, 24, []string{"down", "down", "enter", "produce clicks/0 12:00:04 ana 2", "enter", "produce clicks/0 12:00:12 blas 1", "enter", "advance 200ms", "enter", "produce clicks/0 12:00:03 ana 1", "enter"}},
	{"bench-plane", 80, 24, []string{"down", "down", "enter", "produce clicks/0 12:00:04 ana 2", "enter", "produce clicks/0 12:00:12 blas 1", "enter", "advance 200ms", "enter", "produce clicks/0 12:00:03 ana 1", "enter", "esc", "v"}},
	{"bench-why", 80, 24, []string{"down", "down", "down", "down", "enter", "why", "enter"}},
	{"bench-wide", 120, 40, []string{"down", "down", "down", "down", "enter", "advance 6s", "enter", "esc", "left", "left"}},
	{"bench-small", 40, 15, []string{"down", "down", "down", "down", "enter", "esc"}},
	{"compare", 120, 40, []string{
		"down", "down", "enter", "produce clicks/0 12:00:12 ana 1", "enter", "advance 200ms", "enter", "produce clicks/0 12:00:04 ana 9", "enter",
		"set sources.clicks.watermark.bound 20s", "enter", "1", "enter", "compare fork-1", "enter",
	}},
	{"lesson-glossary", 80, 24, []string{"enter", "g"}},
	{"lesson-bench", 120, 40, []string{"enter", "tab", "tab", "enter", "esc", "left"}},
	{"lesson-small", 40, 15, []string{"enter"}},
	{"home-wide", 120, 40, nil},
	{"bench-light", 80, 24, broken},
	{"bench-mono", 80, 24, broken},
	{"bench-ansi16", 80, 24, broken},
	{"poll", 80, 24, []string{"enter", "enter"}},
	{"quiz", 80, 24, []string{"down", "down", "down", "down", "down", "down", "down", "enter", "enter"}},
	{"quiz-answered", 80, 24, []string{"down", "down", "down", "down", "down", "down", "down", "enter", "enter", "down", "enter"}},
	{"help", 80, 24, []string{"f1"}},
	{"bench-matrix", 80, 24, []string{"open:checkpoints"}},
	{"bench-matrix-wide", 120, 40, []string{"open:checkpoints", "esc"}},
	{"bench-timeline", 80, 24, []string{"open:checkpoints", "esc", "v"}},
	{"bench-store", 80, 24, []string{"open:checkpoints", "esc", "v", "v", "v"}},
	{"bench-barriers", 80, 24, []string{"open:aligned", "esc", "v", "v", "v"}},
	{"bench-recovery", 80, 24, []string{"open:crashes", "esc", "v", "v", "v", "v"}},
	{"bench-log", 80, 24, []string{"open:log"}},
	{"bench-transactions", 80, 24, []string{"open:transactions", "esc"}},
	{"bench-phases", 80, 24, []string{"open:phases", "esc"}},
	{"bench-latency", 80, 24, []string{"open:latency", "esc"}},
	{"bench-regions", 80, 24, []string{"open:regions", "esc", "v", "v", "v", "v", "v", "v"}},
}

func main() {
	out := flag.String("out", "docs/shots", "directory of the pictures")
	chromium := flag.String("chromium", "chromium", "the browser")
	ffmpeg := flag.String("ffmpeg", "ffmpeg", "what joins pictures to an animation")
	only := flag.String("only", "", "draw this scene only")
	sheets := flag.String("sheets", "", "draw each screen in every size and look into this directory instead")
	flag.Parse()
	if *sheets != "" {
		if err := drawSheets(*chromium, *sheets, *only); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		log.Fatal(err)
	}
	for _, s := range scenes {
		if *only != "" && s.name != *only {
			continue
		}
		for _, l := range locale.Langs {
			if err := draw(*chromium, filepath.Join(*out, s.name+"."+string(l)+".png"), s, l); err != nil {
				log.Fatal(err)
			}
		}
	}
	if *only != "" && *only != film.name {
		return
	}
	for _, l := range locale.Langs {
		if err := animate(*chromium, *ffmpeg, filepath.Join(*out, film.name+"."+string(l)+".gif"), film, l); err != nil {
			log.Fatal(err)
		}
	}
}

// film is what the animated picture shows: a record that comes behind the
// watermark and still counts, and one that comes too late, step by step.
var film = scene{"demo", 80, 24, []string{
	"down", "down", "enter", "produce clicks/0 12:00:04 ana 2", "enter", "produce clicks/0 12:00:12 blas 1", "enter",
	"advance 200ms", "enter", "produce clicks/0 12:00:03 ana 1", "enter", "esc", "left", "left", "left", "right", "right", "right", "w", "v",
}}

// animate draws one picture after each key and lets ffmpeg join them.
func animate(chromium, ffmpeg, file string, s scene, l locale.Lang) error {
	dir, err := os.MkdirTemp("", "film")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for i := range s.keys {
		part := s
		part.keys = s.keys[:i+1]
		if err := draw(chromium, filepath.Join(dir, fmt.Sprintf("%03d.png", i)), part, l); err != nil {
			return err
		}
	}
	cmd := exec.Command(ffmpeg, "-y", "-loglevel", "error", "-framerate", "0.8", "-i", filepath.Join(dir, "%03d.png"),
		"-vf", "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none", file)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", file, err, text)
	}
	return nil
}

func env(l locale.Lang, home string) (tui.Env, error) {
	course, err := lessons.Load(lessons.Embedded())
	if err != nil {
		return tui.Env{}, err
	}
	library, err := quiz.Load(quiz.Embedded())
	if err != nil {
		return tui.Env{}, err
	}
	tree, err := fs.Sub(assets.FS(), "experiments")
	if err != nil {
		return tui.Env{}, err
	}
	at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	return tui.Env{
		Loc: locale.New(l), Course: course, Library: library, Engine: engine.New(tree), Store: progress.Open(home),
		Now: func() time.Time { return at }, Seed: 1, Theme: markdown.Dark, NoMotion: true,
	}, nil
}

var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight, "f1": tea.KeyF1, "f2": tea.KeyF2,
}

// frame plays the keys of a scene and returns what stands on the screen.
func frame(s scene, l locale.Lang) (string, error) {
	home, err := os.MkdirTemp("", "shots")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(home)
	e, err := env(l, home)
	if err != nil {
		return "", err
	}
	e.Theme = s.theme()
	own, keys, err := opened(s.keys)
	if err != nil {
		return "", err
	}
	var m tea.Model = tui.New(e)
	if own != nil {
		m = tui.Open(e, own)
	}
	m, _ = m.Update(tea.WindowSizeMsg{Width: s.w, Height: s.h})
	for _, k := range keys {
		m.View() // as a terminal does: a key acts on what was drawn
		if code, ok := named[k]; ok {
			m, _ = m.Update(tea.KeyPressMsg{Code: code})
			continue
		}
		for _, r := range k {
			m, _ = m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
	}
	return m.View().Content, nil
}

// colours are the ink and the paper of a look.
func colours(t markdown.Theme) (ink, paper string) {
	ink, paper = "#d8dbe0", "#14161a"
	if t == markdown.Light {
		return paper, "#fafafa"
	}
	return ink, paper
}

func draw(chromium, file string, s scene, l locale.Lang) error {
	text, err := frame(s, l)
	if err != nil {
		return err
	}
	ink, paper := colours(s.theme())
	return photograph(chromium, file, paper, cells(text, s.w, s.h, 0, 0, ink, paper), s.w*9+16, s.h*20+16)
}

// photograph lets the browser draw a page of a size in pixels.
func photograph(chromium, file, paper, body string, w, h int) error {
	home, err := os.MkdirTemp("", "page")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	page := filepath.Join(home, "page.html")
	head := `<meta charset=utf-8><style>body{margin:0;background:` + paper + `}i,b{position:absolute}i{height:20px;font:normal 15px/20px "DejaVu Sans Mono","Noto Sans Mono CJK KR",monospace;white-space:pre;overflow:hidden}</style>`
	if err := os.WriteFile(page, []byte(head+body), 0o600); err != nil {
		return err
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
		"--user-data-dir="+filepath.Join(home, "profile"),
		fmt.Sprintf("--window-size=%d,%d", w, h), "--screenshot="+abs, "file://"+page)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", file, err, text)
	}
	return nil
}

func css(c color.Color, otherwise string) string {
	if c == nil {
		return otherwise
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// cells draws a frame with one element a cell, so that no font shifts a
// column, dx and dy pixels from the corner.
func cells(frame string, w, h, dx, dy int, ink, paper string) string {
	em := vt.NewEmulator(w, h)
	go io.Copy(io.Discard, em)
	io.WriteString(em, strings.ReplaceAll(frame, "\n", "\r\n"))
	var b strings.Builder
	fmt.Fprintf(&b, `<b style="left:%dpx;top:%dpx;width:%dpx;height:%dpx;background:%s"></b>`, dx, dy, w*9+16, h*20+16, paper)
	for y := range h {
		for x := 0; x < w; {
			c := em.CellAt(x, y)
			if c == nil || c.Width < 1 {
				x++
				continue
			}
			fg, bg := css(c.Style.Fg, ink), css(c.Style.Bg, "transparent")
			if c.Style.Attrs&32 != 0 {
				fg, bg = paper, ink
			}
			look := ""
			if c.Style.Attrs&1 != 0 {
				look += ";font-weight:bold"
			}
			if c.Style.Underline != 0 {
				look += ";text-decoration:underline"
			}
			if c.Style.Attrs&2 != 0 {
				look += ";opacity:.6"
			}
			if c.Content != " " || bg != "transparent" {
				fmt.Fprintf(&b, `<i style="left:%dpx;top:%dpx;width:%dpx;color:%s;background:%s%s">%s</i>`,
					dx+8+x*9, dy+8+y*20, c.Width*9, fg, bg, look, html.EscapeString(c.Content))
			}
			x += c.Width
		}
	}
	return b.String()
}
