package quiz

// Lang is a language of the course.
type Lang string

// The languages. To add one, add it here and in Languages; every item then
// lacks its texts until they are written, and the parser says where.
const (
	Spanish Lang = "es"
	Korean  Lang = "ko"
)

// Languages lists every language in which an item must be written; the first
// one is what the others are compared with.
var Languages = []Lang{Spanish, Korean}
