package narrate

import "streaminglab/internal/locale"

// Show is a view (script.Views) as tables. all shows every row of the state
// (show state --dump).
func Show(loc *locale.Localizer, r Run, view string, all bool) []Table { return nil }

// Picture is the text twin of the bench: what is on each split, who holds time,
// the windows and the late records. No line is wider than 80 columns.
func Picture(loc *locale.Localizer, r Run) []string { return nil }
