package lessons

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed course.toml all:es all:ko
var embedded embed.FS

// Embedded is the tree of the course that the binary carries.
func Embedded() fs.FS { return embedded }

// CourseFile is the name of the table of contents.
const CourseFile = "course.toml"

// Languages are the languages of the course, which are its directories.
var Languages = []string{"es", "ko"}

// A Course is the table of contents.
type Course struct {
	Chapters []*Chapter
	files    fs.FS
}

// A Chapter is a list of lessons.
type Chapter struct {
	ID      string
	Titles  map[string]string
	Lessons []*Lesson
}

// A Lesson is one text in every language.
type Lesson struct {
	ID      string
	Chapter *Chapter
	// Number counts the lessons of the chapter from 1.
	Number  int
	File    string
	Minutes int
	// Covers are statements that the lesson teaches and its items ask; Rules
	// are rules of the ledger that it claims.
	Covers, Rules []string
	Quiz          string
	files         fs.FS
}

type courseFile struct {
	Chapter []struct {
		ID     string `toml:"id"`
		ES     title  `toml:"es"`
		KO     title  `toml:"ko"`
		Lesson []struct {
			ID      string   `toml:"id"`
			File    string   `toml:"file"`
			Minutes int      `toml:"minutes"`
			Covers  []string `toml:"covers"`
			Rules   []string `toml:"rules"`
			Quiz    string   `toml:"quiz"`
		} `toml:"lesson"`
	} `toml:"chapter"`
}

type title struct {
	Title string `toml:"title"`
}

// An Error is a mistake in course.toml, with a message id; Line counts from 1.
type Error struct {
	Line int
	ID   string
	Args map[string]any
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s %v", CourseFile, e.Line, e.ID, e.Args) }

// Load reads the table of contents of a tree (course.toml, es/, ko/).
func Load(files fs.FS) (*Course, error) {
	text, err := fs.ReadFile(files, CourseFile)
	if err != nil {
		return nil, &Error{1, "check.course-missing", nil}
	}
	var f courseFile
	meta, err := toml.Decode(string(text), &f)
	var pe toml.ParseError
	if errors.As(err, &pe) {
		return nil, &Error{pe.Position.Line, "check.course-syntax", map[string]any{"Detail": pe.Message}}
	}
	if err != nil {
		return nil, &Error{1, "check.course-syntax", map[string]any{"Detail": err.Error()}}
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return nil, &Error{lineOf(text, extra[0].String()), "check.course-key", map[string]any{"Key": extra[0].String()}}
	}
	c := &Course{files: files}
	seen := map[string]bool{}
	for _, ch := range f.Chapter {
		if ch.ID == "" || seen[ch.ID] || ch.ES.Title == "" || ch.KO.Title == "" {
			return nil, &Error{lineOf(text, ch.ID), "check.course-chapter", map[string]any{"ID": ch.ID}}
		}
		seen[ch.ID] = true
		chapter := &Chapter{ID: ch.ID, Titles: map[string]string{"es": ch.ES.Title, "ko": ch.KO.Title}}
		for _, l := range ch.Lesson {
			if l.ID == "" || seen[l.ID] || l.File == "" || strings.ContainsAny(l.File, `/\`) || l.Minutes < 1 {
				return nil, &Error{lineOf(text, l.ID), "check.course-lesson", map[string]any{"ID": l.ID}}
			}
			seen[l.ID] = true
			chapter.Lessons = append(chapter.Lessons, &Lesson{
				ID: l.ID, Chapter: chapter, Number: len(chapter.Lessons) + 1, File: l.File, Minutes: l.Minutes,
				Covers: l.Covers, Rules: l.Rules, Quiz: l.Quiz, files: files,
			})
		}
		c.Chapters = append(c.Chapters, chapter)
	}
	return c, nil
}

func lineOf(text []byte, what string) int {
	what = what[strings.LastIndexByte(what, '.')+1:]
	for i, l := range strings.Split(string(text), "\n") {
		if what != "" && !strings.HasPrefix(l, "#") && strings.Contains(l, what) {
			return i + 1
		}
	}
	return 1
}

// Lessons lists the lessons of all chapters in order.
func (c *Course) Lessons() []*Lesson {
	var out []*Lesson
	for _, ch := range c.Chapters {
		out = append(out, ch.Lessons...)
	}
	return out
}

// Lesson returns a lesson by id, or nil.
func (c *Course) Lesson(id string) *Lesson {
	for _, l := range c.Lessons() {
		if l.ID == id {
			return l
		}
	}
	return nil
}

// Next is the lesson behind l, or nil.
func (c *Course) Next(l *Lesson) *Lesson {
	all := c.Lessons()
	for i := range all {
		if all[i] == l && i+1 < len(all) {
			return all[i+1]
		}
	}
	return nil
}

// Path is the file of the text in a language, under the directory lessons.
func (l *Lesson) Path(lang string) string { return path.Join(lang, l.File) }

// Text is the text in a language.
func (l *Lesson) Text(lang string) ([]byte, error) { return fs.ReadFile(l.files, l.Path(lang)) }
