package fold

import (
	"strings"
	"testing"
)

// The parts of a condition are those that a reader would tell apart: an `&&`
// inside a predicate or a text belongs to its part.
func TestConjuncts(t *testing.T) {
	for _, c := range []struct{ source, names, parts string }{
		{`status == "RUNNING"`, "", `status == "RUNNING"`},
		{`len(reads) > 1 && status == "a && b" and now > 2`, "", `len(reads) > 1 | status == "a && b" | now > 2`},
		{`any(reads, .ts > 1 && .again) && (now > 1 || now < 0)`, "", `any(reads, .ts > 1 && .again) | (now > 1 || now < 0)`},
		{`let seen = map(reads, .key); let n = 2; len(seen) > n && now > 1`, "seen = map(reads, .key) | n = 2", "len(seen) > n | now > 1"},
		{`any(reads, let r = #; r.ts > 1 && r.again) && now > 1`, "", `any(reads, let r = #; r.ts > 1 && r.again) | now > 1`},
		{`now > 1 && now > 2 || now > 3`, "", `now > 1 && now > 2 || now > 3`},
		{`now > 1 ? now > 2 && now > 3 : false`, "", `now > 1 ? now > 2 && now > 3 : false`},
		{`any(reads, {.ts > 1 && .again}) && reads[0].ts > 1`, "", `any(reads, {.ts > 1 && .again}) | reads[0].ts > 1`},
		{`status == "실행" && now > 1`, "", `status == "실행" | now > 1`},
		{`now > 1 &&`, "", `now > 1 &&`},
		{`"`, "", `"`},
		{``, "", ``},
	} {
		got := Conjuncts(c.source)
		if names := strings.Join(got.Names, " | "); names != c.names {
			t.Errorf("%s: names %s", c.source, names)
		}
		if parts := strings.Join(got.Parts, " | "); parts != c.parts {
			t.Errorf("%s: parts %s", c.source, parts)
		}
	}
	for i, want := range []string{`let n = 2; now > n`, `let n = 2; now > 1`} {
		if got := Conjuncts(`let n = 2; now > n && now > 1`).Condition(i); got != want {
			t.Errorf("%d: %s", i, got)
		}
	}
}
