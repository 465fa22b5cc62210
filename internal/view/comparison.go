package view

import (
	"fmt"
	"strings"

	"streaminglab/internal/locale"
	"streaminglab/sim/session"
)

// maxDifferences is how many differences of a comparison are written out.
const maxDifferences = 10

// Comparison writes two runs beside each other: what came out different first,
// then the price of each in one line.
func Comparison(loc *locale.Localizer, c *session.Comparison) []string {
	var out []string
	if c.First == nil {
		out = append(out, loc.Text("plain.compare.same", locale.Args{"Left": c.Left, "Right": c.Right}))
	} else {
		out = append(out, loc.Text("plain.compare.first", locale.Args{"Count": len(c.Differences)}))
		for i, d := range c.Differences {
			if i == maxDifferences {
				out = append(out, loc.Text("plain.compare.more", locale.Args{"More": len(c.Differences) - i}))
				break
			}
			out = append(out, "  "+difference(loc, c, d))
		}
	}
	costs := Costs(c)
	if costs == nil || EventTime(c.Traces[0]) || EventTime(c.Traces[1]) {
		out = append(out, Price(loc, c, 0), Price(loc, c, 1))
	}
	if costs != nil {
		for _, l := range DrawCosts(Picture{Loc: loc, Width: plainWidth, Height: 2 + 12, Signs: ASCII}, costs) {
			if l != "" {
				out = append(out, l)
			}
		}
	}
	return out
}

// Price is what one of the runs of a comparison paid.
func Price(loc *locale.Localizer, c *session.Comparison, side int) string {
	name, p := c.Left, c.Prices[side]
	if side == 1 {
		name = c.Right
	}
	return loc.Text("plain.compare.price", locale.Args{
		"Name": name, "Lost": p.Lost, "Side": p.Side, "Records": p.Records, "Wait": int64(p.Wait), "Silent": p.Silent, "Results": p.Results, "Held": p.Held, "HeldFor": int64(p.HeldFor),
		"Windows": p.Windows || !p.Joins, "Joins": p.Joins, "Pairs": p.Pairs, "Kept": p.Kept, "KeptFor": int64(p.KeptFor),
	})
}

// Difference writes one outcome that differs.
func Difference(loc *locale.Localizer, c *session.Comparison, d session.Difference) string {
	return difference(loc, c, d)
}

func difference(loc *locale.Localizer, c *session.Comparison, d session.Difference) string {
	args := locale.Args{
		"Left": c.Left, "Right": c.Right, "Key": d.Key, "Split": d.Split, "Offset": d.Offset,
		"Operator": d.Operator, "Start": int64(d.Start), "End": int64(d.End),
		"PairLeft": d.PairLeft, "PairRight": d.PairRight,
		"LeftOutcome": outcome(loc, d.Left), "RightOutcome": outcome(loc, d.Right),
	}
	switch d.Kind {
	case "record":
		return loc.Text("plain.compare.record", args)
	case "result":
		return loc.Text("plain.compare.result", args)
	case "pair":
		return loc.Text("plain.compare.pair", args)
	case "logged":
		return loc.Text("plain.compare.logged", args)
	}
	return loc.Text("plain.compare.window", args)
}

func outcome(loc *locale.Localizer, o session.Outcome) string {
	switch {
	case o.Step == 0:
		return loc.Text("plain.compare.none", nil)
	case o.Uncommitted > 0:
		return loc.Text("plain.compare.copies", locale.Args{"Committed": o.Committed, "Uncommitted": o.Uncommitted})
	case o.Fate == "paired":
		return loc.Plural("plain.compare.paired", int64(len(o.Times)), nil)
	case o.Fate != "":
		return loc.Text("plain.fate."+o.Fate, nil)
	}
	parts := make([]string, len(o.Values))
	for i, v := range o.Values {
		parts[i] = fmt.Sprint(v)
	}
	text := strings.Join(parts, ", ")
	if o.Hidden > 0 {
		text = loc.Text("plain.compare.hidden", locale.Args{"Values": text, "Hidden": o.Hidden})
	}
	return text
}
