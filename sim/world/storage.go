package world

import (
	"regexp"
	"slices"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/flink"
	"streaminglab/sim/objectstore"
)

// Decline makes a subtask decline the next checkpoint that asks it.
func (w *World) Decline(text Command, what string) error {
	if err := w.needRunning(); err != nil {
		return err
	}
	at, err := w.subtask(what)
	if err != nil {
		return err
	}
	step := w.kernel.Command(string(text))
	w.kernel.Faults.Arm(&sim.Fault{Point: sim.PointSnapshot, At: at, Kind: sim.FaultDecline, Cause: step})
	return w.settle()
}

// Permission takes or gives the right to requests on objects with a prefix.
func (w *World) Permission(text Command, op objectstore.Op, prefix string, allowed bool) error {
	prefix = w.prefix(prefix)
	what := "deny"
	if allowed {
		what = "allow"
	}
	return w.changeStore(text, sim.StoreChanged{What: what, Operation: string(op), Prefix: prefix}, func(s *objectstore.Store) {
		if allowed {
			s.Faults.Allow(op, prefix)
		} else {
			s.Faults.Deny(op, prefix)
		}
	})
}

// SlowStore makes each request of an operation take longer by so many ms; 0
// ends that.
func (w *World) SlowStore(text Command, op objectstore.Op, extra int64) error {
	return w.changeStore(text, sim.StoreChanged{What: "slow", Operation: string(op), Duration: extra}, func(s *objectstore.Store) {
		s.Faults.SlowDown(objectstore.Slowness{Op: op, Extra: extra})
	})
}

// Lifecycle makes the store delete objects with a prefix once they are older
// than an age in ms, whoever needs them (CP-11.7); 0 ends the rule.
func (w *World) Lifecycle(text Command, prefix string, age int64) error {
	prefix = w.prefix(prefix)
	return w.changeStore(text, sim.StoreChanged{What: "lifecycle", Prefix: prefix, Duration: age}, func(s *objectstore.Store) {
		s.SetLifecycle(objectstore.LifecycleRule{Prefix: prefix, Age: age})
	})
}

// Holds reports whether an object has a prefix, or a job could write one that
// has it.
func (w *World) Holds(prefix string) bool {
	prefix = w.prefix(prefix)
	for _, o := range w.cluster.Store.Objects() {
		if strings.HasPrefix(o.Key, prefix) {
			return true
		}
	}
	if w.job == nil {
		return false
	}
	c := w.job.Spec.Checkpointing
	dir, id := c.Directory+"/", w.job.ID
	if rest, ok := strings.CutPrefix(prefix, dir); ok && jobDirectory.MatchString(rest) {
		id, _, _ = strings.Cut(rest, "/") // of a job that is over or to come
	}
	places := []string{dir + id + "/shared/", dir + id + "/taskowned/", dir + id + "/chk-"}
	for _, other := range []string{c.Savepoints, w.job.Spec.ForSt.Primary} {
		if other = strings.TrimSuffix(other, "/"); other != "" {
			places = append(places, other+"/")
		}
	}
	return slices.ContainsFunc(places, func(place string) bool {
		return strings.HasPrefix(place, prefix) || strings.HasPrefix(prefix, place)
	})
}

var jobDirectory = regexp.MustCompile(`^job\d+/`)

func (w *World) changeStore(text Command, body sim.StoreChanged, change func(*objectstore.Store)) error {
	step := w.kernel.Command(string(text))
	changed := w.kernel.Emit("store", "LAB-8", body, step)
	if body.What == "lifecycle" {
		w.rules[body.Prefix] = changed
	}
	change(w.cluster.Store)
	return w.settle()
}

// expire books the deletion of what a lifecycle rule will find.
func (w *World) expire(at int64) {
	w.kernel.Queue.At(max(at, w.kernel.Now()), true, func() {
		for _, o := range w.cluster.Store.ApplyLifecycle() {
			w.kernel.Emit("store", "CP-11.7", sim.ObjectDeleted{Path: o.Key, Size: o.Size, By: "lifecycle"}, w.rules[o.Rule.Prefix])
		}
		w.cluster.Forget()
	})
}

// Delete deletes an object as a person does, or with a slash at the end all
// objects below it. Paths may leave out the directory of checkpoints.
func (w *World) Delete(text Command, path string) error {
	var found []objectstore.Info
	for _, o := range w.cluster.Store.Objects() {
		for _, key := range w.names(o.Key) {
			if key == path || strings.HasSuffix(path, "/") && strings.HasPrefix(key, path) {
				found = append(found, o)
				break
			}
		}
	}
	if len(found) == 0 {
		known := w.ObjectNames()
		return sim.NewProblem("world.no-object", "Path", path, "Nearest", Nearest(path, known))
	}
	step := w.kernel.Command(string(text))
	for _, o := range found {
		if _, err := w.cluster.Store.Erase(o.Key); err != nil {
			return err
		}
		w.kernel.Emit("store", "LAB-8", sim.ObjectDeleted{Path: o.Key, Size: o.Size, By: "person"}, step)
	}
	w.cluster.Forget()
	return w.settle()
}

// names are what an object may be called: by its whole key, from the job's
// directory on, and from below it on for the present job.
func (w *World) names(key string) []string {
	out := []string{key}
	if w.job == nil {
		return out
	}
	if rest, ok := strings.CutPrefix(key, w.job.Spec.Checkpointing.Directory+"/"); ok {
		out = append(out, rest)
		if rest, ok = strings.CutPrefix(rest, w.job.ID+"/"); ok {
			out = append(out, rest)
		}
	}
	return out
}

// shortPrefix begins a short name of objects: the directory of a job, or one
// below it.
var shortPrefix = regexp.MustCompile(`^(job\d+(/|$)|shared(/|$)|taskowned(/|$)|chk-)`)

// prefix is the whole of a prefix that may be short as names are.
func (w *World) prefix(p string) string {
	if w.job == nil || !shortPrefix.MatchString(p) {
		return p
	}
	dir := w.job.Spec.Checkpointing.Directory + "/"
	if !strings.HasPrefix(p, "job") {
		dir += w.job.ID + "/"
	}
	return dir + p
}

// ObjectNames are the shortest names of all objects.
func (w *World) ObjectNames() []string {
	var out []string
	for _, o := range w.cluster.Store.Objects() {
		names := w.names(o.Key)
		out = append(out, names[len(names)-1])
	}
	return out
}

// Compact rewrites the files of an operator's state, or of one subtask.
func (w *World) Compact(text Command, what string) error {
	if err := w.needRunning(); err != nil {
		return err
	}
	at, err := w.subtask(what)
	if err != nil {
		return err
	}
	if b := w.job.Spec.Backend.Name; b != flink.RocksDB.Name && b != flink.ForSt.Name {
		return sim.NewProblem("world.no-files", "Backend", w.job.Spec.Backend.Name)
	}
	w.kernel.Command(string(text))
	w.job.Compact(at)
	return w.settle()
}
