package plain

import (
	"fmt"
	"strconv"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/view"
	"streaminglab/lessons"
	"streaminglab/quiz"
)

// Home prints the course map and how to go on.
func (a *App) Home() error {
	p := a.progress()
	a.print(a.text("plain.home.title", nil), "")
	lesson, set := view.Next(a.Course, a.Library, p, a.complete)
	switch {
	case set != nil:
		a.say("plain.home.next-quiz", locale.Args{"Title": set.Titles[a.lang()], "ID": set.ID})
		a.print("")
	case lesson != nil && lesson.ID == p.Last.Lesson:
		a.say("plain.home.continue", locale.Args{"Title": a.title(lesson), "ID": lesson.ID, "Section": a.section(lesson, p.Last.Block)})
		a.print("")
	case lesson != nil:
		a.say("plain.home.next-lesson", locale.Args{"Title": a.title(lesson), "ID": lesson.ID})
		a.print("")
	}
	for _, ch := range a.Course.Chapters {
		a.print(a.text("plain.home.chapter", locale.Args{"Title": ch.Titles[string(a.Loc.Lang())]}))
		for _, l := range ch.Lessons {
			done, total := a.done(l)
			a.print(a.wrap(fmt.Sprintf("  %d. %s", l.Number, a.text("plain.home.lesson", locale.Args{
				"Title": a.title(l), "ID": l.ID, "Minutes": l.Minutes, "Done": done, "Total": total,
			})))...)
			if l.Quiz != "" {
				if s := a.Library.Set(l.Quiz); s != nil {
					a.print(a.wrap("     " + a.text("plain.home.quiz", locale.Args{"ID": s.ID, "Items": len(s.Members), "State": a.quizState(s.ID)}))...)
				}
			}
		}
	}
	a.print("")
	first := p.Last.Lesson
	if a.Course.Lesson(first) == nil && len(a.Course.Lessons()) > 0 {
		first = a.Course.Lessons()[0].ID
	}
	a.print(a.render(a.text("plain.home.how", locale.Args{"ID": first}))...)
	return nil
}

// Enter is the home of a person at a terminal: the map, and a choice that leads
// back here when it ends.
func (a *App) Enter() error {
	if !a.Prompting {
		return a.Home()
	}
	for {
		if err := a.Home(); err != nil {
			return err
		}
		a.print("")
		var choices []func() error
		lesson, set := view.Next(a.Course, a.Library, a.progress(), a.complete)
		next := 0 // what Enter opens
		offer := func(text string, do func() error) {
			choices = append(choices, do)
			a.print(a.wrap(fmt.Sprintf("%d. %s", len(choices), text))...)
		}
		for _, l := range a.Course.Lessons() {
			if l == lesson {
				next = len(choices) + 1
			}
			offer(a.text("plain.home.open-lesson", locale.Args{"Title": a.title(l)}), func() error { return a.Lesson(l, false) })
			if s := a.Library.Set(l.Quiz); s != nil {
				if s == set {
					next = len(choices) + 1
				}
				offer(a.text("plain.home.open-quiz", locale.Args{"Title": s.Titles[a.lang()]}), func() error {
					_, err := a.Quiz(s, QuizOptions{Pass: -1, Mode: quiz.Practice})
					return err
				})
			}
		}
		line, err := a.read(a.text("plain.home.prompt", nil))
		if err != nil {
			return nil
		}
		switch line = strings.TrimSpace(line); {
		case switches(line):
			a.switchLanguage()
		case quits(line):
			return nil
		default:
			n, err := strconv.Atoi(line)
			if line == "" {
				n, err = max(next, 1), nil
			}
			if err != nil || n < 1 || n > len(choices) {
				a.say("plain.item.choose", locale.Args{"Typed": quiz.Visible(line), "Max": len(choices)})
				continue
			}
			if err := choices[n-1](); err != nil {
				return err
			}
		}
		a.print("")
	}
}

func (a *App) quizState(id string) string {
	q := a.progress().Quizzes[id]
	switch {
	case q == nil:
		return a.text("plain.quiz.state-new", nil)
	case q.Finished.IsZero():
		return a.text("plain.quiz.state-open", locale.Args{"Done": len(answeredItems(q.Answers))})
	}
	return a.text("plain.quiz.state-done", nil)
}

// done counts the live blocks of a lesson that the learner has finished.
func (a *App) done(l *lessons.Lesson) (done, total int) {
	d, err := a.document(l)
	if err != nil {
		return 0, 0
	}
	p := a.progress()
	for _, b := range d.Lives() {
		total++
		switch b.Live {
		case markdown.Sim:
			if e := p.Experiments[b.ID]; e != nil && e.Reached {
				done++
			}
		default:
			if i := p.Items[b.ID]; i != nil && len(i.Answers) > 0 {
				done++
			}
		}
	}
	return done, total
}

// complete reports whether nothing in a lesson is left to do.
func (a *App) complete(l *lessons.Lesson) bool {
	done, total := a.done(l)
	return total > 0 && done == total
}

func (a *App) title(l *lessons.Lesson) string {
	d, err := a.document(l)
	if err != nil {
		return l.ID
	}
	return d.Title
}

// section is the heading above a block.
func (a *App) section(l *lessons.Lesson, block int) string {
	d, err := a.document(l)
	if err != nil {
		return ""
	}
	name := d.Title
	for _, c := range d.Contents() {
		if c.Block <= block {
			name = c.Text
		}
	}
	return name
}

// document reads a lesson in the present language.
func (a *App) document(l *lessons.Lesson) (*markdown.Document, error) {
	lang := string(a.Loc.Lang())
	text, err := l.Text(lang)
	if err != nil {
		return nil, err
	}
	d, problems := markdown.Parse("lessons/"+l.Path(lang), text)
	if d == nil && len(problems) > 0 {
		return nil, problems[0]
	}
	return d, nil
}
