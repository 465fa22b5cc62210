// Package plain is the course by lines: for a pipe, a screen reader, a dumb
// terminal, and for whoever prefers it. Numbered choices, no redraw, no boxes.
// Without a terminal no prompt is printed and answers are read line by line.
//
// It must never compute what the simulator knows, and it says nothing that is
// not in the catalogues. Its truth is what session, quiz and narrate give it.
package plain
