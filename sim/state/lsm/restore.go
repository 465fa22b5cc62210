package lsm

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"streaminglab/sim/state"
)

// A Fetch returns the bytes of an object. An error that is fs.ErrNotExist says
// that there is none.
type Fetch func(object string) ([]byte, error)

// Restore opens a backend on what snapshots of the same operator hold for its
// key groups. No handles, or empty ones, are an empty backend.
//
// One handle of the same key groups is taken as it is, and its tables are the
// base of the next checkpoint (CP-6.7). With other key groups the handle that
// covers most becomes the tree, clipped, the others are imported, and there is
// no base (CP-6.8). A canonical savepoint is written anew (CP-6.9).
func Restore(o Options, handles []*Handle, fetch Fetch) (*DB, error) {
	var use []*Handle
	for _, h := range handles {
		if h != nil && h.Form != FormEmpty && overlap(h.Groups, o.Groups) > 0 {
			use = append(use, h)
		}
	}
	if err := readable(o, use); err != nil {
		return nil, err
	}
	db, err := New(o)
	if err != nil || len(use) == 0 {
		return db, err
	}
	if err := db.restore(use, fetch); err != nil {
		// What was fetched stays where it is, as Flink leaves it.
		return nil, errors.Join(err, db.end())
	}
	return db, nil
}

// ErrForStForm is what ForSt says of anything but files of a tree (CP-7.4a).
var ErrForStForm = exception("java.lang.UnsupportedOperationException", "Not support restoring yet for ForStStateBackend")

// readable looks at the forms of handles, before anything is opened.
func readable(o Options, handles []*Handle) error {
	for _, h := range handles {
		switch {
		case h.Form != FormFiles && o.ForSt != nil:
			return ErrForStForm
		case h.Form != FormFiles && h.Form != FormCanonical:
			return fmt.Errorf("%w: form %q", ErrHandle, h.Form)
		case h.Form != handles[0].Form:
			return fmt.Errorf("%w: canonical and native handles at once", ErrHandle)
		}
	}
	return nil
}

func (db *DB) restore(handles []*Handle, fetch Fetch) error {
	if handles[0].Form == FormCanonical {
		for _, h := range handles {
			if err := db.restoreCanonical(h, fetch); err != nil {
				return err
			}
		}
		return nil
	}
	best := 0
	for i, h := range handles {
		if better(h.Groups, handles[best].Groups, db.o.Groups) {
			best = i
		}
	}
	base := handles[best]
	if err := db.openHandle(base, fetch); err != nil {
		return err
	}
	if len(handles) == 1 && base.Groups == db.o.Groups {
		if db.keepsBase() {
			db.uploaded.files[base.ID], db.uploaded.confirmed = base.Shared, base.ID
			db.o.UID = base.UID
		}
		return nil
	}
	for _, f := range db.families {
		if err := f.tree.Clip(base.Groups, db.o.Groups); err != nil {
			return err
		}
		db.written += f.tree.Written()
	}
	for i, h := range handles {
		if i == best {
			continue
		}
		if err := db.importHandle(h, i, fetch); err != nil {
			return err
		}
	}
	return nil
}

// keepsBase says whether the base survives a restore of the same key groups:
// always with RocksDB; with ForSt only of asynchronous operators, and only
// when the job claims what it restores from (CP-7.4).
func (db *DB) keepsBase() bool {
	f := db.o.ForSt
	return f == nil || f.Async && f.Mode == Claim
}

// better says whether a handle covers more of the range than another; among
// equals, whether more of itself is used (RocksDBIncrementalCheckpointUtils).
func better(a, than, target Groups) bool {
	x, y := overlap(a, target), overlap(than, target)
	return x > y || x == y && x*than.Size() > y*a.Size()
}

