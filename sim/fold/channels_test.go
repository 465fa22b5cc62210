package fold_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"streaminglab/sim/fold"
	"streaminglab/sim/world"
)

// What the folds over channels and attempts say of runs of the simulator.
// Directives:
//
//	job       a job file: a new world starts it
//	type      command lines; with `steps` also what the channels were after each
//	          of their steps
//	channels  what waits, and how far each subtask is
//	recovery  the attempts
func TestChannels(t *testing.T) {
	datadriven.Walk(t, "testdata/channels", func(t *testing.T, path string) {
		var w *world.World
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var b strings.Builder
			switch d.Cmd {
			case "job":
				w = world.New(world.Config{Files: map[string][]byte{"job.yaml": []byte(d.Input)}, Seed: 1})
				if err := w.Start("job job.yaml", "job.yaml"); err != nil {
					return err.Error() + "\n"
				}
			case "type":
				for _, text := range strings.Split(d.Input, "\n") {
					before := w.Trace().Len()
					if said := typed(t, w, text); !strings.HasPrefix(said, "> ") && said != "" {
						b.WriteString(said)
					}
					for n := before + 1; d.HasArg("steps") && n <= w.Trace().Len(); n++ {
						fmt.Fprintf(&b, "%s %s\n", w.Trace().Step(n).At, w.Trace().Step(n).Type())
						b.WriteString(channels(fold.ChannelsOf(w.Trace().Prefix(n))))
					}
				}
			case "channels":
				b.WriteString(channels(fold.ChannelsOf(w.Trace())))
			case "recovery":
				for _, r := range fold.RecoveryOf(w.Trace()).Runs {
					from := "nothing"
					if r.From != nil {
						from = r.From.Name
					}
					fmt.Fprintf(&b, "%s/%d %sfrom %s again %d read %d in flight %d: %s", r.Job, r.Attempt, part(r), from, r.Again, r.Read, r.InFlight, r.Outcome)
					if r.Failure != nil {
						fmt.Fprintf(&b, " %s %s", r.Failure.At, r.Failure.Class())
						if r.Failure.Restarts() {
							fmt.Fprintf(&b, ", restarts after %d", r.Failure.Delay)
						}
					}
					b.WriteString("\n")
				}
			}
			return b.String()
		})
	})
}

// part names the subtasks of a run that is not of the whole job.
func part(r *fold.Run) string {
	switch {
	case r.Whole():
		return ""
	case r.Rest:
		return "rest " + strings.Join(r.Subtasks, ",") + " "
	}
	return strings.Join(r.Subtasks, ",") + " "
}

// channels writes what is not as it is when nothing happens.
func channels(c *fold.Channels) string {
	var b strings.Builder
	if p := c.Shown(); p != nil {
		fmt.Fprintf(&b, "  %s %s %d of %d", p.Label(), p.Status, len(p.Acknowledged), p.All())
		for _, v := range c.Vertices {
			for _, s := range v.Subtasks {
				part := s.Part(p.ID)
				fmt.Fprintf(&b, " %s:%s", s.Name, part.Phase)
				if part.Phase == fold.PhaseAligning || part.Phase == fold.PhaseCollecting {
					fmt.Fprintf(&b, "(%d/%d)", part.Barriers, part.Of)
				}
				if part.InFlight > 0 {
					fmt.Fprintf(&b, "+%d", part.InFlight)
				}
			}
		}
		b.WriteString("\n")
	}
	for _, v := range c.Vertices {
		for _, s := range v.Subtasks {
			if s.Down {
				fmt.Fprintf(&b, "  %s waits for its restart\n", s.Name)
			}
		}
	}
	for _, ch := range c.Channels {
		if len(ch.Items) == 0 && ch.Blocked == 0 && ch.Collecting == 0 {
			continue
		}
		fmt.Fprintf(&b, "  %s->%s", ch.From.Name, ch.To.Name)
		if ch.Blocked != 0 {
			fmt.Fprintf(&b, " blocked(%d)", ch.Blocked)
		}
		if ch.Collecting != 0 {
			fmt.Fprintf(&b, " collecting(%d)", ch.Collecting)
		}
		for _, x := range ch.Items {
			if x.Barrier != 0 {
				fmt.Fprintf(&b, " |%d|", x.Barrier)
				continue
			}
			fmt.Fprintf(&b, " %s@%d(%s)", x.Record.Split, x.Record.Offset, x.Why)
			if x.InFlight != 0 {
				fmt.Fprintf(&b, "in-flight(%d)", x.InFlight)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
