//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// A terminalScreen is the built binary in full screen on a terminal emulator,
// which answers what a terminal is asked unless it is silent.
type terminalScreen struct {
	mu    sync.Mutex
	em    *vt.Emulator
	bytes []byte // everything that was written
	tty   *os.File
	cmd   *exec.Cmd
	done  chan error
}

func fullScreen(t *testing.T, home string, silent bool, env []string, args ...string) *terminalScreen {
	t.Helper()
	bin, err := buildLab()
	if err != nil {
		t.Fatal(err)
	}
	return fullScreenOf(t, exec.Command(bin, args...), home, silent, env)
}

func fullScreenOf(t *testing.T, cmd *exec.Cmd, home string, silent bool, env []string) *terminalScreen {
	t.Helper()
	var err error
	s := &terminalScreen{em: vt.NewEmulator(80, 24), cmd: cmd, done: make(chan error, 1)}
	s.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LAB_HOME=" + home, "LANG=ko_KR.UTF-8", "TERM=xterm-256color"}, env...)
	s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(s, s.tty)
	if silent {
		go io.Copy(io.Discard, s.em)
	} else {
		go io.Copy(s.tty, s.em)
	}
	go func() { s.done <- s.cmd.Wait() }()
	t.Cleanup(func() { s.cmd.Process.Kill(); s.tty.Close() })
	return s
}

func (s *terminalScreen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes = append(s.bytes, p...)
	return s.em.Write(p)
}

func (s *terminalScreen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.em.String()
}

func (s *terminalScreen) written() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.bytes)
}

// cursor is where the terminal's own cursor stands: an input method opens there.
func (s *terminalScreen) cursor() (x, y int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.em.CursorPosition()
	return p.X, p.Y
}

// wait waits until the screen shows a text.
func (s *terminalScreen) wait(t *testing.T, text string) string {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if now := s.String(); strings.Contains(now, text) {
			return now
		}
	}
	t.Fatalf("no %q in:\n%s", text, s)
	return ""
}

// quiet waits until nothing has been written for a while: the rest of a frame
// that comes to a terminal of another size lands anywhere.
func (s *terminalScreen) quiet() {
	end := time.Now().Add(10 * time.Second)
	for n, same := -1, 0; same < 5 && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		s.mu.Lock()
		now := len(s.bytes)
		s.mu.Unlock()
		if now == n {
			same++
		} else {
			n, same = now, 0
		}
	}
}

// settled waits until the cursor stands at x, y.
func (s *terminalScreen) settled(t *testing.T, x, y int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if gx, gy := s.cursor(); gx == x && gy == y {
			return
		}
	}
	gx, gy := s.cursor()
	t.Errorf("the cursor is at %d,%d, not at %d,%d:\n%s", gx, gy, x, y, s)
}

// keys types slowly enough that an escape is a key of its own.
func (s *terminalScreen) keys(t *testing.T, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if _, err := io.WriteString(s.tty, k); err != nil {
			t.Fatal(err)
		}
		time.Sleep(60 * time.Millisecond)
	}
}

// toPicture leaves the command line. An escape that another key follows at
// once would be a key with Alt.
func (s *terminalScreen) toPicture(t *testing.T) {
	t.Helper()
	s.keys(t, keyEscape)
	s.wait(t, "←→")
}

func (s *terminalScreen) resize(t *testing.T, w, h int) {
	t.Helper()
	s.quiet()
	s.mu.Lock()
	s.em.Resize(w, h)
	s.mu.Unlock()
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		t.Fatal(err)
	}
}

// ended waits for the end of the program and that it gave the terminal back.
func (s *terminalScreen) ended(t *testing.T) error {
	t.Helper()
	var err error
	select {
	case err = <-s.done:
	case <-time.After(20 * time.Second):
		t.Fatalf("lab does not end:\n%s", s)
	}
	time.Sleep(50 * time.Millisecond)
	out := s.written()
	if on, off := strings.LastIndex(out, "\x1b[?1049h"), strings.LastIndex(out, "\x1b[?1049l"); on < 0 || off < on {
		t.Errorf("the terminal was not given back: ?1049h at %d, ?1049l at %d", on, off)
	}
	if on, off := strings.LastIndex(out, "\x1b[?25l"), strings.LastIndex(out, "\x1b[?25h"); off < on {
		t.Error("the cursor was left hidden")
	}
	return err
}

