// Package layout holds the architecture that the tree shows: which package may
// import which. It has no code; its test reads the imports.
package layout
