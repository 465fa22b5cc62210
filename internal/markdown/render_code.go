package markdown

import (
	"bytes"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/formatters"
	"github.com/alecthomas/chroma/v2/lexers"
)

// codeIndent sets code apart from prose without a box.
const codeIndent = "    "

// code is never wrapped: a command or a file that is broken in two is not the
// same command. What is too wide scrolls sideways or runs over.
func (r *renderer) code(text, lang string) []Line {
	text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\t", "    ")
	if text == "" {
		return nil
	}
	if !r.opt.Plain {
		text = coloured(text, lang, r.opt.Theme)
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	out := make([]Line, len(lines))
	for i, l := range lines {
		out[i] = Line{Text: strings.TrimRight(codeIndent+l, " "), Code: true}
	}
	return out
}

// known are the languages that the lessons use. Asking the library about any
// other word makes it try that word against the file names of all languages.
var known = map[string]bool{
	"yaml": true, "sql": true, "java": true, "go": true, "json": true, "toml": true, "sh": true,
	"bash": true, "python": true, "properties": true, "xml": true, "scala": true,
}

func coloured(text, lang string, t Theme) string {
	style := highlight(t)
	if style == nil || !known[lang] {
		return text
	}
	lexer := lexers.Get(lang)
	if lexer == nil {
		return text
	}
	formatter := formatters.TTY256
	if t == ANSI16 {
		formatter = formatters.TTY16
	}
	tokens, err := chroma.Coalesce(lexer).Tokenise(nil, text)
	if err != nil {
		return text
	}
	var b bytes.Buffer
	if err := formatter.Format(&b, style, tokens); err != nil {
		return text
	}
	return b.String()
}