const (
	keyUp, keyDown, keyRight, keyLeft = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
	keyEnter, keyEscape               = "\r", "\x1b"
)

// A learner works with a Korean input method on: ㅂ is the key of q.
func TestScreenTakesHangulAndJamo(t *testing.T) {
	s := fullScreen(t, t.TempDir(), false, nil)
	s.wait(t, "1. 워터마크")
	s.keys(t, keyDown, keyDown, keyEnter)
	s.wait(t, "목표")
	// The line: a Hangul syllable has two cells, and the cursor stands behind it.
	s.keys(t, "produce clicks/0 12:00:04 한글")
	shown := s.wait(t, "한글")
	y, x := 0, 0
	for i, l := range strings.Split(shown, "\n") {
		if at := strings.Index(l, "한글"); at >= 0 {
			y, x = i, cells(l[:at])+4
		}
	}
	s.settled(t, x, y)
	s.keys(t, keyLeft)
	s.settled(t, x-2, y)
	s.keys(t, keyRight, " 1", keyEnter)
	s.wait(t, "한글 █ 1")
	// Away from the line the same keys act.
	s.toPicture(t)
	s.keys(t, "ㅂ") // q
	s.wait(t, "1. 워터마크")
	s.keys(t, "ㅂ")
	if err := s.ended(t); err != nil {
		t.Error(err)
	}
}

func cells(s string) (n int) {
	for _, r := range s {
		n++
		if r >= 0x1100 {
			n++
		}
	}
	return n
}

// Resizing while something is typed loses nothing; too small says so.
func TestScreenFollowsItsSize(t *testing.T) {
	s := fullScreen(t, t.TempDir(), false, nil)
	s.wait(t, "1. 워터마크")
	s.keys(t, keyDown, keyDown, keyEnter)
	s.wait(t, "목표")
	s.keys(t, "advance 20")
	s.wait(t, "advance 20")
	s.resize(t, 30, 10)
	s.wait(t, "40×15")
	s.resize(t, 120, 40)
	s.wait(t, "advance 20")
	s.resize(t, 40, 15)
	s.wait(t, "advance 20")
	s.keys(t, "0ms", keyEnter)
	s.wait(t, "t=400ms")
	s.toPicture(t)
	s.keys(t, "q")
	s.resize(t, 80, 24)
	s.wait(t, "1. 워터마크")
	s.keys(t, "q")
	if err := s.ended(t); err != nil {
		t.Error(err)
	}
}

// A terminal that answers no question shows the home all the same, and at once.
func TestScreenOnASilentTerminal(t *testing.T) {
	s := fullScreen(t, t.TempDir(), true, nil)
	s.wait(t, "1. 워터마크")
	s.keys(t, "q")
	if err := s.ended(t); err != nil {
		t.Error(err)
	}
}

// A hangup and SIGTERM end the course and give the terminal back; what was
// typed is there the next time.
func TestScreenKeepsWhatWasTyped(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			home := t.TempDir()
			s := fullScreen(t, home, false, nil)
			s.wait(t, "1. 워터마크")
			s.keys(t, keyDown, keyDown, keyEnter)
			s.wait(t, "목표")
			s.keys(t, "produce clicks/0 12:00:04 ana 2", keyEnter)
			s.wait(t, "목표를 달성했습니다.")
			s.cmd.Process.Signal(sig)
			if sig != syscall.SIGKILL {
				s.ended(t)
			} else {
				<-s.done
			}
			text, err := os.ReadFile(filepath.Join(home, "progress.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "produce clicks/0 12:00:04 ana 2") {
				t.Errorf("the command was not kept:\n%s", text)
			}
			s = fullScreen(t, home, false, nil)
			s.wait(t, "1. 워터마크")
			s.keys(t, keyDown, keyDown, keyEnter)
			s.wait(t, "목표를 달성했습니다.")
		})
	}
}

