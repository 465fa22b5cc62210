// Command lab is the course: lessons, simulator, quizzes and their grader.
//
// One file a command; this package parses flags, chooses exit codes and wires
// the rest together.
package main
