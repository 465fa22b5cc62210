package world

import (
	"strconv"
	"strings"

	"streaminglab/sim"
)

// JobText is a job file as the settings leave it. Without settings it is the
// text itself, with its comments.
func JobText(file string, text []byte, settings []Setting) ([]byte, error) {
	if len(settings) == 0 {
		return text, nil
	}
	root, err := jobTree(file, text, settings)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	root.block(&b, 0)
	return []byte(b.String()), nil
}

// SetPaths lists the paths that set can change in a job file as the settings
// leave it: what stands there and every option, with the words of those values
// that are words.
func SetPaths(file string, text []byte, settings []Setting) (paths []string, words map[string][]string) {
	paths, words = []string{"parallelism"}, map[string][]string{}
	for _, k := range OptionKeys() {
		paths = append(paths, "flinkConfiguration."+k)
		if w := optionWords[k]; w != nil {
			words["flinkConfiguration."+k] = w
		}
	}
	root, err := jobTree(file, text, settings)
	if err != nil {
		return paths, words
	}
	var walk func(path string, n *node)
	walk = func(path string, n *node) {
		switch {
		case n.kind == mappingNode && len(n.entries) > 0:
			for _, e := range n.entries {
				switch {
				case holdsOptions(path) && path != "flinkConfiguration." && e.node.kind == scalarNode:
					paths = append(paths, path+e.key)
				case path == "flinkConfiguration.", path == "" && e.key == "flinkConfiguration", strings.Contains(e.key, "."):
					if path == "" {
						walk("flinkConfiguration.", e.node)
					}
				default:
					walk(path+e.key+".", e.node)
				}
			}
		case n.kind == listNode:
			for _, c := range n.items {
				if name := c.get("name"); name != nil && !strings.Contains(name.scalar, ".") {
					walk(path+name.scalar+".", c)
				}
			}
		case path != "" && path != "flinkConfiguration.":
			path = strings.TrimSuffix(path, ".")
			paths = append(paths, path)
			if strings.HasSuffix(path, ".watermark.strategy") {
				words[path] = strategyWords
			}
			if n.scalar == "true" || n.scalar == "false" {
				words[path] = []string{"true", "false"}
			}
		}
	}
	walk("", root)
	return paths, words
}

// holdsOptions reports whether what stands below a path are options, whose names
// have points: those of Flink, of the broker, of a client.
func holdsOptions(path string) bool {
	return path == "flinkConfiguration." || path == "kafka." || strings.HasSuffix(path, ".properties.")
}

func jobTree(file string, text []byte, settings []Setting) (*node, error) {
	root, err := parseYAML(file, text)
	for _, s := range settings {
		if err == nil {
			err = root.set(s)
		}
	}
	return root, err
}

// Edits says an edited job file as settings: the smallest values that differ,
// in the order of the file. An edited file that no job can be read from gives
// its problem with the place in it.
func Edits(file string, text []byte, settings []Setting, edited []byte, b sim.Bounds) ([]Setting, error) {
	if _, err := ReadJob(file, edited, nil, b); err != nil {
		return nil, err
	}
	was, err := jobTree(file, text, settings)
	if err != nil {
		return nil, err
	}
	now, err := parseYAML(file, edited)
	if err != nil {
		return nil, err
	}
	for _, e := range was.entries {
		if now.get(e.key) == nil {
			return nil, sim.NewProblem("job.edit-removed", "Key", e.key)
		}
	}
	out, _ := edits("", was, now)
	return out, nil
}

