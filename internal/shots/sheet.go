package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"streaminglab/internal/locale"
)

// A screen is drawn in every size and look.
type screen struct {
	name string
	keys []string
}

// lateRecord leaves a bench with one record behind the watermark.
var lateRecord = broken[:len(broken)-2]

var screens = []screen{
	{"home", nil},
	{"lesson", []string{"enter", "down", "down"}},
	{"lesson-contents", []string{"enter", "t"}},
	{"lesson-search", []string{"enter", "/", "watermark"}},
	{"lesson-glossary", []string{"enter", "g"}},
	{"poll", []string{"enter", "enter"}},
	{"bench-line", lateRecord},
	{"bench-picture", broken},
	{"bench-steps", append(slices.Clone(broken), "v")},
	{"bench-plane", append(slices.Clone(broken), "v", "v")},
	{"bench-table", append(slices.Clone(broken), "v", "v", "v")},
	{"bench-why", append(slices.Clone(broken), "w")},
	{"bench-job", append(slices.Clone(broken), "j")},
	{"bench-error", append(slices.Clone(lateRecord), "produec clicks/0 1 a 1", "enter")},
	{"bench-hint", append(slices.Clone(lateRecord), "hint", "enter")},
	{"bench-idle", []string{"down", "down", "down", "down", "enter", "esc"}},
	{"compare", scenes[slices.IndexFunc(scenes, func(s scene) bool { return s.name == "compare" })].keys},
	{"quiz", []string{"down", "down", "down", "down", "down", "down", "down", "enter", "enter"}},
	{"quiz-answered", []string{"down", "down", "down", "down", "down", "down", "down", "enter", "enter", "down", "enter"}},
	{"help", []string{"f1"}},
	{"matrix-line", []string{"open:checkpoints"}},
	{"matrix-picture", []string{"open:checkpoints", "esc", "left", "left", "left", "left"}},
	{"matrix-row", []string{"open:checkpoints", "esc", "down", "down"}},
	{"timeline", []string{"open:checkpoints", "esc", "v"}},
	{"levels", []string{"open:checkpoints", "esc", "v", "v"}},
	{"store", []string{"open:checkpoints", "esc", "v", "v", "v"}},
	{"barriers-aligned", []string{"open:aligned", "esc", "v", "v", "v"}},
	{"barriers-unaligned", []string{"open:unaligned", "esc", "v", "v", "v", "left", "left"}},
	{"recovery", []string{"open:crashes", "esc", "v", "v", "v", "v"}},
	{"recovery-regions", []string{"open:regions", "esc", "v", "v", "v", "v", "v", "v"}},
	{"barriers-regions", []string{"open:regions", "esc", "v", "v", "v", "v", "v"}},
	{"log", []string{"open:log"}},
	{"log-picture", []string{"open:log", "esc", "left", "left"}},
	{"log-sink", []string{"open:sink-log", "esc"}},
	{"transactions", []string{"open:transactions", "esc"}},
	{"phases", []string{"open:phases", "esc"}},
	{"latency", []string{"open:latency", "esc"}},
	{"compare-checkpoints", []string{"open:backends", "advance 1s", "enter", "set flinkConfiguration.state.backend.type hashmap", "enter", "1", "enter", "compare fork-1", "enter"}},
}

var sizes = [][2]int{{80, 24}, {120, 40}, {40, 15}}

// looks are the themes, by the end of a scene's name.
var looks = []string{"", "-light", "-mono", "-ansi16"}

// drawSheets draws one picture for each screen, size and language: all looks
// beside each other.
func drawSheets(chromium, dir, only string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, sc := range screens {
		if only != "" && sc.name != only {
			continue
		}
		for _, l := range locale.Langs {
			for _, size := range sizes {
				var body strings.Builder
				columns := 2
				if size[0] < 80 {
					columns = len(looks)
				}
				w, h := size[0]*9+24, size[1]*20+24
				for i, look := range looks {
					s := scene{sc.name + look, size[0], size[1], sc.keys}
					text, err := frame(s, l)
					if err != nil {
						return err
					}
					ink, paper := colours(s.theme())
					body.WriteString(cells(text, s.w, s.h, i%columns*w, i/columns*h, ink, paper))
				}
				file := filepath.Join(dir, fmt.Sprintf("%s.%s.%dx%d.png", sc.name, l, size[0], size[1]))
				if err := photograph(chromium, file, "#7f7f7f", body.String(), columns*w, len(looks)/columns*h); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
