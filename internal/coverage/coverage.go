package coverage

import (
	"fmt"
	"sync"

	"github.com/BurntSushi/toml"

	"streaminglab/assets"
)

// Statement is one statement of the source chapter.
type Statement struct {
	ID      string   `toml:"id"`      // S1 …
	Chapter int      `toml:"chapter"` // section of the source, 0 the introduction
	Title   string   `toml:"title"`   // of the section
	Lines   string   `toml:"lines"`   // of the source
	Text    string   `toml:"text"`
	Kinds   []string `toml:"kinds"` // sim-win, lint, plan, calc, tf, mc, ord, map, fix, trace …
	Item    string   `toml:"item"`  // the idea of the item in words
	Differs []string `toml:"differs"`
	Hotspot bool     `toml:"hotspot"` // a belief that many get wrong
}

// Difference is a place where the two editions of the source say it in
// different ways, and what the lessons keep.
type Difference struct {
	ID         string   `toml:"id"`
	Statements []string `toml:"statements"`
	ES         string   `toml:"es"`
	KO         string   `toml:"ko"`
	Keep       string   `toml:"keep"`
}

// Gap is what the source leaves out and the lessons fill in.
type Gap struct {
	ID         string   `toml:"id"`
	Statements []string `toml:"statements"`
	Text       string   `toml:"text"`
}

// Map is the coverage map.
type Map struct {
	Statements  []Statement  `toml:"statement"`
	Differences []Difference `toml:"difference"`
	Gaps        []Gap        `toml:"gap"`
	byID        map[string]*Statement
	differences map[string]*Difference
}

// Load reads a map and refuses one whose references lead nowhere.
func Load(text []byte) (*Map, error) {
	m := &Map{byID: map[string]*Statement{}, differences: map[string]*Difference{}}
	meta, err := toml.Decode(string(text), m)
	if err != nil {
		return nil, fmt.Errorf("coverage: %w", err)
	}
	if keys := meta.Undecoded(); len(keys) > 0 {
		return nil, fmt.Errorf("coverage: unknown key %s", keys[0])
	}
	for i := range m.Statements {
		s := &m.Statements[i]
		switch {
		case s.ID == "" || s.Text == "" || len(s.Kinds) == 0:
			return nil, fmt.Errorf("coverage: statement %d (%s) is not whole", i+1, s.ID)
		case m.byID[s.ID] != nil:
			return nil, fmt.Errorf("coverage: two statements have the id %s", s.ID)
		}
		m.byID[s.ID] = s
	}
	for i := range m.Differences {
		m.differences[m.Differences[i].ID] = &m.Differences[i]
	}
	return m, m.references()
}

func (m *Map) references() error {
	for _, s := range m.Statements {
		for _, d := range s.Differs {
			if m.differences[d] == nil {
				return fmt.Errorf("coverage: %s refers to %s, which does not exist", s.ID, d)
			}
		}
	}
	check := func(id string, ids []string) error {
		for _, s := range ids {
			if m.byID[s] == nil {
				return fmt.Errorf("coverage: %s refers to %s, which does not exist", id, s)
			}
		}
		return nil
	}
	for _, d := range m.Differences {
		if err := check(d.ID, d.Statements); err != nil {
			return err
		}
	}
	for _, g := range m.Gaps {
		if err := check("gap "+g.ID, g.Statements); err != nil {
			return err
		}
	}
	return nil
}

// Embedded gives the map of the program.
var Embedded = sync.OnceValues(func() (*Map, error) {
	text, err := assets.Coverage()
	if err != nil {
		return nil, err
	}
	return Load(text)
})

// Statement finds a statement by its id.
func (m *Map) Statement(id string) (*Statement, bool) {
	s, ok := m.byID[id]
	return s, ok
}

// Difference finds the note of a difference by its id.
func (m *Map) Difference(id string) (*Difference, bool) {
	d, ok := m.differences[id]
	return d, ok
}
