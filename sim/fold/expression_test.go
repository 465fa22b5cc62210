package fold

import (
	"strings"
	"testing"
)

func TestExpressions(t *testing.T) {
	f := &Folds{Records: []Record{{TS: 5, WatermarkBefore: 7, Accepted: true, Key: "a"}, {TS: 9, WatermarkBefore: 7}}}
	for _, c := range []struct {
		source string
		want   any
		err    string
	}{
		{`count(records, .ts <= .watermark_before)`, 1, ""},
		{`any(records, .ts <= .watermark_before && .accepted)`, true, ""},
		{`len(records) + 1`, 3, ""},
		{`"a" + "b"`, "ab", ""},
		{`records[0].ts * 3 - 1`, 14, ""},
		{`MAX + 1`, nil, "expression.overflow"},
		{`MIN - 1`, nil, "expression.overflow"},
		{`MAX * 2`, nil, "expression.overflow"},
		{`div(7, 2)`, 3, ""},
		{`div(7, 0)`, nil, "expression.zero"},
		{`7 / 2`, nil, "3: expression.division"},
		{`now() > 1`, nil, "1: expression.not-callable Name=now"},
		{`1 < status()`, nil, "5: expression.not-callable Name=status"},
		{`records.ts > 1`, nil, "9: expression.list-part"},
		{`any(records, .ts)`, nil, "14: expression.predicate Type=integer"},
		{`any(status, true)`, nil, "5: expression.takes-list Name=any Type=text"},
		{`watermark(1) > 2`, nil, "11: expression.argument Name=watermark Type=integer"},
		{`len(now) > 1`, nil, "1: expression.argument Name=len Type=integer"},
		{`len() > 1`, nil, "1: expression.arguments Name=len"},
		{`1 > watermark()`, nil, "5: expression.arguments Name=watermark"},
		{`status > 1`, nil, "8: expression.operator Left=text Operator=> Right=integer"},
		{`not now`, nil, "1: expression.operator Left= Operator=not Right=integer"},
		{`now ? 1 : 2`, nil, "1: expression.predicate Type=integer"},
		{`now == 0`, true, ""},
		{`1.5 > 1`, nil, "1: expression.float"},
		{`all(records, all(records, any(records, true)))`, nil, "expression.nesting"},
		{`count(record, true)`, nil, "7: expression.unknown-name Name=record"},
		{`map(records, .key)`, nil, ""},
		{`len(1..5)`, 5, ""},
		{`filter(records, .accepted)[0].ts`, 5, ""},
		{`sum(1..99999999)`, nil, "expression.range"},
		{`len(verdicts)`, nil, "expression.failed Detail=verdicts"},
	} {
		p, err := Compile(c.source, nil)
		var got any
		if err == nil {
			got, err = p.Eval(f, nil)
		}
		if err != nil {
			if c.err == "" || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: error %v, want %q", c.source, err, c.err)
			}
			continue
		}
		if c.err != "" {
			t.Errorf("%s: no error, want %q", c.source, c.err)
		} else if c.want != nil && got != c.want {
			t.Errorf("%s = %v (%T), want %v", c.source, got, got, c.want)
		}
	}
	p, err := Compile(`count(records, .accepted) > 0 && total("x.numRecordsIn") == 0`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Reads(); len(r) != 2 || r[0] != "records" || r[1] != "total" {
		t.Errorf("reads %v", r)
	}
}
