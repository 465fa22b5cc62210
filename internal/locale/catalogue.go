package locale

import (
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"streaminglab/assets"
)

// Catalogue holds every message of both languages. Each language has a bundle
// of its own, so that a missing message is never answered silently by the
// other language.
type Catalogue struct {
	bundles  map[Lang]*i18n.Bundle
	messages map[Lang]map[string]*i18n.Message
	origin   map[Lang]map[string]string // id → the part that defines it
}

// Load merges the parts LANG/AREA.toml of fsys. An id defined by two parts is
// an error: with many authors it is how texts get lost.
func Load(fsys fs.FS) (*Catalogue, error) {
	c := &Catalogue{
		bundles:  map[Lang]*i18n.Bundle{},
		messages: map[Lang]map[string]*i18n.Message{},
		origin:   map[Lang]map[string]string{},
	}
	for _, l := range Langs {
		c.bundles[l] = i18n.NewBundle(language.Make(string(l)))
		c.messages[l] = map[string]*i18n.Message{}
		c.origin[l] = map[string]string{}
	}
	// Reading is most of a start of lab: the languages are read side by side.
	errs := make([]error, len(Langs))
	var all sync.WaitGroup
	for i, l := range Langs {
		all.Go(func() { errs[i] = c.loadLanguage(fsys, l) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *Catalogue) loadLanguage(fsys fs.FS, l Lang) error {
	parts, err := fs.Glob(fsys, string(l)+"/*.toml")
	if err != nil {
		return err
	}
	sort.Strings(parts)
	for _, p := range parts {
		if err := c.loadPart(fsys, l, language.Make(string(l)), p); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalogue) loadPart(fsys fs.FS, l Lang, tag language.Tag, name string) error {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		return nil
	}
	// go-i18n takes the language from the file name; ours is the directory.
	area := strings.TrimSuffix(path.Base(name), ".toml")
	file, err := i18n.ParseMessageFileBytes(text, area+"."+string(l)+".toml",
		map[string]i18n.UnmarshalFunc{"toml": toml.Unmarshal})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	sort.Slice(file.Messages, func(i, j int) bool { return file.Messages[i].ID < file.Messages[j].ID })
	for _, m := range file.Messages {
		if first, ok := c.origin[l][m.ID]; ok {
			return fmt.Errorf("%s: message %q is already defined in %s", name, m.ID, first)
		}
		c.origin[l][m.ID] = name
		c.messages[l][m.ID] = m
	}
	return c.bundles[l].AddMessages(tag, file.Messages...)
}

// Embedded gives the catalogue of the program.
var Embedded = sync.OnceValues(func() (*Catalogue, error) { return Load(assets.Locales()) })

// IDs lists the messages of a language in order.
func (c *Catalogue) IDs(l Lang) []string {
	ids := make([]string, 0, len(c.messages[l]))
	for id := range c.messages[l] {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}

// Has says whether a language has the message.
func (c *Catalogue) Has(l Lang, id string) bool { return c.messages[l][id] != nil }

// forms gives the texts of a message by plural form, empty ones left out.
func forms(m *i18n.Message) map[string]string {
	all := map[string]string{}
	for form, text := range map[string]string{
		"zero": m.Zero, "one": m.One, "two": m.Two, "few": m.Few, "many": m.Many, "other": m.Other,
	} {
		if text != "" {
			all[form] = text
		}
	}
	return all
}

// isPlural: Spanish decides, because Korean has one form for every count.
func (c *Catalogue) isPlural(id string) bool {
	m := c.messages[ES][id]
	return m != nil && (m.One != "" || m.Many != "")
}
