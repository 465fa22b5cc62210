package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"streaminglab/assets"
	"streaminglab/quiz/engine"
	"streaminglab/sim"
	"streaminglab/sim/session"
	"streaminglab/sim/world"
)

// An opened experiment with what a token adds.
type opened struct {
	experiment *session.Experiment
	// course says that the experiment is one of the course.
	course   bool
	token    *session.Token
	commands []string
}

// openArgument reads EXPERIMENT|FILE|TOKEN|-: what begins with lab1: is a
// token, else an id if one exists, else a file.
func (e *env) openArgument(arg string) (*opened, error) {
	if session.IsToken(arg) {
		return openToken(arg)
	}
	tree, err := experiments()
	if err != nil {
		return nil, defect{err}
	}
	if x, err := engine.New(tree).Experiment(arg); err == nil {
		return &opened{experiment: x, course: true}, nil
	} else if !errors.Is(err, engine.ErrUnknown) {
		return nil, err
	}
	var text []byte
	if arg == "-" {
		text, err = readBounded(e.in)
	} else {
		text, err = readFile(arg)
	}
	if os.IsNotExist(err) && !strings.ContainsAny(arg, `./\`) {
		return nil, sim.NewProblem("cli.unknown-experiment", "ID", arg, "Nearest", world.Nearest(arg, assets.Experiments()))
	}
	if err != nil {
		return nil, fileError(arg, err)
	}
	id := strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg))
	x, err := session.ParseExperiment(id, arg, text)
	if err != nil {
		return nil, err
	}
	return &opened{experiment: x}, besideFiles(x, filepath.Dir(arg))
}

// besideFiles reads the job files that a bare script names, from the directory
// of the script and nowhere else.
func besideFiles(x *session.Experiment, dir string) error {
	for _, l := range strings.Split(x.Prefix, "\n") {
		f := strings.Fields(l)
		if len(f) < 2 || f[0] != "job" || x.Files[f[1]] != nil || !filepath.IsLocal(f[1]) {
			continue
		}
		text, err := readFile(filepath.Join(dir, f[1]))
		if os.IsNotExist(err) {
			continue // the world says that it does not know the file
		}
		if err != nil {
			return fileError(f[1], err)
		}
		x.Files[f[1]] = text
	}
	return nil
}

// maxRead is more than an experiment may hold, and little enough for any
// machine: an argument may be a device that never ends.
const maxRead = 1 << 20

func readBounded(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, maxRead)) }

func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readBounded(f)
}

func openToken(arg string) (*opened, error) {
	t, err := session.DecodeToken(arg)
	if err != nil {
		return nil, err
	}
	o := &opened{token: t, commands: t.Commands}
	if t.Source != "" {
		o.experiment, err = session.ParseExperiment("token", "token", []byte(t.Source))
		return o, err
	}
	tree, err := experiments()
	if err != nil {
		return nil, defect{err}
	}
	o.experiment, err = engine.New(tree).Experiment(t.Experiment)
	if errors.Is(err, engine.ErrUnknown) {
		return nil, sim.NewProblem("cli.unknown-experiment", "ID", t.Experiment, "Nearest", "")
	}
	o.course = true
	if err == nil && o.experiment.Version != t.Version {
		return nil, sim.NewProblem("token.version", "ID", t.Experiment, "Version", t.Version, "Have", o.experiment.Version)
	}
	return o, err
}

func experimentArgs(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return assets.Experiments(), cobra.ShellCompDirectiveDefault
}
