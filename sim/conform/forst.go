package conform

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim"
	"streaminglab/sim/state"
	"streaminglab/sim/state/lsm"
)

// forstConfig is the configuration of a case.
type forstConfig struct {
	API         string          `json:"api"`
	Primary     string          `json:"primary"`
	SyncLocal   *bool           `json:"sync_local"`
	Mode        lsm.ClaimMode   `json:"mode"`
	Retain      int             `json:"retain"`
	Incremental *bool           `json:"incremental"`
	Inline      bool            `json:"inline"`
	FS          string          `json:"fs"`
	Backend     string          `json:"backend"`
	Promote     int             `json:"promote"`
	Cache       json.RawMessage `json:"cache"`
}

// forstReplayer runs one task and the JobManager around it, with one remote
// file system for everything that outlives a task.
type forstReplayer struct {
	keyedFiles
	config  forstConfig
	remote  lsm.FS
	manager jobManager
	// job and attempt number what runs; restores count the restore steps.
	job, attempt, restores int
	backends               int
	// snapshots are all that were taken, by the name that a restore gives.
	snapshots map[string]*forstCheckpoint

	// db is nil when the task is down or on the heap.
	db    *lsm.DB
	disk  lsm.FS
	cache *lsm.FileCache
	up    bool

	// labels names objects and local tables as the recording does.
	labels map[string]string
	// leaked are local disks that a task which could not be closed left behind.
	leaked []lsm.FS
	// suffix is what tables that appear in this step are copies of, if they
	// are copies.
	suffix string
	// restored says that from now on nothing is recorded about the cache.
	restored, killed bool
	before           forstView
	shown            forstView
}

// A forstView is what the recording shows of the storage after a step.
type forstView struct {
	areas map[string][]string
	owner map[string]lsm.Owner
	dirs  []string
	kinds []string
	cache *lsm.CacheCounters
}

func newForSt(config json.RawMessage) (Replayer, error) {
	c, err := configured[forstConfig](config)
	if err != nil {
		return nil, err
	}
	if c.Mode == "" {
		c.Mode = lsm.NoClaim
	}
	if c.Retain == 0 {
		c.Retain = 1
	}
	if c.Backend == "" {
		c.Backend = "forst"
	}
	r := &forstReplayer{config: c, remote: lsm.NewMemFS(), job: 1, snapshots: map[string]*forstCheckpoint{}, labels: map[string]string{}}
	r.keys = state.NewKeys(maxParallelism)
	r.manager = newJobManager(c.Retain, nil, c.Mode)
	if err := r.start(1, 0, nil); err != nil {
		return nil, err
	}
	r.before, err = r.view()
	r.shown = r.before
	r.shown.cache = nil
	return r, err
}

// jobPath is where the tables of a job lie.
func (r *forstReplayer) jobPath() string {
	if r.config.Primary == "own" {
		return fmt.Sprintf("own/j%d/", r.job)
	}
	return fmt.Sprintf("checkpoints/j%d/shared/", r.job)
}

// start begins an attempt.
func (r *forstReplayer) start(parallelism, subtask int, from *lsm.Handle) error {
	if err := r.assign(parallelism, subtask); err != nil {
		return err
	}
	r.disk, r.db, r.up, r.cache = lsm.NewMemFS(), nil, false, nil
	if r.config.Backend == "hashmap" {
		if from != nil {
			if err := from.OnHeap(); err != nil {
				return err
			}
		}
		r.up = true
		if err := r.open(state.Heap, nil); err != nil || from == nil {
			return err
		}
		return r.fill(from)
	}
	r.backends++
	o := lsm.Options{
		Names: &r.names, UID: strconv.Itoa(r.backends), FS: r.disk, Keys: r.keys, Groups: r.groups,
		Incremental: r.config.Incremental == nil || *r.config.Incremental,
	}
	if r.config.Backend == "forst" {
		async := r.config.API == "async"
		o.ForSt = &lsm.ForSt{Async: async, Mode: r.config.Mode}
		enforced := !async && (r.config.SyncLocal == nil || *r.config.SyncLocal)
		if r.config.Primary != "local" && !enforced {
			name := fmt.Sprintf("j%da%d", r.job, r.attempt)
			o.ForSt.Store, o.ForSt.JobPath = r.remote, r.jobPath()
			o.ForSt.Primary = r.jobPath() + "db-" + name
			o.ForSt.HandOver = r.config.Primary == "checkpoint"
			cache, err := r.newCache()
			if err != nil {
				return err
			}
			r.cache, o.ForSt.Cache = cache, cache
		}
	}
	db, err := lsm.Restore(o, []*lsm.Handle{from}, r.fetch)
	if err != nil {
		return err
	}
	r.db, r.up = db, true
	return r.open(state.Backend{Name: r.config.Backend}, db)
}

