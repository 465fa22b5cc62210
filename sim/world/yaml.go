package world

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	yamltoken "github.com/goccy/go-yaml/token"

	"streaminglab/sim"
)

// A node is a value of a job file with its place. Only what a job file needs
// is understood: mappings, lists, scalars; no anchors, tags or merges.
type node struct {
	line, col int
	typed     *SettingPlace // not nil: the place is not of the file
	scalar    string
	entries   []entry
	items     []*node
	kind      nodeKind
}

type nodeKind byte

const (
	scalarNode nodeKind = iota
	mappingNode
	listNode
)

type entry struct {
	key  string
	at   *node // the key's place
	node *node
}

// A FileProblem is a problem at a place of a file.
type FileProblem struct {
	File      string
	Line, Col int
	Problem   *sim.Problem
}

func (p *FileProblem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Col, p.Problem)
}

func (p *FileProblem) Unwrap() error { return p.Problem }

const maxDepth = 12

// parseYAML reads one document.
func parseYAML(file string, text []byte) (*node, error) {
	f, err := parse(bytes.TrimPrefix(text, []byte("\ufeff")))
	if err != nil {
		p := &FileProblem{File: file, Line: 1, Col: 1}
		var se interface{ GetToken() *yamltoken.Token }
		msg := err.Error()
		if errors.As(err, &se) && se.GetToken() != nil && se.GetToken().Position != nil {
			p.Line, p.Col = se.GetToken().Position.Line, se.GetToken().Position.Column
		}
		if i := strings.IndexByte(msg, '\n'); i >= 0 {
			msg = msg[:i]
		}
		if i := strings.Index(msg, "] "); strings.HasPrefix(msg, "[") && i > 0 {
			msg = msg[i+2:]
		}
		p.Problem = sim.NewProblem("job.yaml", "Detail", msg)
		return nil, p
	}
	if len(f.Docs) != 1 || f.Docs[0].Body == nil {
		return nil, &FileProblem{file, 1, 1, sim.NewProblem("job.one-document")}
	}
	return convert(file, f.Docs[0].Body, 0)
}

// parse keeps a panic of the library from ending the process: its parser has
// had some on malformed input.
func parse(text []byte) (f *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("%v", r)
		}
	}()
	return parser.ParseBytes(text, 0)
}

func place(n ast.Node) (line, col int) {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return t.Position.Line, t.Position.Column
	}
	return 1, 1
}

func convert(file string, n ast.Node, depth int) (*node, error) {
	line, col := place(n)
	out := &node{line: line, col: col}
	fail := func(id string, args ...any) error {
		return &FileProblem{file, line, col, sim.NewProblem(id, args...)}
	}
	if depth > maxDepth {
		return nil, fail("job.too-deep")
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		out.kind = mappingNode
		for _, e := range v.Values {
			if err := out.add(file, e, depth); err != nil {
				return nil, err
			}
		}
		if len(v.Values) > 0 {
			out.line, out.col = place(v.Values[0].Key)
		}
	case *ast.MappingValueNode:
		out.kind = mappingNode
		if err := out.add(file, v, depth); err != nil {
			return nil, err
		}
		out.line, out.col = place(v.Key)
	case *ast.SequenceNode:
		out.kind = listNode
		for _, e := range v.Values {
			c, err := convert(file, e, depth+1)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, c)
		}
	case *ast.NullNode:
		out.scalar = ""
	case *ast.StringNode:
		out.scalar = v.Value
	case *ast.LiteralNode:
		out.scalar = v.Value.Value
	case ast.ScalarNode:
		if t := n.GetToken(); t != nil {
			out.scalar = t.Value
		}
	default:
		return nil, fail("job.unsupported-yaml", "What", n.Type().String())
	}
	return out, nil
}

