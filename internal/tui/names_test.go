package tui

import (
	"strings"
	"testing"

	"streaminglab/internal/locale"
)

// A picture has one name: the one in the corner is the heading of its text.
func TestPicturesHaveOneName(t *testing.T) {
	for _, lang := range locale.Langs {
		loc := locale.Strict(t, lang)
		for _, v := range []int{viewBarriers, viewRecovery} {
			name := loc.Text("tui.view."+viewNames[v], nil)
			title := strings.TrimSuffix(loc.Text("scene."+viewNames[v]+".title", nil), ":")
			if strings.ToLower(title) != name {
				t.Errorf("%s: %q is %q in the text", lang, name, title)
			}
		}
	}
}