// fill restores the heap from what it, or any other backend, wrote as rows.
func (r *forstReplayer) fill(from *lsm.Handle) error {
	content, err := r.fetch(from.Private[0].Object)
	if err != nil {
		return err
	}
	_, rows, err := state.ReadCanonical(content)
	if err != nil {
		return err
	}
	return r.store.Restore([]*state.Snapshot{rows}, r.groups.Contains)
}

// tableSize makes room for a number of tables: those of these cases, with one
// to eight keys, have from 827 to 1070 bytes here, so three of the largest fit
// where four of the smallest do not.
const tableSize = 1085

func (r *forstReplayer) newCache() (*lsm.FileCache, error) {
	if len(r.config.Cache) == 0 || r.config.FS != "remote" {
		// There is none when it would lie on the file system of the tables.
		return nil, nil
	}
	c := lsm.FileCacheConfig{AccessBeforePromote: r.config.Promote}
	switch string(r.config.Cache) {
	case `"big"`:
		c.Limit = 100 << 20
	case `"small"`:
		c.Limit = 60 << 20
	default:
		var n int64
		if err := decode(r.config.Cache, &n); err != nil {
			return nil, err
		}
		c.Limit, c.TargetFileSize = n*tableSize, 1
	}
	return lsm.NewFileCache(c), nil
}

func (r *forstReplayer) fetch(object string) ([]byte, error) { return lsm.ReadFile(r.remote, object) }

func (r *forstReplayer) write(object string, content []byte) error {
	r.labels[object] = path.Base(object)
	return lsm.WriteFile(r.remote, object, content)
}

