package quiz

import "slices"

// Misconception is a wrong belief that items and experiments refer to.
type Misconception struct {
	ID     string
	Pos    Pos
	Source string // where people were seen to hold it
	Names  map[Lang]string
}

// ParseMisconceptions reads the catalogue of wrong beliefs.
func ParseMisconceptions(file string, data []byte) ([]Misconception, error) {
	doc, t := readTOML(file, data)
	if t == nil {
		return nil, doc.problems.orNil()
	}
	var out []Misconception
	for _, mt := range t.children("misconception", false) {
		m := Misconception{Pos: mt.pos(), Names: map[Lang]string{}}
		m.ID = mt.text("id", true)
		if m.ID != "" && !validID().MatchString(m.ID) {
			mt.fail("id", errBadID, "Value", m.ID)
		}
		if slices.ContainsFunc(out, func(o Misconception) bool { return o.ID == m.ID }) {
			mt.fail("id", errDuplicateID, "Value", m.ID)
		}
		m.Source = mt.text("source", true)
		for _, lang := range Languages {
			if lt := mt.child(string(lang), true); lt != nil {
				m.Names[lang] = lt.text("name", true)
				lt.close()
			}
		}
		mt.close()
		out = append(out, m)
	}
	t.close()
	doc.problems.sort()
	return out, doc.problems.orNil()
}
