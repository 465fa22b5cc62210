// Package world wires everything that a job file names into one simulated
// world and carries out commands on it: records are appended, time passes,
// faults happen. It can stop after any step.
//
// It must never know the command language, a session, a screen or a language:
// errors of the user are values (sim.Problem) with a place in the job file.
// Its truth comes from the components that it wires, and from stories that
// turn recorded cases into job files and scripts.
package world
