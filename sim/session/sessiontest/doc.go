// Package sessiontest makes experiments for tests: a job file and a script,
// without the texts that a learner would read.
package sessiontest
