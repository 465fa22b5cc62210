package narrate

import "streaminglab/internal/locale"

// Help explains a verb: its form and a sentence. Without a name it lists the
// verbs that are alive.
func Help(loc *locale.Localizer, verb string) []string { return nil }

// Verb, FaultPoint, Chapter, Metric and View are one sentence, or a name, each.
func Verb(loc *locale.Localizer, name string) string       { return name }
func FaultPoint(loc *locale.Localizer, name string) string { return name }
func Chapter(loc *locale.Localizer, name string) string    { return name }
func Metric(loc *locale.Localizer, name string) string     { return name }
func View(loc *locale.Localizer, name string) string       { return name }

// Judged says how a question ended: verb is expect or predict, expr its
// expression.
func Judged(loc *locale.Localizer, verb, expr string, held bool) string { return expr }
