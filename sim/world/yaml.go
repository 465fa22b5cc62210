package world

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	yamltoken "github.com/goccy/go-yaml/token"

	"streaminglab/sim"
)

// A node is a value of a job file with its place. Only what a job file needs
// is understood: mappings, lists, scalars; no anchors, tags or merges.
type node struct {
	line, col int
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
// dots themselves; an operator or sink of a list is found by its name.
func (n *node) set(file, path, value string) error {
	v, err := parseYAML("set", []byte(value))
	if err != nil {
		return sim.NewProblem("job.set-value", "Value", value)
	}
	// Places of a typed value are those of what it replaces.
	parts := strings.Split(path, ".")
	if parts[0] == "flinkConfiguration" && len(parts) > 1 {
		parts = []string{parts[0], strings.Join(parts[1:], ".")}
	}
	at := n
	for i, p := range parts {
		last := i == len(parts)-1
		if p == "" {
			return sim.NewProblem("job.set-path", "Path", path)
		}
		switch at.kind {
		case mappingNode:
			next := at.get(p)
			if last {
				v.moveTo(at)
				if next != nil {
					v.moveTo(next)
				}
				at.put(p, v)
				return nil
			}
			if next == nil {
				next = &node{kind: mappingNode, line: at.line, col: at.col}
				at.put(p, next)
			}
			at = next
		case listNode:
			var found *node
			for _, c := range at.items {
				if name := c.get("name"); name != nil && name.scalar == p {
					found = c
				}
			}
			if found == nil || last {
				return sim.NewProblem("job.set-path", "Path", path)
			}
			at = found
		default:
			return sim.NewProblem("job.set-path", "Path", path)
		}
	}
	return nil
}

func (n *node) moveTo(to *node) {
	n.line, n.col = to.line, to.col
	for _, e := range n.entries {
		e.at.line, e.at.col = to.line, to.col
		e.node.moveTo(to)
	}
	for _, c := range n.items {
		c.moveTo(to)
	}
}

func (n *node) put(key string, v *node) {
	for i := range n.entries {
		if n.entries[i].key == key {
			n.entries[i].node = v
			return
		}
	}
	n.entries = append(n.entries, entry{key, &node{line: n.line, col: n.col}, v})
}
