// Package check proves the content: that the languages say the same, that
// keys are what the simulator computes, that experiments can be done and not
// done by doing nothing, and that texts keep to the glossary and the screen.
//
// It must never write, and it words nothing: a finding is a value. Its truth
// is the simulator for keys and goals, the glossary for terms, the coverage map
// for what must be taught.
package check
