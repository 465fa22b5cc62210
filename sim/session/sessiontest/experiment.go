package sessiontest

import (
	"testing"

	"streaminglab/sim/session"
)

// Experiment returns an experiment whose script starts the job of job.yaml and
// goes on with more lines.
func Experiment(t testing.TB, job, more string) *session.Experiment {
	t.Helper()
	e, err := session.ParseExperiment("own", "own", []byte("job job.yaml\n"+more+`-- experiment.toml --
version = 1
[es]
title = "x"
[ko]
title = "x"
-- job.yaml --
`+job))
	if err != nil {
		t.Fatal(err)
	}
	return e
}
