package lsm

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"streaminglab/sim/state"
)

// A Transfer is how a file of a snapshot gets to where snapshots are kept.
type Transfer int

// The transfers.
const (
	// Upload copies the bytes.
	Upload Transfer = iota
	// Placeholder stands for an object that an earlier snapshot brought.
	Placeholder
	// HandOver gives the file that the tree uses to the JobManager where it
	// lies (ForSt).
	HandOver
)

// A Scope is the directory that a file goes into.
type Scope int

// The scopes: Flink's CheckpointedStateScope.
const (
	// Exclusive is the directory of the one snapshot, chk-N or the savepoint's.
	Exclusive Scope = iota
	// Shared is the directory that outlives a checkpoint.
	Shared
)

// A File is a file of a snapshot that is being taken.
type File struct {
	// Name is ours. A table has a column family and its name there.
	Name, Family, Local string
	Size                int64
	// SHA256 is of the content. That of a MANIFEST changes with the clock.
	SHA256   [sha256.Size]byte
	Transfer Transfer
	Scope    Scope
	// Reusable says that later snapshots may reuse it: it is shared state of
	// the handle. Otherwise it belongs to this snapshot alone.
	Reusable bool
	// Object is where the bytes are already: of a placeholder, as it was
	// stored; of a file to hand over, its path on the remote file system.
	Object string

	path    string
	content []byte
	reused  HandleFile
}

// Table says whether the file is a table.
func (f *File) Table() bool { return f.Local != "" }

// A Snapshot is taken in two parts. Making it is the synchronous part: it
// flushes, and the state stands still. Then the caller brings the files away
// one by one, while the state goes on, and ends with Finish or Discard.
type Snapshot struct {
	ID   int64
	Type SnapshotType
	Form Form
	// Files are tables first, by name, then the others.
	Files []File

	db   *DB
	dirs []string
	done bool
}

// described is what META holds: the column families, and how many tables each
// had, to tell a family without tables from one that is not there.
type described struct {
	Groups   [2]int            `json:"groups"`
	Families []describedFamily `json:"families"`
	// StateV2 says that states are described as those of asynchronous
	// operators are.
	StateV2 bool `json:"stateV2,omitempty"`
}

type describedFamily struct {
	Name   string `json:"name"`
	Timers bool   `json:"timers,omitempty"`
}

// Snapshot takes the synchronous part of a snapshot. Id is that of the
// checkpoint or savepoint.
func (db *DB) Snapshot(id int64, t SnapshotType) (*Snapshot, error) {
	if err := db.usable(); err != nil {
		return nil, err
	}
	s := &Snapshot{ID: id, Type: t, Form: FormFiles, db: db}
	switch {
	case t == CanonicalSavepoint && db.o.ForSt != nil:
		// Since 2.0 the backend declares native savepoints only (CP-7.5).
		message := "Canonical savepoints are not supported by ForSt State Backend."
		if db.o.ForSt.Async {
			message = "Not supported yet."
		}
		return nil, db.fail(exception("java.lang.UnsupportedOperationException", message))
	case len(db.families) == 0 && len(db.timers) == 0:
		s.Form = FormEmpty
		return s, nil
	case t == CanonicalSavepoint:
		return s.taken(s.canonical())
	}
	base := db.uploaded.base()
	if t == FullCheckpoint && db.o.ForSt != nil && len(base) > 0 {
		if err := db.flushAll(); err != nil {
			return nil, db.fail(err)
		}
		db.leased = true
		return nil, db.fail(exception("java.lang.IllegalArgumentException",
			"Triggering a full checkpoint for IncrementalSnapshotStrategy is not supported."))
	}
	if t != Checkpoint || !db.incremental() {
		base = nil
	}
	return s.taken(s.files(base))
}

// taken ends the synchronous part. One that failed fails the task (CP-3.3).
func (s *Snapshot) taken(err error) (*Snapshot, error) {
	if err != nil {
		s.release()
		return nil, s.db.fail(err)
	}
	return s, nil
}

// incremental says whether tables are shared between checkpoints at all: the
// backend of asynchronous operators knows no other way (CP-7.5).
func (db *DB) incremental() bool {
	return db.o.Incremental || db.o.ForSt != nil && db.o.ForSt.Async
}

func (db *DB) flushAll() error {
	for _, f := range db.families {
		before := f.tree.Written()
		if err := f.tree.Flush(); err != nil {
			return err
		}
		db.written -= before
	}
	return nil
}

// canonical writes rows into one file. Nothing is flushed.
func (s *Snapshot) canonical() error {
	s.Form = FormCanonical
	var rows *state.Snapshot
	err := s.db.silently(func() (err error) {
		rows, err = s.db.rows()
		return err
	})
	if err != nil {
		return err
	}
	s.add(FileCanonical, Exclusive, state.AppendCanonical(nil, s.db.o.Groups, rows))
	return nil
}

// add adds a file that is no table.
func (s *Snapshot) add(name string, scope Scope, content []byte) {
	s.Files = append(s.Files, File{
		Name: name, Size: int64(len(content)), SHA256: sha256.Sum256(content), Scope: scope, content: content,
	})
}