// content fetches a file and holds it against its handle.
func content(h *Handle, f HandleFile, fetch Fetch) ([]byte, error) {
	fail := func(reason error) error {
		return &FileError{Snapshot: h.ID, File: f.Name, Object: f.Object, Size: f.Size, Reason: reason}
	}
	b := f.Inline
	if b == nil {
		var err error
		if b, err = fetch(f.Object); errors.Is(err, fs.ErrNotExist) {
			return nil, fail(ErrMissing)
		} else if err != nil {
			return nil, fmt.Errorf("lsm: file %s of snapshot %d: %w", f.Name, h.ID, err)
		}
	}
	switch {
	case int64(len(b)) != f.Size:
		return nil, fail(ErrSize)
	case sha256.Sum256(b) != f.SHA256:
		return nil, fail(ErrContent)
	}
	return b, nil
}

// small fetches a file that is no table.
func small(h *Handle, name string, fetch Fetch) ([]byte, error) {
	f, ok := h.file(name)
	if !ok {
		return nil, fmt.Errorf("%w: no file %s", ErrHandle, name)
	}
	return content(h, f, fetch)
}

// layOut puts the files of a handle into one directory for each column family
// and returns what META says.
func (db *DB) layOut(h *Handle, dirOf func(int) string, inPlace bool, target FS, fetch Fetch) (described, error) {
	var meta described
	text, err := small(h, FileMeta, fetch)
	if err != nil {
		return meta, err
	}
	if err := json.Unmarshal(text, &meta); err != nil {
		return meta, fmt.Errorf("%w: %v", ErrHandle, err)
	}
	dirs := map[string]string{}
	filled := namesOf(h)
	for i, f := range meta.Families {
		dirs[f.Name] = dirOf(i)
		if err := target.MkdirAll(dirs[f.Name], 0o755); err != nil {
			return meta, err
		}
	}
	for _, f := range h.tables() {
		dir, ok := dirs[f.Family]
		if !ok {
			return meta, fmt.Errorf("%w: column family %q", ErrHandle, f.Family)
		}
		path := db.o.FS.PathJoin(dir, f.Local)
		from := fetch
		if inPlace {
			// A file that is used where it lies is looked at there: it may be gone.
			from = func(object string) ([]byte, error) { return ReadFile(db.remote.store, object) }
		}
		b, err := content(h, f, from)
		if err != nil {
			return meta, err
		}
		if inPlace && f.Inline == nil {
			db.remote.use(path, f.Object)
			continue
		}
		if err := WriteFile(target, path, b); err != nil {
			return meta, err
		}
	}
	if meta.StateV2 && !db.async() {
		// Tables were fetched before anybody looked at the description.
		const class = "org.apache.flink.runtime.state.v2.RegisteredKeyValueStateBackendMetaInfo"
		const other = "org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo"
		return meta, exception("java.lang.ClassCastException", "class "+class+" cannot be cast to class "+other+
			" ("+class+" and "+other+" are in unnamed module of loader 'app')")
	}
	for _, name := range []string{FileManifest, FileCurrent, FileOptions} {
		b, err := small(h, name, fetch)
		if err != nil {
			return meta, err
		}
		files, err := readPacked(b)
		if err != nil {
			return meta, err
		}
		for _, p := range files {
			dir, ok := dirs[p.family]
			if ok && filled[p.family] == nil {
				// A tree without tables is made anew.
				continue
			}
			if !ok || strings.ContainsAny(p.name, "/\\") || isTable(p.name) {
				return meta, fmt.Errorf("%w: %s of column family %q", ErrHandle, p.name, p.family)
			}
			if err := WriteFile(target, db.o.FS.PathJoin(dir, p.name), p.content); err != nil {
				return meta, err
			}
		}
	}
	return meta, nil
}

// inPlace says whether tables are used where they lie instead of being copied
// (DataTransferStrategyBuilder.buildForRestore): they were written by the same
// job, or the job claims them.
func (db *DB) inPlace(h *Handle) bool {
	if db.remote == nil {
		return false
	}
	objects, same := 0, true
	for _, f := range h.Shared {
		if f.Inline == nil {
			objects++
			same = same && db.o.ForSt.JobPath != "" && strings.HasPrefix(f.Object, db.o.ForSt.JobPath)
		}
	}
	return objects > 0 && (same || db.o.ForSt.Mode != NoClaim)
}