// edits compares two values; whole says that the value cannot be changed part
// by part, so that who holds it sets it whole.
func edits(path string, was, now *node) (out []Setting, whole bool) {
	switch {
	case was.kind != now.kind:
		return nil, true
	case now.kind == scalarNode:
		return nil, was.scalar != now.scalar
	case now.kind == listNode:
		if !sameNames(was, now) {
			return nil, !equal(was, now)
		}
		for i := range now.items {
			part, all := edits(path+now.items[i].get("name").scalar+".", was.items[i], now.items[i])
			if all {
				return nil, true
			}
			out = append(out, part...)
		}
		return out, false
	}
	for _, e := range was.entries {
		if now.get(e.key) == nil {
			return nil, true
		}
	}
	for _, e := range now.entries {
		old := was.get(e.key)
		if old != nil && equal(old, e.node) {
			continue
		}
		if strings.Contains(e.key, ".") && !holdsOptions(path) || e.key == "" {
			return nil, true // no path names it
		}
		if old != nil && (!holdsOptions(path) || !strings.Contains(e.key, ".")) {
			if part, all := edits(path+e.key+".", old, e.node); !all {
				out = append(out, part...)
				continue
			}
		}
		out = append(out, Setting{Path: path + e.key, Value: e.node.flow()})
	}
	return out, false
}

// sameNames reports whether two lists hold mappings of the same names in the
// same order, which a path can tell apart.
func sameNames(a, b *node) bool {
	if len(a.items) != len(b.items) {
		return false
	}
	for i := range a.items {
		x, y := a.items[i].get("name"), b.items[i].get("name")
		if x == nil || y == nil || x.scalar != y.scalar || x.scalar == "" || strings.Contains(x.scalar, ".") {
			return false
		}
	}
	return true
}

func equal(a, b *node) bool {
	if a.kind != b.kind || a.scalar != b.scalar || len(a.items) != len(b.items) || len(a.entries) != len(b.entries) {
		return false
	}
	for i := range a.items {
		if !equal(a.items[i], b.items[i]) {
			return false
		}
	}
	for i := range a.entries {
		if a.entries[i].key != b.entries[i].key || !equal(a.entries[i].node, b.entries[i].node) {
			return false
		}
	}
	return true
}

// flow writes a value on one line, as set takes it.
func (n *node) flow() string {
	switch n.kind {
	case mappingNode:
		parts := make([]string, len(n.entries))
		for i, e := range n.entries {
			parts[i] = quoted(e.key) + ": " + e.node.flow()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case listNode:
		parts := make([]string, len(n.items))
		for i, c := range n.items {
			parts[i] = c.flow()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return quoted(n.scalar)
}

// block writes a value over lines, as people write job files: what holds only
// scalars stays on one line below the second level.
func (n *node) block(b *strings.Builder, depth int) {
	in := strings.Repeat("  ", depth)
	for _, e := range n.entries {
		b.WriteString(in + quoted(e.key) + ":")
		switch {
		case e.node.kind == mappingNode && len(e.node.entries) > 0 && (depth < 2 || !e.node.flat()):
			b.WriteString("\n")
			e.node.block(b, depth+1)
		case e.node.kind == listNode && len(e.node.items) > 0 && !e.node.flat():
			b.WriteString("\n")
			for _, c := range e.node.items {
				var item strings.Builder
				c.block(&item, depth+2)
				text := item.String()
				if c.kind != mappingNode || text == "" {
					text = strings.Repeat("  ", depth+2) + c.flow() + "\n"
				}
				b.WriteString(in + "  - " + strings.TrimPrefix(text, strings.Repeat("  ", depth+2)))
			}
		default:
			b.WriteString(" " + e.node.flow() + "\n")
		}
	}
}

// flat reports whether a value holds only scalars.
func (n *node) flat() bool {
	for _, e := range n.entries {
		if e.node.kind != scalarNode {
			return false
		}
	}
	for _, c := range n.items {
		if c.kind != scalarNode {
			return false
		}
	}
	return true
}

// quoted is a scalar as YAML reads it back.
func quoted(s string) string {
	plain := s != "" && s == strings.TrimSpace(s) && !strings.ContainsAny(s, ",[]{}:#&*!|>'\"%@`\\\n\t") && !strings.HasPrefix(s, "- ") && s != "-" && s != "?"
	switch strings.ToLower(s) {
	case "null", "~":
		plain = false
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}
