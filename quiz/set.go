package quiz

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
)

// Set is a quiz: a list of items and how they are asked and scored.
type Set struct {
	ID             string
	Pos            Pos
	Members        []string
	Shuffled       bool // the members are asked in an order drawn from the seed
	ShuffleOptions bool // so are the options of each item that does not keep its order
	Pass           int  // pass mark, percent
	Scoring        Rule // of multiple-choice items without their own
	Tries          []int
	Minutes        int      // time allowed; 0 is no limit
	Seeds          []uint64 // seeds that a run may have; empty is any
	Titles         map[Lang]string
}

// ParseSet reads a quiz from its file, as strictly as [ParseItem].
func ParseSet(file string, data []byte) (*Set, error) {
	doc, t := readTOML(file, data)
	if t == nil {
		return nil, doc.problems.orNil()
	}
	s := &Set{Pos: t.pos(), Titles: map[Lang]string{}}
	s.ID = t.identity()
	s.Members = t.texts("members", true)
	for i, m := range s.Members {
		at := doc.pos("members" + index(i))
		if !validID().MatchString(m) {
			doc.add(problem(errBadID, at, "Key", "members", "Value", m))
		}
		if slices.Contains(s.Members[:i], m) {
			doc.add(problem(errDuplicateID, at, "Key", "members", "Value", m))
		}
	}
	s.Shuffled = t.word("order", false, "fixed", "shuffled") == "shuffled"
	s.ShuffleOptions = t.word("options", false, "fixed", "shuffled") == "shuffled"
	s.Pass = t.number("pass", true, 0, 0, 100)
	s.Scoring = t.rule("scoring")
	s.Minutes = t.number("minutes", false, 0, 1, 24*60)
	s.Tries = t.tries("tries")
	s.Seeds = t.seeds("seeds")
	for _, lang := range Languages {
		if lt := t.child(string(lang), true); lt != nil {
			s.Titles[lang] = lt.text("title", true)
			lt.close()
		}
	}
	t.close()
	doc.problems.sort()
	if err := doc.problems.orNil(); err != nil {
		return nil, err
	}
	return s, nil
}

// tries reads what successive tries are worth; they must not grow, or waiting
// would pay.
func (t *table) tries(key string) []int {
	v, ok := t.value(key, false)
	if !ok {
		return []int{1}
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 || len(list) > 10 {
		t.wrongType(key, "[integer], 1–10")
		return []int{1}
	}
	var out []int
	for i, e := range list {
		n, ok := e.(int64)
		if !ok || n < 0 || n > 1000 || i == 0 && n == 0 || i > 0 && int(n) > out[i-1] {
			t.fail(key, errTries)
			return []int{1}
		}
		out = append(out, int(n))
	}
	return out
}

func (t *table) seeds(key string) []uint64 {
	v, ok := t.value(key, false)
	if !ok {
		return nil
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		t.wrongType(key, "[integer]")
		return nil
	}
	var out []uint64
	for _, e := range list {
		n, ok := e.(int64)
		if !ok || n < 0 {
			t.wrongType(key, "[integer]")
			return nil
		}
		out = append(out, uint64(n))
	}
	return out
}

// AllowsSeed says whether a run of the quiz may have this seed.
func (s *Set) AllowsSeed(seed uint64) bool {
	return len(s.Seeds) == 0 || slices.Contains(s.Seeds, seed)
}

// Order is the order in which the members are asked for a seed.
func (s *Set) Order(seed uint64) []string {
	if !s.Shuffled {
		return slices.Clone(s.Members)
	}
	return shuffled(s.Members, seed, "members", s.ID)
}

// OptionOrder is the order in which the options of an item are shown: as
// written, unless the quiz shuffles and the item does not keep its order.
// What is to be put in order is always shuffled, and so is the right side of
// a match. Without a quiz s may be nil.
//
// An item that [Marker.Present] gave is not shown in a right order, if another
// one is wrong: its first options go to the end until it is.
func (s *Set) OptionOrder(it *Item, seed uint64) []string {
	shuffle := s != nil && s.ShuffleOptions || it.Kind == OrderKind || it.Kind == Match
	if !shuffle || it.KeepOrder {
		return it.OptionIDs()
	}
	out := shuffled(it.OptionIDs(), seed, "options", it.ID)
	if it.right != nil {
		for range out {
			if it.right.Fraction(out).Cmp(Ratio(1, 1)) < 0 {
				break
			}
			out = append(out[1:], out[0])
		}
	}
	return out
}

// shuffled sorts ids by a hash of seed, purpose and id: the same on every
// machine and version, and one more id does not move the others about.
func shuffled(ids []string, seed uint64, purpose, owner string) []string {
	place := map[string]string{}
	for _, id := range ids {
		b := binary.BigEndian.AppendUint64(nil, seed)
		h := sha256.Sum256([]byte(string(b) + purpose + "\x00" + owner + "\x00" + id))
		place[id] = string(h[:])
	}
	out := slices.Clone(ids)
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(place[a], place[b]) })
	return out
}
