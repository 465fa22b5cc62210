package narrate_test

import (
	"regexp"
	"slices"
	"testing"

	"streaminglab/internal/locale"
	"streaminglab/sim/fold"
)

// The help of expressions names each list, value and function that there is, and
// nothing else.
func TestHelpNamesWhatExpressionsRead(t *testing.T) {
	quoted := regexp.MustCompile("`([^`]+)`")
	for _, lang := range locale.Langs {
		var named []string
		for _, m := range quoted.FindAllStringSubmatch(locale.Strict(t, lang).Text("help.expressions", nil), -1) {
			named = append(named, m[1])
		}
		slices.Sort(named)
		if want := fold.Names(); !slices.Equal(named, want) {
			t.Errorf("%s names %v,\nwant %v", lang, named, want)
		}
	}
}
