package lsm

import "strconv"

// Names gives table files the names that people see: f1, f2, … in the order
// in which files were first seen. A run has one. Pebble's own numbers start
// anew in each instance and burn on the way, and two instances that were
// restored from one snapshot give the same number to different files.
type Names struct{ last int }

// Next returns the next name.
func (n *Names) Next() string {
	n.last++
	return "f" + strconv.Itoa(n.last)
}
