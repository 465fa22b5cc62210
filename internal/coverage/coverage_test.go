package coverage

import (
	"fmt"
	"slices"
	"testing"
)

func TestTheMapIsWhole(t *testing.T) {
	m, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Statements) != 229 || len(m.Differences) != 23 || len(m.Gaps) != 8 {
		t.Errorf("%d statements, %d differences, %d gaps", len(m.Statements), len(m.Differences), len(m.Gaps))
	}
	hotspots := 0
	for i, s := range m.Statements {
		if s.ID != fmt.Sprintf("S%d", i+1) {
			t.Errorf("statement %d is %s", i+1, s.ID)
		}
		if s.Hotspot {
			hotspots++
		}
	}
	if hotspots != 21 {
		t.Errorf("%d hotspots", hotspots)
	}
	s, ok := m.Statement("S215")
	if !ok || s.Chapter != 7 || s.Text != "Slow/idle inputs can stop progress" || !slices.Contains(s.Kinds, "sim-win") {
		t.Errorf("%+v", s)
	}
	if d, ok := m.Difference("D21"); !ok || !slices.Equal(d.Statements, []string{"S214"}) {
		t.Errorf("%+v", d)
	}
}

func TestADefectiveMapIsRefused(t *testing.T) {
	whole := "[[statement]]\nid=\"S1\"\ntext=\"x\"\nkinds=[\"mc\"]\n"
	if _, err := Load([]byte(whole)); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		whole + whole, "[[statement]]\nid=\"S1\"\n", "x", whole + "colour=1\n", whole + "differs=[\"D9\"]\n",
		whole + "[[difference]]\nid=\"D1\"\nstatements=[\"S2\"]\n", whole + "[[gap]]\nid=\"a\"\nstatements=[\"S2\"]\n",
	} {
		if _, err := Load([]byte(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
