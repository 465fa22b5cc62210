package locale

import (
	"fmt"
	"strings"
	"text/template"
)

// funcNames are the functions a message may call; the Korean catalogue has the
// particles besides. Values come last, so that they can be piped:
// {{.Name | josa "이/가"}}, {{.Bound | dur}}, {{interval .Start .End}}.
func funcs(l Lang, dayStart int64) template.FuncMap {
	m := template.FuncMap{
		"num":      func(v any) (string, error) { return number(l, v) },
		"percent":  func(v any) (string, error) { return percent(l, v) },
		"dur":      func(v any) (string, error) { return duration(l, v) },
		"clock":    clock,
		"size":     func(v any) (string, error) { return size(l, v) },
		"time":     func(v any) (string, error) { return eventTime(dayStart, v) },
		"interval": func(a, b any) (string, error) { return interval(dayStart, a, b) },
		"list":     func(v any) (string, error) { return list(l, v) },
		"code":     func(v any) string { return "`" + fmt.Sprint(v) + "`" },
	}
	if l == KO {
		m["josa"] = func(pair string, v any) (string, error) { return Josa(pair, fmt.Sprint(v)) }
		m["particle"] = func(pair string, v any) (string, error) { return Particle(pair, fmt.Sprint(v)) }
	}
	return m
}

// list joins names as a sentence does: "a, b y c", "a, b, c".
func list(l Lang, v any) (string, error) {
	names, ok := v.([]string)
	if !ok {
		return "", fmt.Errorf("locale: list wants names, not %T", v)
	}
	if l == KO || len(names) < 2 {
		return strings.Join(names, ", "), nil
	}
	last := names[len(names)-1]
	and := " y "
	if soundsLikeI(last) {
		and = " e "
	}
	return strings.Join(names[:len(names)-1], ", ") + and + last, nil
}

// soundsLikeI: before the sound i, Spanish says e (padres e hijos), but not
// before a diphthong (nieve y hielo).
func soundsLikeI(w string) bool {
	w = strings.ToLower(strings.TrimLeft(w, "`*_\"«“"))
	w = strings.TrimPrefix(w, "h")
	if !strings.HasPrefix(w, "i") && !strings.HasPrefix(w, "í") {
		return false
	}
	for _, d := range []string{"ia", "ie", "io", "iu"} {
		if strings.HasPrefix(w, d) {
			return false
		}
	}
	return true
}
