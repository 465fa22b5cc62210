package narrate

import "streaminglab/internal/locale"

// Why explains the step seq: the chain of its causes back to the commands, one
// line a step, indented, with the rules. With seq 0 it answers "why is nothing
// coming out?".
func Why(loc *locale.Localizer, r Run, seq int) []string { return nil }
