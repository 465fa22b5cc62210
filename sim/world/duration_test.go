package world_test

import (
	"testing"

	"streaminglab/sim/world"
)

// A duration is a number with its unit, in whole ms: what is finer is refused,
// never rounded.
func TestDurations(t *testing.T) {
	for text, want := range map[string]int64{
		"200ms": 200, "4.8s": 4800, "5m": 300_000, "5 min": 300_000, ".5s": 500, "0.001m": 60, "0.5d": 43_200_000,
		"0.0009765625d": 84_375, "1.0000000000000s": 1000, "-1.5h": -5_400_000, "0s": 0,
	} {
		if got, ok := world.ParseDuration(text); !ok || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "5", "s", ".s", "5.", "5.s", "1.5ms", "0.0000001s", "0.00001m", "0.00000000001d", "1.2.3s", "1e3s", "--1s", "5 y",
		"9223372036854775807ms", "99999999999999d", "0.99999999999999999999s",
	} {
		if got, ok := world.ParseDuration(text); ok {
			t.Errorf("%q is taken for %d ms", text, got)
		}
	}
}

// Commands also take durations as lab writes them.
func TestSpokenDurations(t *testing.T) {
	for text, want := range map[string]int64{
		"4.8s": 4800, "15m20s": 920_000, "17m9.941s": 1_029_941, "1d22h17m27.645s": 166_647_645, "1h 30m": 5_400_000, "1 min 30 s": 90_000, "-2m5s": -125_000,
	} {
		if got, ok := world.ParseSpokenDuration(text); !ok || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", "20s15m", "1m1m", "1.5m20s", "15m20", "15mm", "1h-5m"} {
		if got, ok := world.ParseSpokenDuration(text); ok {
			t.Errorf("%q is taken for %d ms", text, got)
		}
	}
}
