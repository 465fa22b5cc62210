// Package markdown reads a lesson and lays it out: a document as a list of
// typed blocks with their source lines, its structure for the comparison of
// the two languages, the lints of its text, and its lines for a width.
//
// It must never know a file on disk, a terminal, what an experiment or an item
// is (it carries their ids), or which language is the original. It writes no
// text of its own: problems are message ids with arguments.
// Its truth is CommonMark as goldmark reads it, with one exception that Korean
// needs and that emphasis.go explains; widths are those of x/ansi.
package markdown
