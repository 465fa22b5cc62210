//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const hello = `package main

import "os"

func main() { os.Stdout.WriteString("hello\n") }
`

// BenchmarkStart measures a start of lab by lines to its end against hello
// world in Go, as whole processes.
func BenchmarkStart(b *testing.B) {
	bin, err := buildLab()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	source := filepath.Join(dir, "hello.go")
	if err := os.WriteFile(source, []byte(hello), 0o600); err != nil {
		b.Fatal(err)
	}
	small := filepath.Join(dir, "hello")
	if out, err := exec.Command("go", "build", "-o", small, source).CombinedOutput(); err != nil {
		b.Fatal(string(out))
	}
	perRun := map[string]float64{}
	for _, x := range []struct{ name, bin string }{{"lab", bin}, {"hello", small}} {
		b.Run(x.name, func(b *testing.B) {
			for b.Loop() {
				c := exec.Command(x.bin)
				c.Env = append(os.Environ(), "LAB_HOME="+dir, "LANG=es_ES.UTF-8")
				if err := c.Run(); err != nil {
					b.Fatal(err)
				}
			}
			perRun[x.name] = b.Elapsed().Seconds() / float64(b.N)
			if h := perRun["hello"]; h > 0 {
				b.ReportMetric(perRun["lab"]/h, "lab/hello")
			}
		})
	}
}
