package quiz

import (
	"regexp"
	"sync"
)

// lazy compiles a pattern when it is first used: classes of Unicode letters
// take milliseconds, and most starts need none of them.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
