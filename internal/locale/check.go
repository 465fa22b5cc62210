package locale

import (
	"fmt"
	"sort"
	"strings"
	"text/template"
	"text/template/parse"

	"golang.org/x/text/unicode/norm"
)

// Finding is a defect of the catalogue: the part that holds it, the message
// and what is wrong, as an id with arguments.
type Finding struct {
	Part, ID string
	Problem  string // message id: locale.check.…
	Args     Args
}

func (f Finding) String() string {
	keys := make([]string, 0, len(f.Args))
	for k := range f.Args {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	s := f.Part + ": " + f.ID + ": " + f.Problem
	for _, k := range keys {
		s += fmt.Sprintf(" %s=%v", k, f.Args[k])
	}
	return s
}

var needed = map[Lang][]string{ES: {"one", "many", "other"}, KO: {"other"}}

// Check compares the two catalogues: the same ids, the plural forms of each
// language, templates that parse, the same variables, and clean characters.
func (c *Catalogue) Check() []Finding {
	var out []Finding
	for _, l := range Langs {
		for _, id := range c.IDs(l) {
			out = append(out, c.checkMessage(l, id)...)
		}
	}
	return out
}

func (c *Catalogue) checkMessage(l Lang, id string) []Finding {
	var out []Finding
	part := c.origin[l][id]
	add := func(problem string, args Args) {
		out = append(out, Finding{Part: part, ID: id, Problem: problem, Args: args})
	}
	other := l.Other()
	if !c.Has(other, id) {
		add("locale.check.missing", Args{"Lang": string(other)})
	}
	m := c.messages[l][id]
	texts := forms(m)
	want := []string{"other"}
	if c.isPlural(id) {
		want = needed[l]
	}
	for _, f := range want {
		if texts[f] == "" {
			add("locale.check.form", Args{"Form": f})
		}
	}
	for f := range texts {
		if !contains(want, f) {
			add("locale.check.extra", Args{"Form": f})
		}
	}
	vars, err := variables(l, texts)
	if err != nil {
		add("locale.check.template", Args{"Error": err.Error()})
	} else if o := c.messages[other][id]; o != nil && l == ES {
		if ov, err := variables(other, forms(o)); err == nil && !sameSet(vars, ov) {
			add("locale.check.variables", Args{"Here": join(vars), "There": join(ov)})
		}
	}
	for _, f := range sortedKeys(texts) {
		if r, ok := Unclean(texts[f]); ok {
			add("locale.check.character", Args{"Character": fmt.Sprintf("U+%04X", r)})
		}
		if !norm.NFC.IsNormalString(texts[f]) {
			add("locale.check.nfc", nil)
		}
	}
	return out
}

// Unclean finds the first character that breaks columns or the direction of
// text: joiners, variation selectors, invisible and bidirectional controls.
func Unclean(s string) (rune, bool) {
	for _, r := range s {
		switch {
		case r == '\u200b', r == '\u200c', r == '\u200d', r == '\u2060', r == '\ufeff', r == '\u00ad',
			r == '\u200e', r == '\u200f', r == '\u061c',
			r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069',
			r >= '\ufe00' && r <= '\ufe0f', r >= 0xe0000 && r <= 0xe0fff,
			r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r < 0xa0:
			return r, true
		}
	}
	return 0, false
}

// variables gives the names that the forms of a message use. .Count is there
// for every plural and a form may leave it out ("una lección"), so it does not
// count.
func variables(l Lang, texts map[string]string) (map[string]bool, error) {
	vars := map[string]bool{}
	for _, f := range sortedKeys(texts) {
		t, err := template.New(f).Funcs(funcs(l, 0)).Parse(texts[f])
		if err != nil {
			return nil, err
		}
		if t.Tree != nil {
			collect(t.Tree.Root, vars)
		}
	}
	delete(vars, "Count")
	return vars, nil
}

func collect(n parse.Node, vars map[string]bool) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			collect(c, vars)
		}
	case *parse.ActionNode:
		collect(n.Pipe, vars)
	case *parse.PipeNode:
		if n == nil {
			return
		}
		for _, c := range n.Cmds {
			for _, a := range c.Args {
				collect(a, vars)
			}
		}
	case *parse.FieldNode:
		vars[n.Ident[0]] = true
	case *parse.IfNode:
		collectBranch(&n.BranchNode, vars)
	case *parse.RangeNode:
		collectBranch(&n.BranchNode, vars)
	case *parse.WithNode:
		collectBranch(&n.BranchNode, vars)
	}
}

func collectBranch(n *parse.BranchNode, vars map[string]bool) {
	collect(n.Pipe, vars)
	collect(n.List, vars)
	collect(n.ElseList, vars)
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func sameSet(a, b map[string]bool) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func join(m map[string]bool) string { return strings.Join(sortedKeys(m), ",") }
