package check

import (
	"context"
	"io/fs"
	"path"

	xansi "github.com/charmbracelet/x/ansi"

	"streaminglab/internal/markdown"
	"streaminglab/lessons"
)

// codeWidth is what a line of code must fit into: it is not wrapped, so that it
// can be copied. Lines of prose are linted at every width by markdown.
const codeWidth = 80

// lessons checks the texts: that they parse, that the languages have the same
// structure and figures, terms, signs, widths, and that what they name exists.
func (k *checker) lessons(context.Context) error {
	k.live = map[string]map[string]*markdown.Document{}
	for _, l := range k.course.Lessons() {
		for _, lang := range lessons.Languages {
			file := "lessons/" + l.Path(lang)
			text, err := l.Text(lang)
			if err != nil {
				k.problem("lessons/"+lessons.CourseFile, 0, "no-text", "File", file)
				continue
			}
			d, problems := markdown.Parse(file, text)
			for _, p := range problems {
				k.add(file, p.Line, "text", p)
			}
			if d == nil {
				continue
			}
			if k.live[lang] == nil {
				k.live[lang] = map[string]*markdown.Document{}
			}
			k.live[lang][l.ID] = d
			k.lint(file, 0, lang, d)
			k.named(file, d)
			k.wide(file, d)
		}
		if es, ko := k.live["es"][l.ID], k.live["ko"][l.ID]; es != nil && ko != nil {
			for _, p := range markdown.Compare(es, ko, true, false) {
				k.add(p.File, p.Line, "parity", p)
			}
		}
		k.claims(l)
	}
	k.unlisted()
	return nil
}

// unlisted finds texts that no learner reaches: course.toml does not name them.
func (k *checker) unlisted() {
	listed := map[string]bool{}
	for _, l := range k.course.Lessons() {
		listed[l.File] = true
	}
	for _, lang := range lessons.Languages {
		entries, _ := fs.ReadDir(k.Files, path.Join("lessons", lang)) // without it each text is missing
		for _, e := range entries {
			if name := e.Name(); path.Ext(name) == ".md" && !listed[name] {
				k.problem(path.Join("lessons", lang, name), 0, "unlisted-lesson", "File", name)
			}
		}
	}
}

// terms demands the glossary of a course: without it those of lab would be
// checked in silence.
func (k *checker) terms(context.Context) error {
	if _, err := fs.Stat(k.Files, glossaryFile); err != nil {
		k.problem(glossaryFile, 0, "no-glossary", "File", glossaryFile)
	}
	return nil
}

const glossaryFile = "assets/glossary.toml"

// named checks that every live block names something that exists.
func (k *checker) named(file string, d *markdown.Document) {
	for _, b := range d.Lives() {
		switch {
		case b.Live == markdown.Sim:
			if !k.exists(b.ID) {
				k.problem(file, b.Line, "unknown-experiment", "ID", b.ID)
			}
		case k.library.Item(b.ID) == nil:
			k.problem(file, b.Line, "unknown-item", "ID", b.ID)
		}
	}
}

func (k *checker) wide(file string, d *markdown.Document) {
	reported := map[int]bool{}
	for _, l := range d.Render(markdown.Options{Width: codeWidth, Plain: true}) {
		if l.Code && xansi.StringWidth(l.Text) > codeWidth && !reported[l.Block] {
			reported[l.Block] = true
			k.problem(file, d.Blocks[l.Block].Line, "wide", "Width", codeWidth)
		}
	}
}

// claims checks that the rules that a text names are those of course.toml.
func (k *checker) claims(l *lessons.Lesson) {
	d := k.live["es"][l.ID]
	if d == nil {
		return
	}
	known := map[string]bool{}
	for _, r := range l.Rules {
		known[r] = true
	}
	for _, r := range d.Structure(true).Rules {
		if !k.Rules(r) {
			k.problem(d.File, 0, "unknown-rule", "Rule", r)
		} else if !known[r] {
			k.problem(d.File, 0, "unclaimed-rule", "Rule", r, "Lesson", l.ID)
		}
	}
}
