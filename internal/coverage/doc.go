// Package coverage knows the statements that the course must teach: their ids,
// where they stand in the source chapter, and what kinds of item suit them.
//
// It must never know which lesson teaches a statement or which item asks it:
// lessons and items claim statements, and a check compares.
// Its truth is assets/coverage.toml, copied from the coverage map.
package coverage
