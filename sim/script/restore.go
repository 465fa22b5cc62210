package script

import (
	"slices"
	"strings"

	"streaminglab/sim/checkpoint"
	"streaminglab/sim/flink"
	"streaminglab/sim/world"
)

// claimModes are the words for execution.state-recovery.claim-mode.
var claimModes = map[string]checkpoint.ClaimMode{"claim": checkpoint.Claim, "noclaim": checkpoint.NoClaim, "legacy": checkpoint.Legacy}

const allowNonRestored = "--allow-non-restored-state"

var restoreWords = []string{"claim", "noclaim", "legacy", allowNonRestored}

var verbRestore = &Verb{
	Name: "restore", Class: World, Usage: "restore [SNAPSHOT] [FILE] [claim|noclaim|legacy] [" + allowNonRestored + "]",
	Args: []Arg{{Kind: ArgSnapshot, Optional: true}, {Kind: ArgFile, Words: restoreWords, Optional: true}},
	parse: func(l *line) Command {
		c := Restore{}
		if l.more() && !slices.Contains(restoreWords, l.peek()) && !isFile(l.peek()) {
			c.Snapshot = l.word(ArgSnapshot).text
		}
		if l.more() && isFile(l.peek()) {
			c.File = l.word(ArgFile).text
		}
		seen := map[string]bool{}
		for l.more() {
			w := l.words[l.next]
			word := l.oneOf(restoreWords...)
			m, claims := claimModes[word]
			if seen[word] || claims && c.Options.ClaimMode != "" {
				l.fail(w.col, "script.twice", "Word", word)
				return c
			}
			seen[word] = true
			if claims {
				c.Options.ClaimMode = m
			} else {
				c.Options.AllowNonRestoredState = true
			}
		}
		return c
	},
}

// isFile reports whether a word is the name of a job file.
func isFile(s string) bool { return strings.HasSuffix(s, ".yaml") || strings.HasSuffix(s, ".yml") }

// Restore starts a new job from a checkpoint or savepoint, with the same job
// file or another.
type Restore struct {
	command
	Snapshot, File string
	Options        flink.RestoreOptions
}

// Apply implements WorldCommand.
func (c Restore) Apply(w *world.World, text world.Command, _ Times) error {
	return w.RestoreFile(text, c.Snapshot, c.File, c.Options)
}
