package plain

import (
	"errors"
	"strings"

	"charm.land/lipgloss/v2"

	"streaminglab/internal/locale"
	"streaminglab/internal/markdown"
	"streaminglab/internal/progress"
	"streaminglab/lessons"
)

// Rewind puts the reader of a lesson back to its beginning.
func (a *App) Rewind(l *lessons.Lesson) {
	a.keep(progress.LessonPosition{Lesson: l.ID})
}

// Lesson prints a lesson and brings its live blocks to life. restart begins at
// its start instead of where the learner left off.
func (a *App) Lesson(l *lessons.Lesson, restart bool) error {
	d, err := a.document(l)
	if err != nil {
		return err
	}
	from := 0
	if seen := a.progress().Lessons[l.ID]; seen != nil && !restart && seen.Block > 0 && seen.Block < len(d.Blocks) {
		from = seen.Block
	}
	a.keep(progress.LessonOpened{Lesson: l.ID})
	a.print(d.Title)
	a.print(strings.Repeat("=", min(a.width(), lipgloss.Width(d.Title))), "")
	if from > 0 {
		a.say("plain.lesson.continue", locale.Args{"Section": a.section(l, from), "ID": l.ID})
		a.print("")
	} else {
		a.say("plain.lesson.intro", locale.Args{"Minutes": l.Minutes})
		a.print("")
	}
	for i := from; i < len(d.Blocks); i++ {
		if d.Blocks[i].Kind != markdown.Live {
			a.print(a.lines(d.RenderBlock(i, a.options()))...)
			a.print("")
			continue
		}
		a.keep(progress.LessonPosition{Lesson: l.ID, Block: i, Blocks: len(d.Blocks)})
		err := a.live(l, d.Blocks[i])
		for errors.Is(err, errLanguage) {
			a.switchLanguage()
			if d, err = a.document(l); err != nil {
				return err
			}
			err = a.live(l, d.Blocks[i])
		}
		switch {
		case errors.Is(err, errQuit):
			a.left("plain.lesson.left", locale.Args{"ID": l.ID})
			return nil
		case errors.Is(err, ErrInput) && !a.answered:
			// Nobody answers: the rest is printed for reading.
			a.rest(l, d, i+1)
			return nil
		case err != nil:
			return err
		}
		a.print("")
	}
	a.keep(progress.LessonPosition{Lesson: l.ID, Block: len(d.Blocks), Blocks: len(d.Blocks)})
	a.recall(d)
	a.ending(l)
	return nil
}

// rest prints a lesson without asking.
func (a *App) rest(l *lessons.Lesson, d *markdown.Document, from int) {
	a.print("")
	for i := from; i < len(d.Blocks); i++ {
		b := d.Blocks[i]
		if b.Kind != markdown.Live {
			a.print(a.lines(d.RenderBlock(i, a.options()))...)
		} else {
			a.introduce(b)
		}
		a.print("")
	}
	a.ending(l)
}

// recall shows what was answered to the polls of a lesson before it was read.
func (a *App) recall(d *markdown.Document) {
	for _, b := range d.Lives() {
		it, old := a.Library.Item(b.ID), a.progress().Items[b.ID]
		if b.Live != markdown.Poll || it == nil || old == nil || len(old.Answers) == 0 {
			continue
		}
		if lines := a.questions().Recall(it, old.Answers[len(old.Answers)-1].Raw); len(lines) > 0 {
			a.print(append(lines, "")...)
		}
	}
}

func (a *App) ending(l *lessons.Lesson) {
	if l.Quiz != "" && a.Library.Set(l.Quiz) != nil {
		a.print(a.render(a.text("plain.lesson.end-quiz", locale.Args{"Quiz": l.Quiz}))...)
		return
	}
	a.say("plain.lesson.end", nil)
}

// errLanguage says that the learner asked for the other language.
var errLanguage = errors.New("plain: language")

// live brings a live block to life.
func (a *App) live(l *lessons.Lesson, b markdown.Block) error {
	if b.Live == markdown.Sim {
		e, err := a.experiment(b.ID)
		if err != nil {
			return err
		}
		return a.bench(e, l.ID, true)
	}
	it := a.Library.Item(b.ID)
	if it == nil {
		return errors.New("lessons: no item " + b.ID)
	}
	old := a.progress().Items[b.ID]
	if old != nil && len(old.Answers) > 0 {
		return a.again(it, old.Answers[len(old.Answers)-1])
	}
	_, err := a.ask(it, asking{lesson: l.ID, seed: a.Seed, feedback: true})
	return err
}

// introduce prints a live block without opening it.
func (a *App) introduce(b markdown.Block) {
	if b.Live == markdown.Sim {
		if e, err := a.experiment(b.ID); err == nil {
			if inst, _, err := e.Instance(a.Seed); err == nil {
				a.experimentHead(inst)
			}
		}
		a.print(a.render(a.text("plain.sim.open", locale.Args{"ID": b.ID}))...)
		return
	}
	if it := a.Library.Item(b.ID); it != nil {
		if shown, err := a.mark().Present(a.context(), it, a.Seed); err == nil {
			a.question(shown, a.Seed, nil)
		}
	}
}
