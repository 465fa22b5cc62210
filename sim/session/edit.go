package session

import (
	"errors"
	"sort"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/script"
	"streaminglab/sim/world"
)

// JobFile is the job file that the run started, as the settings leave it: what
// a learner edits.
func (s *Session) JobFile() (name string, text []byte, err error) {
	settings, _, _, err := Head(s.list)
	if err != nil {
		return "", nil, err
	}
	name = s.jobFile()
	text, err = world.JobText(name, s.run.Experiment.Files[name], settings)
	return name, text, err
}

// SetPaths lists the paths of the job file for set, and the words that values
// may be.
func (s *Session) SetPaths() (paths []string, words map[string][]string) {
	settings, _, _, err := Head(s.list)
	if err != nil {
		return nil, nil
	}
	name := s.jobFile()
	return world.SetPaths(name, s.run.Experiment.Files[name], settings)
}

// jobFile is the file of the last command job, else the first by name.
func (s *Session) jobFile() string {
	steps := s.Trace().Steps()
	for i := len(steps) - 1; i >= 0; i-- {
		if c, ok := steps[i].Body.(sim.CommandGiven); ok {
			if l, err := script.ParseLine("", 1, c.Command, s.run.times); err == nil && l != nil {
				if j, ok := l.Command.(script.Job); ok {
					return j.File
				}
			}
		}
	}
	var names []string
	for n := range s.run.Experiment.Files {
		names = append(names, n)
	}
	sort.Strings(names)
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// Edit says an edited job file as set commands, which carry it out: a
// transcript holds commands only. No line: nothing differs.
func (s *Session) Edit(edited []byte) ([]*script.Line, error) {
	settings, _, _, err := Head(s.list)
	if err != nil {
		return nil, err
	}
	name := s.jobFile()
	changes, err := world.Edits(name, s.run.Experiment.Files[name], settings, edited, s.limits())
	if err != nil {
		return nil, err
	}
	var out []*script.Line
	for i, c := range changes {
		l, perr := script.ParseLine(name, i+1, "set "+c.Path+" "+c.Value, s.run.times)
		if perr != nil {
			return nil, perr
		}
		out = append(out, l)
	}
	return out, nil
}

// DoAll carries out the set commands of an edit as one change, or asks to fork
// as Do does.
func (s *Session) DoAll(lines []*script.Line) error {
	if len(lines) == 0 {
		return nil
	}
	head := 0
	for i, old := range s.list {
		switch {
		case isHead(old):
			head = i + 1
		case old.Verb.Class == script.World:
			return &NeedsFork{Line: lines[0], More: lines[1:]}
		}
	}
	list := append(s.list[:head:head], lines...)
	if err := s.change("do", append(list, s.list[head:]...)); err != nil {
		return s.otherPath(lines, err)
	}
	s.undone = nil
	return nil
}

// otherPath completes what is wrong with a path that the job file does not have:
// options of clients, of Flink and of the broker stand below a key of their own,
// which is easily left out.
func (s *Session) otherPath(lines []*script.Line, err error) error {
	var at *script.Error
	if len(lines) != 1 || !errors.As(err, &at) {
		return err
	}
	c, ok := lines[0].Command.(script.Set)
	if !ok || at.Problem.ID != "job.unknown-key" || at.Problem.Args["Nearest"] != "" {
		return err
	}
	settings, _, _, herr := Head(s.list)
	if herr != nil {
		return err
	}
	candidates := []string{"flinkConfiguration." + c.Path, "kafka." + c.Path}
	if parts := strings.SplitN(c.Path, ".", 3); len(parts) == 3 {
		candidates = append(candidates, parts[0]+"."+parts[1]+".properties."+parts[2])
	}
	name := s.jobFile()
	for _, path := range candidates {
		change := append(settings[:len(settings):len(settings)], world.Setting{Path: path, Value: c.Value})
		if _, rerr := world.ReadJob(name, s.run.Experiment.Files[name], change, s.limits()); rerr == nil {
			at.Problem.Args["Nearest"] = path
			return err
		}
	}
	return err
}

// limits are the bounds of what a job file may ask for.
func (s *Session) limits() sim.Bounds {
	if s.bounds == (sim.Bounds{}) {
		return sim.DefaultBounds
	}
	return s.bounds
}
