package scratch_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"streaminglab/internal/scratch"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/operator"
	"streaminglab/sim/world"
)

// childVariable makes the test binary a lab that fills a directory and is
// killed. Its value is how many checkpoints are retained.
const childVariable = "LAB_SCRATCH_CHILD"

func TestMain(m *testing.M) {
	if retained := os.Getenv(childVariable); retained != "" {
		if err := child(os.Args[len(os.Args)-1], retained); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A completion is what the child prints when a checkpoint has completed.
type completion struct {
	Event string `json:"event"`
	ID    int64  `json:"id"`
	Files []file `json:"files"`
}

type file struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

const killJob = `
sources:
  clicks:
    splits: 2
    watermark: {strategy: bounded-out-of-orderness, bound: 1s}
operators:
  - name: totals
    window: {assign: tumbling 1m, reduce: sum}
sinks:
  - name: out
flinkConfiguration:
  state.backend.type: %s
  execution.checkpointing.interval: 1s
  execution.checkpointing.incremental: true
  execution.checkpointing.num-retained: %s
  execution.checkpointing.data-inline-threshold: 0
`

// child runs a job whose checkpoints go to a directory, until it is killed.
func child(dir, retained string) error {
	s, err := scratch.Open(dir)
	if err != nil {
		return err
	}
	content := s.Content()
	backend := "rocksdb"
	if retained == "2" {
		backend = "hashmap"
	}
	w := world.New(world.Config{
		Files: map[string][]byte{"job.yaml": fmt.Appendf(nil, killJob, backend, retained)}, Seed: 1, Content: content,
	})
	if err := w.Start("job job.yaml", "job.yaml"); err != nil {
		return err
	}
	fmt.Println(`{"event":"ready"}`)
	printed := 0
	for n := range int64(1000) {
		for i := range int64(8) {
			ts := w.Now() + i
			target := world.Target{Source: "clicks", Split: fmt.Sprint(i % 2)}
			if err := w.Produce("produce", target, operator.Record{TS: ts, Name: fmt.Sprint(n), Value: i}); err != nil {
				return err
			}
		}
		if err := w.Advance("advance 250ms", 250); err != nil {
			return err
		}
		done := w.Job().Completed()
		if len(done) == 0 || done[len(done)-1].ID == int64(printed) {
			continue
		}
		last := done[len(done)-1]
		printed = int(last.ID)
		line, err := complete(w, content, last.Directory, last.ID)
		if err != nil {
			return err
		}
		if _, err := os.Stdout.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// complete describes a checkpoint as the simulated job knows it, from memory.
func complete(w *world.World, content *scratch.Content, directory string, id int64) ([]byte, error) {
	out := completion{Event: "checkpoint.completed", ID: id}
	key := directory + "/" + checkpoint.MetadataFile
	data, err := content.Read(key)
	if err != nil {
		return nil, err
	}
	m, err := checkpoint.DecodeMetadata(data, directory)
	if err != nil {
		return nil, err
	}
	for _, key := range append(m.Files(), key) {
		data, err := content.Read(key)
		if err != nil {
			return nil, err
		}
		for _, o := range w.Cluster().Store.Objects() {
			if o.Key == key && o.Size != int64(len(data)) {
				return nil, fmt.Errorf("%s: %d bytes, the store says %d", key, len(data), o.Size)
			}
		}
		sum := sha256.Sum256(data)
		out.Files = append(out.Files, file{content.Path(key), int64(len(data)), hex.EncodeToString(sum[:])})
	}
	return json.Marshal(out)
}

// A lab that is killed at any moment leaves whole every checkpoint that it has
// said is completed: _metadata and each file that it names, byte for byte. The
// directory can be used again at once.
func TestKilledAtAnyMoment(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 24
	}
	draws := rand.New(rand.NewPCG(1, 2))
	type attempt struct {
		retained string
		after    time.Duration
		// ready: the time counts from when the job runs, not from the start.
		ready bool
	}
	all := make(chan attempt, kills)
	for i := range kills {
		retained := "1000"
		if i%2 == 1 {
			retained = "2"
		}
		a := attempt{retained, time.Duration(draws.Int64N(int64(150 * time.Millisecond))), i%4 > 0}
		if !a.ready {
			a.after /= 3
		}
		all <- a
	}
	close(all)
	var mu sync.Mutex
	seen, none, files := 0, 0, 0
	var wait sync.WaitGroup
	for worker := range 3 {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(worker))
		wait.Go(func() {
			for a := range all {
				checkpoints, n, err := killed(dir, a.retained, a.after, a.ready)
				if err != nil {
					t.Errorf("killed after %v, %s retained: %v", a.after, a.retained, err)
				}
				mu.Lock()
				seen += checkpoints
				files += n
				if checkpoints == 0 {
					none++
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	t.Logf("%d kills, %d of them before a checkpoint; %d checkpoints with %d files were whole", kills, none, seen, files)
	if seen == 0 || none == kills {
		t.Error("no checkpoint was seen")
	}
}

// killed runs a child in a directory, kills it and looks at what it left.
func killed(dir, retained string, after time.Duration, ready bool) (checkpoints, files int, err error) {
	c := exec.Command(os.Args[0], "--", dir)
	c.Env = append(os.Environ(), childVariable+"="+retained)
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	if err := c.Start(); err != nil {
		return 0, 0, err
	}
	kill := func() { time.AfterFunc(after, func() { c.Process.Kill() }) }
	if !ready {
		kill()
	}
	var lines []completion
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			if err != io.EOF {
				return 0, 0, err
			}
			break // a torn line is no promise
		}
		var l completion
		if err := json.Unmarshal(line, &l); err != nil {
			return 0, 0, err
		}
		if l.Event == "checkpoint.completed" {
			lines = append(lines, l)
		} else if ready {
			kill()
		}
	}
	if c.Wait(); problems.Len() > 0 {
		return 0, 0, fmt.Errorf("the child: %s", problems.String())
	}
	// With few retained, the one before the last may be going while the next
	// one completes.
	if retained == "2" && len(lines) > 1 {
		lines = lines[len(lines)-1:]
	}
	for _, l := range lines {
		for _, f := range l.Files {
			data, err := os.ReadFile(f.Path)
			if err != nil {
				return 0, 0, fmt.Errorf("checkpoint %d: %w", l.ID, err)
			}
			sum := sha256.Sum256(data)
			if int64(len(data)) != f.Size || hex.EncodeToString(sum[:]) != f.SHA256 {
				return 0, 0, fmt.Errorf("checkpoint %d: %s is another one, of %d bytes instead of %d", l.ID, f.Path, len(data), f.Size)
			}
			files++
		}
	}
	if retained != "2" {
		if err := metadataIsLast(filepath.Join(dir, "store")); err != nil {
			return 0, 0, err
		}
	}
	s, err := scratch.Open(dir)
	if err != nil {
		return 0, 0, fmt.Errorf("not usable again: %w", err)
	}
	return len(lines), files, s.Close()
}

// metadataIsLast checks that whatever _metadata lies there names only files
// that are there, whole: nobody deletes any in this run.
func metadataIsLast(root string) error {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != checkpoint.MetadataFile {
			return err
		}
		directory, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		m, err := checkpoint.DecodeMetadata(data, filepath.ToSlash(directory))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, o := range m.Operators {
			for _, sub := range o.Subtasks {
				for _, h := range handles(sub) {
					if h.Kind != checkpoint.File {
						continue
					}
					info, err := os.Stat(filepath.Join(root, filepath.FromSlash(h.Path)))
					if err != nil || info.Size() != h.Size {
						return fmt.Errorf("%s names %s, of %d bytes: %v", path, h.Path, h.Size, err)
					}
				}
			}
		}
		return nil
	})
	// It may be killed before it has a store.
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func handles(s *checkpoint.SubtaskState) (out []checkpoint.Handle) {
	if s == nil {
		return nil
	}
	for _, k := range s.Keyed {
		for _, h := range append(slices.Clone(k.Shared), k.Private...) {
			out = append(out, h.Handle)
		}
	}
	for _, h := range s.Operator {
		out = append(out, h.Handle)
	}
	return out
}
