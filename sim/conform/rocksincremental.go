package conform

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// keyedFiles is what the recordings of file-based backends have in common: an
// operator with one value state and a timer service, on a backend that is
// opened, snapshot and restored.
type keyedFiles struct {
	keys  *state.Keys
	names lsm.Names
	store *state.Store
	value *state.Table[int64]
	// owns says which keys are those of the subtask.
	groups state.KeyGroupRange
}

// open puts the operator on a storage.
func (k *keyedFiles) open(b state.Backend, keyed state.Keyed) error {
	k.store = state.NewStoreOn(b, keyed, k.keys)
	k.value = state.Open(k.store, "value", state.Int64{})
	state.OpenTimers(k.store, "user-timers")
	return k.store.Err()
}

// assign sets the key groups of the subtask.
func (k *keyedFiles) assign(parallelism, subtask int) error {
	if err := index("subtask", subtask, max(parallelism, 1)); err != nil {
		return err
	}
	groups, err := state.KeyGroupRangeOf(subtask, maxParallelism, parallelism)
	k.groups = groups
	return err
}

func (k *keyedFiles) put(kv map[string]int64) error {
	for _, name := range slices.Sorted(maps.Keys(kv)) {
		if key := k.keys.Intern(name); k.groups.Contains(key.Group) {
			k.value.Put(key, state.Void, kv[name])
		}
	}
	return k.store.Err()
}

func (k *keyedFiles) remove(names []string) error {
	for _, name := range names {
		if key := k.keys.Intern(name); k.groups.Contains(key.Group) {
			k.value.Delete(key, state.Void)
		}
	}
	return k.store.Err()
}

func (k *keyedFiles) get(names []string) (map[string]*int64, error) {
	values := map[string]*int64{}
	for _, name := range names {
		key := k.keys.Intern(name)
		if !k.groups.Contains(key.Group) {
			continue
		}
		values[name] = nil
		if v, ok := k.value.Get(key, state.Void); ok {
			values[name] = &v
		}
	}
	return values, k.store.Err()
}

// rocksReplayer runs a RocksDB backend. Objects of all snapshots are kept.
type rocksReplayer struct {
	keyedFiles
	incremental bool
	db          *lsm.DB
	backends    int
	objects     map[string][]byte
	handles     map[string]*lsm.Handle
	// seen numbers the tables in the order in which snapshots show them. The
	// recording tells tables apart by backend and local name.
	seen map[[2]string]string
}

func newRocksincremental(config json.RawMessage) (Replayer, error) {
	c, err := configured[struct {
		Incremental bool `json:"incremental"`
	}](config)
	if err != nil {
		return nil, err
	}
	r := &rocksReplayer{
		incremental: c.Incremental, objects: map[string][]byte{}, handles: map[string]*lsm.Handle{}, seen: map[[2]string]string{},
	}
	r.keys = state.NewKeys(maxParallelism)
	return r, r.start(1, 0, nil)
}

// start opens a backend on a handle, or an empty one.
func (r *rocksReplayer) start(parallelism, subtask int, from *lsm.Handle) error {
	if err := r.assign(parallelism, subtask); err != nil {
		return err
	}
	if r.db != nil {
		if err := r.db.Close(); err != nil {
			return err
		}
	}
	r.backends++
	db, err := lsm.Restore(lsm.Options{
		Names: &r.names, UID: strconv.Itoa(r.backends), Keys: r.keys, Groups: r.groups, Incremental: r.incremental,
	}, []*lsm.Handle{from}, r.fetch)
	if err != nil {
		return err
	}
	r.db = db
	return r.open(state.Backend{Name: "rocksdb"}, db)
}

func (r *rocksReplayer) fetch(object string) ([]byte, error) {
	b, ok := r.objects[object]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return b, nil
}

// Close ends the backend.
func (r *rocksReplayer) Close() error { return r.db.Close() }

type rocksStep struct {
	Op      string           `json:"op"`
	KV      map[string]int64 `json:"kv"`
	Keys    []string         `json:"keys"`
	ID      int64            `json:"id"`
	Full    bool             `json:"full"`
	Format  string           `json:"format"`
	From    string           `json:"from"`
	P       int              `json:"p"`
	Subtask int              `json:"subtask"`
}

type rocksSnapshot struct {
	Form    lsm.Form  `json:"form"`
	New     *[]string `json:"new,omitempty"`
	Reused  *[]string `json:"reused,omitempty"`
	Private *[]string `json:"private,omitempty"`
}

// Step implements Replayer.
func (r *rocksReplayer) Step(step json.RawMessage) (any, error) {
	var s rocksStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	nothing := struct{}{}
	switch s.Op {
	case "put":
		return nothing, r.put(s.KV)
	case "remove":
		return nothing, r.remove(s.Keys)
	case "get":
		values, err := r.get(s.Keys)
		return map[string]any{"values": values}, err
	case "checkpoint":
		t := lsm.Checkpoint
		if s.Full {
			t = lsm.FullCheckpoint
		}
		return r.snapshot(s.ID, t)
	case "savepoint":
		switch s.Format {
		case "native":
			return r.snapshot(s.ID, lsm.NativeSavepoint)
		case "canonical":
			return r.snapshot(s.ID, lsm.CanonicalSavepoint)
		}
	case "confirm":
		r.db.NotifyComplete(s.ID)
		return nothing, nil
	case "abort":
		r.db.NotifyAborted(s.ID)
		return nothing, nil
	case "compact":
		_, err := r.db.Compact()
		return nothing, err
	case "restore":
		h := r.handles[s.From]
		if h == nil {
			return nil, fmt.Errorf("no snapshot %q", s.From)
		}
		return nothing, r.start(max(s.P, 1), s.Subtask, h)
	}
	return nil, errStep
}

func (r *rocksReplayer) snapshot(id int64, t lsm.SnapshotType) (any, error) {
	snapshot, err := r.db.Snapshot(id, t)
	if err != nil {
		return nil, err
	}
	name, at := fmt.Sprintf("chk-%d", id), fmt.Sprintf("@%d", id)
	if t.Savepoint() {
		name, at = fmt.Sprintf("sp-%d", id), fmt.Sprintf("@s%d", id)
	}
	out := rocksSnapshot{Form: snapshot.Form}
	fresh, reused, private := []string{}, []string{}, []string{}
	handle, err := snapshot.Finish(func(f lsm.File) lsm.Stored {
		content, readErr := snapshot.Read(f)
		if readErr != nil {
			err = readErr
		}
		label := f.Name
		if f.Table() {
			label = r.label(f)
		}
		object := label + at
		if r.objects[object] != nil {
			err = fmt.Errorf("two objects %q", object)
		}
		r.objects[object] = content
		switch {
		case f.Table() && f.Reusable:
			fresh = append(fresh, object)
		case f.Name != lsm.FileMeta:
			private = append(private, label)
		}
		return lsm.Stored{Object: object}
	})
	if err != nil {
		return nil, err
	}
	for _, f := range handle.Shared {
		if f.Reused {
			reused = append(reused, f.Object)
		}
	}
	r.handles[name] = handle
	if snapshot.Form == lsm.FormFiles {
		for _, list := range [][]string{fresh, reused, private} {
			slices.Sort(list)
		}
		out.New, out.Reused, out.Private = &fresh, &reused, &private
	}
	return out, nil
}

// label is the recording's name of a table.
func (r *rocksReplayer) label(f lsm.File) string {
	id := [2]string{r.db.UID(), f.Name}
	if r.seen[id] == "" {
		r.seen[id] = "f" + strconv.Itoa(len(r.seen)+1)
	}
	return r.seen[id]
}