func (n *node) add(file string, e *ast.MappingValueNode, depth int) error {
	line, col := place(e.Key)
	key := e.Key.GetToken().Value
	for _, old := range n.entries {
		if old.key == key {
			return &FileProblem{file, line, col, sim.NewProblem("job.duplicate-key", "Key", key)}
		}
	}
	c, err := convert(file, e.Value, depth+1)
	if err != nil {
		return err
	}
	n.entries = append(n.entries, entry{key, &node{line: line, col: col}, c})
	return nil
}

func (n *node) get(key string) *node {
	for _, e := range n.entries {
		if e.key == key {
			return e.node
		}
	}
	return nil
}

// set changes or adds the value at a path. Keys of flinkConfiguration hold
// dots themselves; an operator or sink of a list is found by its name. What is
// put in has the place of the setting that was typed, else that of what it
// replaces.
func (n *node) set(s Setting) error {
	v, err := parseYAML("set", []byte(s.Value))
	if err != nil {
		return s.problem(s.At.Value, "job.set-value", "Value", s.Value)
	}
	parts := strings.Split(s.Path, ".")
	for i, p := range parts[:len(parts)-1] {
		if holdsOptions(strings.Join(parts[:i+1], ".")+".") && !(p == "kafka" && parts[i+1] == "topics") {
			parts = append(parts[:i+1:i+1], strings.Join(parts[i+1:], "."))
			break
		}
	}
	at, col := n, s.At.Path
	for i, p := range parts {
		last := i == len(parts)-1
		if p == "" {
			return s.problem(col, "job.set-path", "Path", s.Path)
		}
		switch at.kind {
		case mappingNode:
			next := at.get(p)
			if last {
				to := at
				if next != nil {
					to = next
				}
				v.moveTo(to, s)
				at.put(p, v, s, col)
				return nil
			}
			if next == nil {
				// A part of a source that does not exist is a name that is
				// misspelt; a whole source may be added.
				if i == 1 && parts[0] == "sources" {
					return s.noName(col, parts[0], p, at.keys())
				}
				next = &node{kind: mappingNode}
				next.moveTo(at, s)
				if s.At.Line > 0 {
					next.col = col
				}
				at.put(p, next, s, col)
			}
			at = next
		case listNode:
			var found *node
			var names []string
			for _, c := range at.items {
				if name := c.get("name"); name != nil {
					names = append(names, name.scalar)
					if name.scalar == p {
						found = c
					}
				}
			}
			if found == nil {
				return s.noName(col, strings.Join(parts[:i], "."), p, names)
			}
			if last {
				return s.problem(col, "job.set-path", "Path", s.Path)
			}
			at = found
		default:
			return s.problem(col, "job.set-path", "Path", s.Path)
		}
		col += utf8.RuneCountInString(p) + 1
	}
	return nil
}

func (s Setting) noName(col int, path, name string, known []string) error {
	return s.problem(col, "job.set-name", "Path", path, "Name", name, "Nearest", Nearest(name, known), "Known", strings.Join(known, ", "))
}

func (n *node) keys() []string {
	out := make([]string, len(n.entries))
	for i, e := range n.entries {
		out[i] = e.key
	}
	return out
}

// moveTo gives a value that a setting puts in its place.
func (n *node) moveTo(to *node, s Setting) {
	n.move(to, s)
	for _, e := range n.entries {
		e.at.move(to, s)
		e.node.moveTo(to, s)
	}
	for _, c := range n.items {
		c.moveTo(to, s)
	}
}

func (n *node) move(to *node, s Setting) {
	if s.At.Line == 0 {
		n.line, n.col, n.typed = to.line, to.col, to.typed
		return
	}
	n.line, n.col, n.typed = s.At.Line, s.At.Value+max(n.col, 1)-1, &s.At
}

func (n *node) put(key string, v *node, s Setting, col int) {
	for i := range n.entries {
		if n.entries[i].key == key {
			n.entries[i].node = v
			return
		}
	}
	k := &node{line: n.line, col: n.col, typed: n.typed}
	if s.At.Line > 0 {
		k.line, k.col, k.typed = s.At.Line, col, &s.At
	}
	n.entries = append(n.entries, entry{key, k, v})
}
