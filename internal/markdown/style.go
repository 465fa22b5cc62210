package markdown

import (
	"charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/colorprofile"
)

// Theme is a set of colours. Colour is never the only mark: what a theme says
// with a colour, Mono says with a sign or an attribute.
type Theme int

const (
	Dark Theme = iota
	Light
	ANSI16 // the sixteen colours of the reader's own palette
	Mono   // attributes only: bold, italic, underlined
)

// Under gives the theme that a terminal can show: a theme with colours on a
// terminal without them would leave code that looks like prose.
func (t Theme) Under(p colorprofile.Profile) Theme {
	switch {
	case p <= colorprofile.ASCII:
		return Mono
	case p == colorprofile.ANSI && t != Mono:
		return ANSI16
	}
	return t
}

// palette: Okabe and Ito's colours, which readers with any colour vision tell
// apart, as the nearest of 256 on a dark and on a light ground.
type palette struct {
	heading, code, link, keyword, str, number, comment string
}

var palettes = map[Theme]palette{
	Dark:   {heading: "74", code: "179", link: "74", keyword: "74", str: "179", number: "173", comment: "245"},
	Light:  {heading: "25", code: "130", link: "25", keyword: "25", str: "130", number: "166", comment: "242"},
	ANSI16: {heading: "6", code: "3", link: "6", keyword: "6", str: "3", number: "5", comment: "8"},
}

// CodeColour is the colour of code in a theme, as lipgloss names it; empty: it
// stands between backquotes.
func CodeColour(t Theme) string { return palettes[t].code }

func style(t Theme, plain bool) ansi.StyleConfig {
	yes, zero := true, uint(0)
	s := ansi.StyleConfig{}
	s.Document.Margin = &zero
	// The address stands behind the words, so that a Korean particle that
	// belongs to them has a sign between it and the address.
	s.Link.BlockPrefix, s.Link.BlockSuffix = "(", ")"
	if plain {
		s.Code.StylePrimitive = ansi.StylePrimitive{Prefix: "`", Suffix: "`"}
		return s
	}
	s.Emph.Italic = &yes
	s.Strong.Bold = &yes
	s.Strikethrough.CrossedOut = &yes
	s.Heading.Bold = &yes
	s.Link.Underline = &yes
	p, ok := palettes[t]
	if !ok {
		s.H1.Underline, s.H2.Underline = &yes, &yes
		s.Code.StylePrimitive = ansi.StylePrimitive{Prefix: "`", Suffix: "`"}
		return s
	}
	s.Heading.Color = &p.heading
	s.Code.Color = &p.code
	s.LinkText.Color = &p.link
	return s
}

// highlight gives the colours of code, nil for none. Error has none on
// purpose: the lexers do not know Hangul identifiers, and they are no errors.
func highlight(t Theme) *chroma.Style {
	p, ok := palettes[t]
	if !ok {
		return nil
	}
	hex := func(c string) string { return ansi256[c] }
	s, err := chroma.NewStyle("lab", chroma.StyleEntries{
		chroma.Keyword:       hex(p.keyword),
		chroma.NameTag:       hex(p.keyword),
		chroma.LiteralString: hex(p.str),
		chroma.LiteralNumber: hex(p.number),
		chroma.Comment:       hex(p.comment),
	})
	if err != nil {
		return nil
	}
	return s
}

// chroma wants RGB even where it writes palette indexes.
var ansi256 = map[string]string{
	"74": "#5fafd7", "179": "#d7af5f", "173": "#d7875f", "245": "#8a8a8a",
	"25": "#005faf", "130": "#af5f00", "166": "#d75f00", "242": "#6c6c6c",
	"6": "#ansidarkcyan", "3": "#ansibrown", "5": "#ansipurple", "8": "#ansidarkgray",
}
