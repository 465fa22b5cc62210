//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// lab builds the binary once.
var buildLab = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "lab")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "lab")
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		return "", &exec.Error{Name: string(out), Err: err}
	}
	return bin, nil
})

// A screen collects what a program writes to its terminal. The terminal is
// silent: it answers no question.
type screen struct {
	mu  sync.Mutex
	buf bytes.Buffer
	tty *os.File
	cmd *exec.Cmd
}

func onTerminal(t *testing.T, home string, args ...string) *screen {
	t.Helper()
	bin, err := buildLab()
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{cmd: exec.Command(bin, args...)}
	s.cmd.Env = append(os.Environ(), "LAB_HOME="+home, "LANG=es_ES.UTF-8", "TERM=xterm-256color")
	s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(s, s.tty)
	t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait(); s.tty.Close() })
	return s
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(b)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

// wait waits until the text has stood on the screen n times.
func (s *screen) wait(t *testing.T, text string, n int) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for strings.Count(s.text(), text) < n {
		if time.Now().After(deadline) {
			t.Fatalf("%q did not come %d times:\n%s", text, n, s.text())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func (s *screen) typed(text string) { io.WriteString(s.tty, text+"\r") }

// A terminal that answers nothing does not delay the start, because lab by
// lines asks it nothing.
func TestASilentTerminalIsAskedNothing(t *testing.T) {
	s := onTerminal(t, t.TempDir(), "--plain")
	s.wait(t, "q: salir", 1)
	for _, query := range []string{"\x1b]11;?", "\x1b[6n", "\x1b[c", "\x1b[?2026$p", "\x1b[>"} {
		if strings.Contains(s.text(), query) {
			t.Errorf("the terminal was asked %q", query)
		}
	}
	s.typed("q")
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// kill -9 in the middle of a quiz loses no answer that was given.
func TestKillLosesNoAnswer(t *testing.T) {
	home := t.TempDir()
	for answered := range 3 {
		s := onTerminal(t, home, "quiz", "time-1", "--plain")
		s.wait(t, "Pregunta "+string(rune('1'+answered))+" de", 1)
		s.wait(t, ">", 1)
		// Two empty lines are no answer, to every kind of question.
		s.typed("")
		s.wait(t, "vacía", 1)
		s.typed("")
		s.wait(t, "Pregunta "+string(rune('2'+answered))+" de", 1)
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
	text, err := os.ReadFile(filepath.Join(home, "progress.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"answer.locked"`); n != 3 {
		t.Errorf("%d answers are kept, 3 were given:\n%s", n, text)
	}
}

// Korean can be chosen at the first start, when nothing says which language.
func TestTheLanguageIsAskedOnce(t *testing.T) {
	home := t.TempDir()
	bin, err := buildLab()
	if err != nil {
		t.Fatal(err)
	}
	start := func() *screen {
		s := &screen{cmd: exec.Command(bin)}
		s.cmd.Env = []string{"LAB_HOME=" + home, "LANG=C", "TERM=xterm", "PATH=" + os.Getenv("PATH")}
		var err error
		if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
			t.Fatal(err)
		}
		go io.Copy(s, s.tty)
		t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait(); s.tty.Close() })
		return s
	}
	s := start()
	s.wait(t, "1/2>", 1)
	s.typed("2")
	s.wait(t, "이벤트 시간", 1)
	s.typed("q")
	s.cmd.Wait()
	s = start()
	s.wait(t, "이벤트 시간", 1)
	if strings.Contains(s.text(), "1/2>") {
		t.Error("the language was asked again")
	}
}