// discard deletes what the JobManager says.
func (r *forstReplayer) discard(objects []string) error {
	for _, o := range objects {
		if err := r.remote.Remove(o); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Close ends the task at the end of a case.
func (r *forstReplayer) Close() error {
	if r.db == nil {
		return nil
	}
	return r.db.Kill()
}

type forstStep struct {
	rocksStep
	Ack     string         `json:"ack"`
	Mode    *lsm.ClaimMode `json:"mode"`
	Primary string         `json:"primary"`
	Backend string         `json:"backend"`
}

// forstOut is what came out of a step.
type forstOut struct {
	Down    bool               `json:"down,omitempty"`
	Unknown bool               `json:"unknown,omitempty"`
	OK      bool               `json:"ok,omitempty"`
	Values  *map[string]*int64 `json:"values,omitempty"`

	Error     string `json:"error,omitempty"`
	Gist      string `json:"gist,omitempty"`
	TaskClose string `json:"task_close,omitempty"`

	Form    lsm.Form  `json:"form,omitempty"`
	Handed  *[]string `json:"handed,omitempty"`
	Copied  *[]string `json:"copied,omitempty"`
	Inline  []string  `json:"inline,omitempty"`
	Reused  *[]string `json:"reused,omitempty"`
	Private *[]string `json:"private,omitempty"`
	Ack     string    `json:"ack,omitempty"`

	New   map[string][]string   `json:"new,omitempty"`
	Gone  map[string][]string   `json:"gone,omitempty"`
	DB    *map[string]lsm.Owner `json:"db,omitempty"`
	Dirs  []string              `json:"dirs,omitempty"`
	Local *[]string             `json:"local,omitempty"`
	Cache *forstCounters        `json:"cache,omitempty"`
}

type forstCounters struct {
	Hit      int64 `json:"hit"`
	Miss     int64 `json:"miss"`
	Evict    int64 `json:"evict"`
	LoadBack int64 `json:"loadback"`
}

// Step implements Replayer.
func (r *forstReplayer) Step(step json.RawMessage) (any, error) {
	var s forstStep
	if err := decode(step, &s); err != nil {
		return nil, err
	}
	out := &forstOut{}
	r.suffix, r.killed = "", false
	if err := r.step(&s, out); err != nil {
		return nil, err
	}
	return out, r.observe(out)
}

func (r *forstReplayer) step(s *forstStep, out *forstOut) error {
	switch s.Op {
	case "confirm":
		gone, aborted, ok := r.manager.complete(s.ID)
		out.Unknown = !ok
		if !ok {
			return nil
		}
		if r.db != nil {
			for _, id := range aborted {
				r.db.NotifyAborted(id)
			}
			r.db.NotifyComplete(s.ID)
		}
		return r.discard(gone)
	case "abort":
		if r.db != nil {
			r.db.NotifyAborted(s.ID)
		}
		return r.discard(r.manager.abort(s.ID))
	case "restore":
		return r.restore(s, out)
	}
	if !r.up {
		out.Down = true
		return nil
	}
	switch s.Op {
	case "put":
		return r.put(s.KV)
	case "remove":
		return r.keyedFiles.remove(s.Keys)
	case "get":
		values, err := r.get(s.Keys)
		out.Values = &values
		return err
	case "compact":
		if r.db == nil {
			return nil
		}
		_, err := r.db.Compact()
		return err
	case "close":
		return r.end(func(db *lsm.DB) error { return db.Close() })
	case "kill":
		// The recording looks at the cache of a task that is there, or that
		// cleaned up.
		r.leaked, r.killed = nil, true
		return r.end(func(db *lsm.DB) error { return db.Kill() })
	case "checkpoint":
		t := lsm.Checkpoint
		if s.Full {
			t = lsm.FullCheckpoint
		}
		return r.snapshot(s, t, out)
	case "savepoint":
		switch s.Format {
		case "native":
			return r.snapshot(s, lsm.NativeSavepoint, out)
		case "canonical":
			return r.snapshot(s, lsm.CanonicalSavepoint, out)
		}
	}
	return errStep
}

// end ends the task in one of two ways.
func (r *forstReplayer) end(how func(*lsm.DB) error) error {
	r.up = false
	if r.db == nil {
		return nil
	}
	db := r.db
	r.db = nil
	return how(db)
}

func (r *forstReplayer) restore(s *forstStep, out *forstOut) error {
	var from *forstCheckpoint
	if s.From != "none" {
		if from = r.snapshots[s.From]; from == nil || from.handle == nil {
			return fmt.Errorf("no snapshot %q", s.From)
		}
		r.restored = true
	}
	if r.up {
		if err := r.end(func(db *lsm.DB) error { return db.Close() }); err != nil {
			return err
		}
	}
	r.restores++
	if s.Mode != nil {
		// A new job. The former one is simply gone.
		r.config.Mode = *s.Mode
		r.job, r.attempt = r.job+1, 0
		r.manager = newJobManager(r.config.Retain, from, r.config.Mode)
	} else {
		r.attempt++
		if err := r.discard(r.manager.abandon()); err != nil {
			return err
		}
	}
	if s.Primary != "" {
		r.config.Primary = s.Primary
	}
	if s.Backend != "" {
		r.config.Backend = s.Backend
	}
	r.suffix = fmt.Sprintf("%%%d", r.restores)
	var handle *lsm.Handle
	if from != nil {
		handle = from.handle
	}
	var thrown *sim.Exception
	switch err := r.start(max(s.P, 1), s.Subtask, handle); {
	case errors.As(err, &thrown):
		r.throw(thrown, out)
		for _, f := range handle.Shared {
			// What was fetched before stays.
			r.labels[onDisk+fmt.Sprintf("%p", r.disk)+path.Join("cf-0", f.Local)] = f.Name + r.suffix
		}
		return nil
	case err != nil:
		return err
	}
	out.OK = true
	return nil
}

func (r *forstReplayer) throw(e *sim.Exception, out *forstOut) {
	out.Error, out.Gist = e.Class[strings.LastIndex(e.Class, ".")+1:], e.Message
}

func (r *forstReplayer) snapshot(s *forstStep, t lsm.SnapshotType, out *forstOut) error {
	name, at := fmt.Sprintf("chk-%d", s.ID), fmt.Sprintf("@%d", s.ID)
	exclusive := fmt.Sprintf("checkpoints/j%d/chk-%d", r.job, s.ID)
	if t.Savepoint() {
		name, at = fmt.Sprintf("sp-%d", s.ID), fmt.Sprintf("@s%d", s.ID)
		exclusive = name
	}
	shared := fmt.Sprintf("checkpoints/j%d/shared", r.job)
	c := &forstCheckpoint{id: s.ID, savepoint: t.Savepoint()}
	r.snapshots[name] = c
	if r.db == nil {
		c.handle = &lsm.Handle{Backend: "hashmap", Form: lsm.FormFull, ID: s.ID, Groups: r.groups}
		if t == lsm.CanonicalSavepoint {
			c.handle.Form = lsm.FormCanonical
		}
		out.Form = c.handle.Form
		object := exclusive + "/DATA" + at
		content := state.AppendCanonical(nil, r.groups, r.store.Snapshot())
		c.handle.Private = []lsm.HandleFile{{
			Name: lsm.FileCanonical, Object: object, Size: int64(len(content)), SHA256: sha256.Sum256(content),
		}}
		c.exclusive = []string{object}
		if !t.Savepoint() {
			r.manager.acknowledged(c)
		}
		return r.write(object, content)
	}
	snapshot, err := r.db.Snapshot(s.ID, t)
	var thrown *sim.Exception
	if errors.As(err, &thrown) {
		delete(r.snapshots, name)
		r.throw(thrown, out)
		out.TaskClose = "ok"
		err := r.end(func(db *lsm.DB) error { return db.Close() })
		if errors.Is(err, lsm.ErrHangs) {
			out.TaskClose, err = "hangs", nil
			r.leaked = append(r.leaked, r.disk)
		}
		return err
	}
	if err != nil {
		return err
	}
	out.Form = snapshot.Form
	copied, private := []string{}, []string{}
	var failed error
	handle, err := snapshot.Finish(func(f lsm.File) lsm.Stored {
		content, err := snapshot.Read(f)
		if err != nil {
			failed = err
			return lsm.Stored{}
		}
		label := f.Name
		if label == lsm.FileCanonical {
			label = "DATA"
		}
		switch {
		case !f.Table() && f.Name != lsm.FileMeta && f.Name != lsm.FileTimers || f.Table() && !f.Reusable:
			private = append(private, label)
		}
		if r.config.Inline && f.Name != lsm.FileTimers {
			if f.Table() {
				out.Inline = append(out.Inline, label+at)
			}
			return lsm.Stored{Inline: content}
		}
		if f.Table() && f.Reusable {
			copied = append(copied, label+at)
		}
		dir := exclusive
		if f.Scope == lsm.Shared {
			dir = shared
		}
		object := dir + "/" + label + at
		if err := r.write(object, content); err != nil {
			failed = err
		}
		if dir == exclusive && !(f.Table() && t.Savepoint()) {
			c.exclusive = append(c.exclusive, object)
		}
		return lsm.Stored{Object: object}
	})
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	c.handle = handle
	if snapshot.Form == lsm.FormFiles {
		handed, reused := []string{}, []string{}
		if _, err := r.view(); err != nil { // Names what appeared.
			return err
		}
		for _, f := range snapshot.Files {
			switch f.Transfer {
			case lsm.HandOver:
				handed = append(handed, r.label(f.Object))
			case lsm.Placeholder:
				reused = append(reused, r.label(f.Object))
			}
		}
		for _, list := range [][]string{handed, copied, reused, private, out.Inline} {
			slices.SortFunc(list, compareLabels)
		}
		out.Handed, out.Copied, out.Reused, out.Private = &handed, &copied, &reused, &private
	}
	if t.Savepoint() {
		return nil
	}
	out.Ack = s.Ack
	if s.Ack == "lost" {
		lost := *c
		lost.handle = nil
		c = &lost
	}
	r.manager.acknowledged(c)
	return nil
}

// label is the recording's name of an object.
func (r *forstReplayer) label(object string) string {
	if label, ok := r.labels[object]; ok {
		return label
	}
	return path.Base(object)
}

// view looks at the storage, and names the tables that were not seen before.
func (r *forstReplayer) view() (forstView, error) {
	v := forstView{areas: map[string][]string{}, owner: map[string]lsm.Owner{}, kinds: r.kinds()}
	if r.db != nil {
		tables, err := r.db.Tables()
		if err != nil {
			return v, err
		}
		for _, t := range tables {
			at := t.Object
			if at == "" {
				at = onDisk + fmt.Sprintf("%p", r.disk) + t.Path
			}
			if _, ok := r.labels[at]; !ok {
				r.labels[at] = t.Name + r.suffix
			}
			if t.Object != "" {
				v.owner[r.label(t.Object)] = t.Owner
			}
		}
		if r.cache != nil && !r.restored {
			c := r.cache.Counters()
			v.cache = &c
			for _, object := range r.cache.Objects() {
				v.areas["cache"] = append(v.areas["cache"], r.label(object))
			}
		}
	}
	for _, disk := range append(slices.Clone(r.leaked), r.disk) {
		err := v.walk(disk, "", func(p string) (area, label string) {
			if dir, base := path.Split(p); strings.HasPrefix(dir, "cf-") && strings.HasSuffix(base, ".sst") {
				return "local", r.labels[onDisk+fmt.Sprintf("%p", disk)+p]
			}
			return "", ""
		})
		if err != nil {
			return v, err
		}
	}
	v.dirs = []string{}
	err := v.walk(r.remote, "", func(p string) (area, label string) {
		dir, label := path.Dir(p), r.label(p)
		switch {
		case strings.HasPrefix(path.Base(dir), "db-"):
			area = "primary"
		case path.Base(dir) == "shared":
			area = "shared"
		default:
			area = strings.TrimPrefix(dir, "checkpoints/")
		}
		return area, label
	})
	return v, err
}

// onDisk marks labels of files on the local disk of this attempt.
const onDisk = "disk:"

func (v *forstView) walk(from lsm.FS, dir string, where func(string) (area, label string)) error {
	names, err := from.List(dir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, n := range names {
		p := path.Join(dir, n)
		info, err := from.Stat(p)
		if err != nil {
			return err
		}
		if info.IsDir() {
			if name, ok := strings.CutPrefix(n, "db-"); ok {
				v.dirs = append(v.dirs, name)
			}
			if err := v.walk(from, p, where); err != nil {
				return err
			}
			continue
		}
		if area, label := where(p); area != "" {
			v.areas[area] = append(v.areas[area], label)
		}
	}
	return nil
}

// kinds are the kinds of files in the local directory of the engine.
func (r *forstReplayer) kinds() []string {
	kinds := []string{}
	if r.db != nil {
		kinds = append(kinds, r.db.LocalFiles()...)
	}
	return kinds
}

// observe adds to the answer of a step what changed on the storage.
func (r *forstReplayer) observe(out *forstOut) error {
	now, err := r.view()
	if err != nil {
		return err
	}
	out.New, out.Gone = map[string][]string{}, map[string][]string{}
	for _, x := range []struct {
		in, not map[string][]string
		into    map[string][]string
	}{{now.areas, r.before.areas, out.New}, {r.before.areas, now.areas, out.Gone}} {
		for area, labels := range x.in {
			if area == "cache" && (r.restored || r.killed) {
				continue
			}
			for _, l := range labels {
				if !slices.Contains(x.not[area], l) {
					x.into[area] = append(x.into[area], l)
				}
			}
			slices.SortFunc(x.into[area], compareLabels)
			if len(x.into[area]) == 0 {
				delete(x.into, area)
			}
		}
	}
	slices.Sort(now.dirs)
	r.before = now
	if r.db != nil && !maps.Equal(now.owner, r.shown.owner) {
		out.DB, r.shown.owner = &now.owner, now.owner
	}
	if !slices.Equal(now.dirs, r.shown.dirs) {
		out.Dirs, r.shown.dirs = now.dirs, now.dirs
	}
	if !slices.Equal(now.kinds, r.shown.kinds) {
		out.Local, r.shown.kinds = &now.kinds, now.kinds
	}
	if now.cache != nil && !reflect.DeepEqual(now.cache, r.shown.cache) {
		c := forstCounters(*now.cache)
		out.Cache, r.shown.cache = &c, now.cache
	}
	return nil
}

// compareLabels orders tables by number and then as they are copies, and puts
// them before other files.
func compareLabels(a, b string) int {
	number := func(s string) int {
		digits := strings.TrimPrefix(s, "f")
		if i := strings.IndexAny(digits, "@%"); i >= 0 {
			digits = digits[:i]
		}
		if n, err := strconv.Atoi(digits); err == nil {
			return n
		}
		return 1 << 30
	}
	if x, y := number(a), number(b); x != y {
		return x - y
	}
	return strings.Compare(a, b)
}
