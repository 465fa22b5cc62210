package markdown

import (
	"strconv"
	"strings"

	xansi "github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// list puts the text of an item beside its marker and keeps it there when it
// goes on in the next line.
func (r *renderer) list(n *ast.List, width int) []Line {
	var out []Line
	last := n.Start + n.ChildCount() - 1
	number := n.Start
	for item := n.FirstChild(); item != nil; {
		next := item.NextSibling()
		mark := r.sign("•", "-") + " "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			mark = strings.Repeat(" ", len(strconv.Itoa(last))-len(strconv.Itoa(number))) + mark
			number++
		}
		mark += checkbox(item)
		if len(out) > 0 && !n.IsTight {
			out = append(out, Line{})
		}
		out = append(out, r.item(item, mark, width, n.IsTight)...)
		item = next
	}
	return out
}

func (r *renderer) item(item ast.Node, mark string, width int, tight bool) []Line {
	indent := xansi.StringWidth(mark)
	if width-indent < narrowest {
		return append([]Line{{Text: strings.TrimRight(mark, " ")}}, r.blocks(item, width, tight)...)
	}
	lines := r.blocks(item, width-indent, tight)
	if len(lines) == 0 {
		return []Line{{Text: strings.TrimRight(mark, " ")}}
	}
	blank := strings.Repeat(" ", indent)
	for i := range lines {
		switch {
		case i == 0:
			lines[i].Text = mark + lines[i].Text
		case lines[i].Text != "":
			lines[i].Text = blank + lines[i].Text
		}
	}
	return lines
}

// checkbox is the mark of a task.
func checkbox(item ast.Node) string {
	first := item.FirstChild()
	if first == nil || first.FirstChild() == nil {
		return ""
	}
	box, ok := first.FirstChild().(*east.TaskCheckBox)
	switch {
	case !ok:
		return ""
	case box.IsChecked:
		return "[x] "
	}
	return "[ ] "
}