// openHandle opens the trees of a handle.
func (db *DB) openHandle(h *Handle, fetch Fetch) error {
	meta, err := db.layOut(h, db.familyDir, db.inPlace(h), db.fs(), fetch)
	if err != nil {
		return err
	}
	names := namesOf(h)
	for _, f := range meta.Families {
		if _, err := db.open(f.Name, f.Timers, names[f.Name], names[f.Name] != nil); err != nil {
			return err
		}
	}
	return db.restoreHeapTimers(h, fetch)
}

// namesOf are the names of tables, by column family and local name: they stay
// over a restore.
func namesOf(h *Handle) map[string]map[string]string {
	names := map[string]map[string]string{}
	for _, f := range h.tables() {
		if names[f.Family] == nil {
			names[f.Family] = map[string]string{}
		}
		names[f.Family][f.Local] = f.Name
	}
	return names
}

// restoreHeapTimers keeps timers until their service is opened.
func (db *DB) restoreHeapTimers(h *Handle, fetch Fetch) error {
	if _, ok := h.file(FileTimers); !ok {
		return nil
	}
	b, err := small(h, FileTimers, fetch)
	if err != nil {
		return err
	}
	_, rows, err := state.ReadCanonical(b)
	if err != nil {
		return err
	}
	for _, nr := range rows.Timers {
		for _, r := range nr.Rows {
			if db.o.Groups.Contains(r.Group) {
				db.restored[nr.Name] = append(db.restored[nr.Name], r)
			}
		}
	}
	return nil
}

// importHandle opens a handle beside the trees and takes what is needed.
func (db *DB) importHandle(h *Handle, n int, fetch Fetch) error {
	dirOf := func(i int) string { return db.path("import-" + strconv.Itoa(n) + "-cf-" + strconv.Itoa(i)) }
	meta, err := db.layOut(h, dirOf, false, db.o.FS, fetch)
	if err != nil {
		return err
	}
	keep := Groups{First: max(h.Groups.First, db.o.Groups.First), Last: min(h.Groups.Last, db.o.Groups.Last)}
	names := namesOf(h)
	for i, mf := range meta.Families {
		if names[mf.Name] == nil {
			continue
		}
		to, err := db.family(mf.Name, mf.Timers)
		if err != nil {
			return err
		}
		from, err := OpenInstance(InstanceConfig{
			FS: db.o.FS, Dir: dirOf(i), Names: db.o.Names, Known: names[mf.Name], Existing: true, Cache: db.cache,
		})
		if err != nil {
			return err
		}
		before := to.tree.Written()
		err = errors.Join(to.tree.Import([]*Instance{from}, []Groups{keep}), from.Close(), db.o.FS.RemoveAll(dirOf(i)))
		db.written -= before - to.tree.Written()
		if err != nil {
			return err
		}
	}
	return db.restoreHeapTimers(h, fetch)
}

// restoreCanonical writes the rows of a canonical savepoint.
func (db *DB) restoreCanonical(h *Handle, fetch Fetch) error {
	b, err := small(h, FileCanonical, fetch)
	if err != nil {
		return err
	}
	_, rows, err := state.ReadCanonical(b)
	if err != nil {
		return err
	}
	for _, nr := range rows.Tables {
		t := db.Table(nr.Name)
		for _, r := range nr.Rows {
			if db.o.Groups.Contains(r.Group) {
				t.Put(&state.Key{Name: r.Key, Group: r.Group}, r.Namespace, r.Value)
			}
		}
	}
	for _, nr := range rows.Timers {
		if db.o.HeapTimers {
			for _, r := range nr.Rows {
				if db.o.Groups.Contains(r.Group) {
					db.restored[nr.Name] = append(db.restored[nr.Name], r)
				}
			}
			continue
		}
		t := db.Timers(nr.Name, nil)
		for _, r := range nr.Rows {
			if db.o.Groups.Contains(r.Group) {
				t.Put(state.Timer{Time: r.Timer, Key: &state.Key{Name: r.Key, Group: r.Group}, Namespace: r.Namespace})
			}
		}
	}
	return db.Err()
}
