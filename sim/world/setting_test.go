package world_test

import (
	"strings"
	"testing"

	"streaminglab/sim"
	"streaminglab/sim/world"
)

// What is wrong with a job file because of a set is said at the word that was
// typed, with the key or name that was meant; without a place of its own the
// setting has that of what it replaces.
func TestASettingIsWrongWhereItWasTyped(t *testing.T) {
	const job = `sources:
  clicks:
    watermark: {strategy: bounded-out-of-orderness, bound: 2s}
operators:
  - name: totals
    window: {assign: tumbling 5s, reduce: sum}
`
	for _, c := range []struct{ line, want string }{
		{"sources.clicks.watermark.bound 5s", ""},
		{"sources.extra {splits: 2}", ""},
		{"sources.clicks.boud 2s", "x:1:16: job.unknown-key Key=boud Nearest=watermark.bound"},
		{"sources.clicks.watermark.boud 2s", "x:1:26: job.unknown-key Key=boud Nearest=bound"},
		{"sorces.clicks.watermark.bound 2s", "x:1:1: job.unknown-key Key=sorces Nearest=sources"},
		{"sources.click.watermark.bound 2s", "x:1:9: job.set-name Known=clicks Name=click Nearest=clicks Path=sources"},
		{"operators.total.lateness 2s", "x:1:11: job.set-name Known=totals Name=total Nearest=totals Path=operators"},
		{"operators.totals 2s", "x:1:11: job.set-path Path=operators.totals"},
		{"sources.clicks.watermark.bound 2x", "x:1:32: job.want-duration Value=2x"},
		{"sources.clicks.watermark {strategy: monotonous, bond: 2s}", "x:1:49: job.unknown-key Key=bond Nearest=bound"},
		{"state.backend.type rocksdb", "x:1:1: job.unknown-key Key=state.backend.type Nearest=flinkConfiguration.state.backend.type"},
		{"state.backend.typ rocksdb", "x:1:1: job.unknown-key Key=state.backend.typ Nearest=flinkConfiguration.state.backend.type"},
		{"parallelism.default 2", "x:1:1: job.unknown-key Key=parallelism.default Nearest=flinkConfiguration.parallelism.default"},
		{"sources.clicks.watermark.bound [", "x:1:32: job.set-value Value=["},
	} {
		path, value, _ := strings.Cut(c.line, " ")
		s := world.Setting{Path: path, Value: value, At: world.SettingPlace{File: "x", Line: 1, Path: 1, Value: len(path) + 2}}
		_, err := world.ReadJob("clicks.yaml", []byte(job), []world.Setting{s}, sim.DefaultBounds)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.want {
			t.Errorf("%s: %s\nwant %s", c.line, text, c.want)
		}
	}
	_, err := world.ReadJob("clicks.yaml", []byte(job), []world.Setting{{Path: "sources.clicks.watermark.boud", Value: "2s"}}, sim.DefaultBounds)
	if want := "clicks.yaml:3:17: job.unknown-key Key=boud Nearest=bound"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}
