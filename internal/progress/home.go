package progress

import (
	"os"
	"path/filepath"
	"runtime"
)

// Home is the directory of progress: --home, LAB_HOME, the state directory of
// the XDG base directories (or what Windows has for it).
func Home(flag string, getenv func(string) string) (string, error) {
	for _, d := range []string{flag, getenv("LAB_HOME")} {
		if d != "" {
			return filepath.Abs(d)
		}
	}
	// A relative XDG path is to be ignored, as the specification says.
	if d := getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "lab"), nil
	}
	if runtime.GOOS == "windows" {
		if d := getenv("LocalAppData"); d != "" {
			return filepath.Join(d, "lab"), nil
		}
	}
	if d := getenv("HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, ".local", "state", "lab"), nil
	}
	d, err := os.UserHomeDir()
	if err != nil {
		return "", &Problem{ID: "progress.home", Err: err}
	}
	return filepath.Join(d, ".local", "state", "lab"), nil
}
