package plain

import (
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/progress"
)

// AskLanguage asks once, in both languages, when nothing said which one.
func (a *App) AskLanguage() error {
	for i, l := range locale.Langs {
		a.print(a.Loc.In(l).Text("plain.language.choice", locale.Args{"N": i + 1}))
	}
	for {
		line, err := a.read("1/2>")
		if err != nil {
			return nil // no answer: the default stays, and the question comes again
		}
		for i, l := range locale.Langs {
			if t := strings.TrimSpace(line); t == string(rune('1'+i)) || strings.EqualFold(t, string(l)) {
				a.Loc = a.Loc.In(l)
				a.keep(progress.LanguageChosen{Lang: string(l)})
				return nil
			}
		}
	}
}

// LastLesson is the lesson where the learner left off, or the first one when
// the course has just one way to go on, or "".
func (a *App) LastLesson() string {
	if id := a.progress().Last.Lesson; a.Course.Lesson(id) != nil {
		return id
	}
	if all := a.Course.Lessons(); len(all) > 0 {
		return all[0].ID
	}
	return ""
}