// Ctrl-Z stops the course with the terminal given back; fg brings it back with
// what was typed. Only a shell that controls jobs can be returned to.
func TestScreenSuspends(t *testing.T) {
	bin, err := buildLab()
	if err != nil {
		t.Fatal(err)
	}
	s := fullScreenOf(t, exec.Command("sh", "-m", "-c", `"$1"; echo "stopped here"; sleep 1; fg`, "sh", bin), t.TempDir(), false, nil)
	s.wait(t, "1. 워터마크")
	s.keys(t, keyDown, keyDown, keyEnter)
	s.wait(t, "목표")
	s.keys(t, "advance 20", "\x1a")
	s.wait(t, "stopped here")
	if out := s.written(); strings.LastIndex(out, "\x1b[?1049l") < strings.LastIndex(out, "\x1b[?1049h") {
		t.Error("the terminal was not given back")
	}
	s.wait(t, "advance 20")
	s.keys(t, "0ms", keyEnter)
	s.wait(t, "t=400ms")
	s.toPicture(t)
	s.keys(t, "q")
	s.wait(t, "1. 워터마크")
	s.keys(t, "q")
	if err := s.ended(t); err != nil {
		t.Error(err)
	}
}

// A terminal of sixteen colours gets no others; NO_COLOR gets none.
func TestScreenKeepsToTheColoursOfTheTerminal(t *testing.T) {
	rich := regexp.MustCompile(`\x1b\[[0-9;]*[34]8[;:][25]`)
	some := regexp.MustCompile(`\x1b\[([0-9]+;)*(3[0-7]|9[0-7])(;[0-9]+)*m`)
	show := func(env ...string) string {
		s := fullScreen(t, t.TempDir(), false, env)
		s.wait(t, "1. 워터마크")
		s.keys(t, keyDown, keyDown, keyDown, keyDown, keyEnter)
		s.wait(t, "목표")
		s.toPicture(t)
		s.keys(t, "q")
		s.wait(t, "1. 워터마크")
		s.keys(t, "q")
		s.ended(t)
		return s.written()
	}
	out := show("TERM=xterm-16color")
	if c := rich.FindString(out); c != "" {
		t.Errorf("a terminal of 16 colours got %q", c)
	}
	if !some.MatchString(out) {
		t.Error("a terminal of 16 colours got none")
	}
	out = show("NO_COLOR=1")
	if c := rich.FindString(out) + some.FindString(out); c != "" {
		t.Errorf("NO_COLOR got %q", c)
	}
}

// The job file is edited in the learner's own editor, which gets the terminal.
func TestScreenOpensTheEditor(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed -i 's/bound: 2s/bound: 20s/' \"$2\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := fullScreen(t, t.TempDir(), false, []string{"EDITOR=" + editor + " --wait"})
	s.wait(t, "1. 워터마크")
	s.keys(t, keyDown, keyDown, keyEnter)
	s.wait(t, "목표")
	s.toPicture(t)
	s.keys(t, "e")
	s.wait(t, "set sources.clicks.watermark.bound 20s")
	s.keys(t, "q")
	s.wait(t, "1. 워터마크")
	s.keys(t, "q")
	if err := s.ended(t); err != nil {
		t.Error(err)
	}
}

// A command that would last until it meets a bound is interrupted by Ctrl-C, at
// once, and lab goes on.
func TestCtrlCInterruptsACommand(t *testing.T) {
	s := fullScreen(t, t.TempDir(), false, []string{"LAB_LANG=es"}, "open", "time-1-first")
	s.wait(t, "lab>")
	s.keys(t, "advance 3000d", "\r")
	s.wait(t, "Ctrl-C lo interrumpe")
	s.keys(t, "\x03")
	s.wait(t, "El comando se interrumpió")
	s.keys(t, "advance 1s", "\r")
	s.wait(t, "Objetivo alcanzado")
	s.keys(t, "\x03")
	if err := s.ended(t); err != nil {
		t.Errorf("Ctrl-C with nothing to interrupt: %v", err)
	}
}