// files flushes every column family and links its tables.
func (s *Snapshot) files(base map[local]HandleFile) error {
	db := s.db
	db.live = append(db.live, s)
	scope := Shared
	if s.Type.Savepoint() || !db.incremental() {
		scope = Exclusive
	}
	var manifest, current, options []packed
	meta := described{Groups: [2]int{db.o.Groups.First, db.o.Groups.Last}, StateV2: db.async()}
	db.snapshots++
	for i, f := range db.families {
		meta.Families = append(meta.Families, describedFamily{f.name, f.timers})
		dir := db.path("snapshot-" + strconv.Itoa(db.snapshots) + "-cf-" + strconv.Itoa(i))
		before := f.tree.Written()
		tables, small, err := f.tree.Checkpoint(dir)
		if err != nil {
			return err
		}
		db.written -= before
		s.dirs = append(s.dirs, dir)
		for _, t := range tables {
			file, err := s.table(f, dir, t, base, scope)
			if err != nil {
				return err
			}
			s.Files = append(s.Files, file)
		}
		for _, name := range small {
			content, err := ReadFile(db.fs(), db.o.FS.PathJoin(dir, name))
			if err != nil {
				return err
			}
			p := packed{f.name, name, content}
			switch {
			case strings.HasPrefix(name, "MANIFEST"):
				manifest = append(manifest, p)
			case strings.HasPrefix(name, "OPTIONS"):
				options = append(options, p)
			default:
				// Pebble's markers say which MANIFEST is in force: CURRENT.
				current = append(current, p)
			}
		}
	}
	slices.SortStableFunc(s.Files, func(a, b File) int { return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name)) })
	s.add(FileManifest, scope, appendPacked(nil, manifest))
	s.add(FileCurrent, scope, appendPacked(nil, current))
	s.add(FileOptions, scope, appendPacked(nil, options))
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	s.add(FileMeta, Exclusive, text)
	if db.o.HeapTimers || db.async() {
		rows := &state.Snapshot{}
		for _, t := range db.timers {
			rows.Timers = append(rows.Timers, state.NamedRows{Name: t.name, Rows: t.current()})
		}
		slices.SortFunc(rows.Timers, func(a, b state.NamedRows) int { return strings.Compare(a.Name, b.Name) })
		s.add(FileTimers, Exclusive, state.AppendCanonical(nil, db.o.Groups, rows))
	}
	return nil
}

func (db *DB) async() bool { return db.o.ForSt != nil && db.o.ForSt.Async }

// table decides how a table gets away.
func (s *Snapshot) table(f *family, dir string, t Table, base map[local]HandleFile, scope Scope) (File, error) {
	db := s.db
	file := File{
		Name: t.Name, Family: f.name, Local: t.File, Size: t.Size, Scope: scope,
		Reusable: db.incremental(), path: db.o.FS.PathJoin(dir, t.File),
	}
	if old, ok := base[local{f.name, t.File}]; ok {
		file.Transfer, file.Object, file.SHA256, file.reused = Placeholder, old.Object, old.SHA256, old
		return file, nil
	}
	if db.remote != nil && db.o.ForSt.HandOver && !s.Type.Savepoint() {
		file.Transfer = HandOver
		file.Object, _, _ = db.remote.object(file.path)
	}
	content, err := s.Read(file)
	if err != nil {
		return File{}, err
	}
	file.SHA256 = sha256.Sum256(content)
	return file, nil
}

// Read returns the bytes of a file that is to be uploaded.
func (s *Snapshot) Read(f File) ([]byte, error) {
	if f.content != nil || !f.Table() {
		return f.content, nil
	}
	if s.done {
		return nil, ErrClosed
	}
	var content []byte
	err := s.db.silently(func() (err error) {
		content, err = ReadFile(s.db.fs(), f.path)
		return err
	})
	return content, err
}

// A Stored says where an uploaded file is kept now: as an object, or in the
// handle itself when it is small (data-inline-threshold).
type Stored struct {
	Object string
	Inline []byte
}

// Finish ends the asynchronous part: every file is where the handle says. It
// is told for each file that was uploaded. Files that are handed over belong
// to the JobManager from now on.
func (s *Snapshot) Finish(stored func(f File) Stored) (*Handle, error) {
	if s.done {
		return nil, ErrClosed
	}
	db := s.db
	h := &Handle{Backend: db.Backend(), Form: s.Form, ID: s.ID, UID: db.o.UID, Groups: db.o.Groups}
	for _, f := range s.Files {
		hf := HandleFile{Name: f.Name, Family: f.Family, Local: f.Local, Size: f.Size, SHA256: f.SHA256, Object: f.Object}
		switch f.Transfer {
		case Upload:
			where := stored(f)
			hf.Object, hf.Inline = where.Object, where.Inline
		case Placeholder:
			hf.Reused, hf.Inline = true, f.reused.Inline
		case HandOver:
			db.remote.handOver(f.path)
		}
		if f.Reusable {
			h.Shared = append(h.Shared, hf)
		} else {
			h.Private = append(h.Private, hf)
		}
	}
	if s.Form == FormFiles && !s.Type.Savepoint() && db.incremental() {
		db.uploaded.files[s.ID] = h.Shared
	}
	s.release()
	return h, nil
}

// Discard gives a snapshot up: an upload failed, or the task is cancelled.
// What was uploaded is the caller's to delete.
func (s *Snapshot) Discard() {
	if !s.done {
		s.release()
	}
}

// release removes the links.
func (s *Snapshot) release() {
	s.done = true
	for _, dir := range s.dirs {
		// Nothing depends on it: a directory that stays is a leak of names.
		_ = s.db.fs().RemoveAll(dir)
	}
	s.dirs = nil
	s.db.live = slices.DeleteFunc(s.db.live, func(o *Snapshot) bool { return o == s })
}
