//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// A watched terminal notes when its program wrote.
type watched struct {
	tty   *os.File
	cmd   *exec.Cmd
	start time.Time
	out   chan []byte
}

func watch(b *testing.B, w, h int, home, bin string, args ...string) *watched {
	b.Helper()
	t := &watched{cmd: exec.Command(bin, args...), out: make(chan []byte, 1000), start: time.Now()}
	t.cmd.Env = append(os.Environ(), "LAB_HOME="+home, "LANG=ko_KR.UTF-8", "TERM=xterm-256color")
	var err error
	if t.tty, err = pty.StartWithSize(t.cmd, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		b.Fatal(err)
	}
	go func() {
		defer close(t.out)
		for {
			buf := make([]byte, 64<<10)
			n, err := t.tty.Read(buf)
			if n > 0 {
				t.out <- buf[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	return t
}

func (t *watched) until(b *testing.B, text string) time.Duration {
	b.Helper()
	var all []byte
	late := time.After(30 * time.Second)
	for {
		select {
		case out, ok := <-t.out:
			if all = append(all, out...); bytes.Contains(all, []byte(text)) {
				return time.Since(t.start)
			}
			if !ok {
				b.Fatalf("the program ended without %q:\n%q", text, all)
			}
		case <-late:
			b.Fatalf("no %q in:\n%q", text, all)
		}
	}
}

func (t *watched) end() {
	t.cmd.Process.Kill()
	t.cmd.Wait()
	t.tty.Close()
	for range t.out {
	}
}

// quiet waits until nothing more is written.
func (t *watched) quiet() {
	for {
		select {
		case <-t.out:
		case <-time.After(150 * time.Millisecond):
			return
		}
	}
}

// BenchmarkFirstFrame is the time from the start of the process to its first
// frame, of lab and of the least program in full screen, turn by turn on equal
// terminals.
func BenchmarkFirstFrame(b *testing.B) {
	lab, err := buildLab()
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	hello := filepath.Join(dir, "hello")
	if out, err := exec.Command("go", "build", "-o", hello, "./testdata/hello").CombinedOutput(); err != nil {
		b.Fatal(string(out))
	}
	var times [2][]time.Duration
	for b.Loop() {
		for range 10 {
			for i, x := range []struct{ bin, text string }{{lab, "이벤트 시간"}, {hello, "hello"}} {
				t := watch(b, 80, 24, dir, x.bin)
				times[i] = append(times[i], t.until(b, x.text))
				t.end()
			}
		}
	}
	median := func(d []time.Duration) float64 { slices.Sort(d); return float64(d[len(d)/2].Microseconds()) / 1000 }
	l, h := median(times[0]), median(times[1])
	b.ReportMetric(l, "lab-ms")
	b.ReportMetric(h, "hello-ms")
	b.ReportMetric(l/h, "lab/hello")
}

// BenchmarkKeyToFrame steps through an experiment at 120×40 in Korean: from a
// key to the first byte of its frame, and the bytes of a frame. Then the bench
// stands idle: what it writes, the processor time it takes and its memory.
func BenchmarkKeyToFrame(b *testing.B) {
	bin, err := buildLab()
	if err != nil {
		b.Fatal(err)
	}
	t := watch(b, 120, 40, b.TempDir(), bin, "open", "time-1-idle")
	defer t.end()
	t.until(b, "lab>")
	t.quiet()
	t.tty.WriteString("\x1b")
	t.quiet()
	var took []time.Duration
	written, frames := 0, 0
	for b.Loop() {
		for i := range 100 {
			key := "\x1b[D"
			if i%20 >= 10 {
				key = "\x1b[C"
			}
			start := time.Now()
			t.tty.WriteString(key)
			select {
			case out := <-t.out:
				took = append(took, time.Since(start))
				written += len(out)
				frames++
			case <-time.After(time.Second):
				b.Fatal("a key made no frame")
			}
			for more := true; more; {
				select {
				case out := <-t.out:
					written += len(out)
				case <-time.After(20 * time.Millisecond):
					more = false
				}
			}
		}
	}
	slices.Sort(took)
	at := func(p float64) float64 { return float64(took[int(float64(len(took)-1)*p)].Microseconds()) / 1000 }
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
	b.ReportMetric(float64(written)/float64(frames), "bytes/frame")

	t.quiet()
	before, _ := cpu(t.cmd.Process.Pid)
	time.Sleep(2 * time.Second)
	after, rss := cpu(t.cmd.Process.Pid)
	idle := 0
	for n := len(t.out); n > 0; n-- {
		idle += len(<-t.out)
	}
	b.ReportMetric(float64(idle)/2, "idle-bytes/s")
	b.ReportMetric((after-before)/2*100, "idle-cpu-%")
	b.ReportMetric(rss, "idle-MB")
}

// cpu returns the processor time in s and the memory in MB of a process, where
// the system says so.
func cpu(pid int) (seconds, mb float64) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, 0
	}
	f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	pages, _ := strconv.ParseFloat(f[21], 64)
	return (user + system) / 100, pages * float64(os.Getpagesize()) / 1e6
}

// BenchmarkBinary reports the size of the binary as it is given to people.
func BenchmarkBinary(b *testing.B) {
	bin := filepath.Join(b.TempDir(), "lab")
	for b.Loop() {
		c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatal(string(out))
		}
	}
	s, err := os.Stat(bin)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(s.Size())/1e6, "MB")
}
