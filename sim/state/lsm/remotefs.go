package lsm

import (
	"cmp"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// An Owner is who deletes a table file that lies on the remote file system.
type Owner string

const (
	// OwnedByDB files are deleted when the tree does not need them any more.
	OwnedByDB Owner = "db"
	// OwnedByJobManager files were handed over: only the registry of the
	// JobManager may delete them, and the tree only forgets them.
	OwnedByJobManager Owner = "jm"
)

// RemoteFS is the file system of a ForSt backend: table files lie on a remote
// file system, everything else on the local one. A mapping says for each table
// of the tree which remote file it is, so that a file can be used where it
// lies, under another name (ForStFlinkFileSystem, FileMappingManager).
type RemoteFS struct {
	vfs.FS
	store vfs.FS
	dir   string
	cache *FileCache

	mu      sync.Mutex
	mapping map[string]*remoteFile
	made    int
	// quiet suppresses the counting of reads by compactions and copies, which
	// go past the cache's figures as in ForSt.
	quiet bool
	// epoch numbers the operations of the tree: however many reads one takes
	// to look into a file, it looked once.
	epoch int64
	io    IO
	// changes were not asked for yet.
	changes []Change
}

// IO counts what a caller turns into virtual time.
type IO struct {
	RemoteReads, RemoteBytesRead     int64
	RemoteWrites, RemoteBytesWritten int64
	CacheReads, CacheBytesRead       int64
	Deletes                          int64
}

// A Change is a table that the tree wrote on the remote file system, or deleted
// there.
type Change struct {
	Deleted bool
	Object  string
	Size    int64
}

// DrainChanges returns the changes since the last call, in order.
func (r *RemoteFS) DrainChanges() []Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.changes
	r.changes = nil
	return out
}

type remoteFile struct {
	object string
	owner  Owner
	refs   int
	epoch  int64
}

// NewRemoteFS returns a file system that writes table files into a directory
// of store. Cache may be nil.
func NewRemoteFS(local, store vfs.FS, dir string, cache *FileCache) (*RemoteFS, error) {
	if err := store.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &RemoteFS{FS: local, store: store, dir: dir, cache: cache, mapping: map[string]*remoteFile{}}, nil
}

// A Mapped is a table of the tree and the remote file that it is.
type Mapped struct {
	Path, Object string
	Owner        Owner
}

// Mapped lists the mapping, by path.
func (r *RemoteFS) Mapped() []Mapped {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Mapped
	for _, path := range slices.Sorted(maps.Keys(r.mapping)) {
		f := r.mapping[path]
		all = append(all, Mapped{path, f.object, f.owner})
	}
	return all
}

// DrainIO returns what was counted since the last call.
func (r *RemoteFS) DrainIO() IO {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.io
	r.io = IO{}
	return out
}

// operation begins an operation of the tree.
func (r *RemoteFS) operation() {
	r.mu.Lock()
	r.epoch++
	r.mu.Unlock()
}

// silently runs f without counting its reads.
func (r *RemoteFS) silently(f func() error) error {
	r.mu.Lock()
	before := r.quiet
	r.quiet = true
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.quiet = before
		r.mu.Unlock()
	}()
	return f()
}

// object returns the remote file of a table.
func (r *RemoteFS) object(path string) (object string, owner Owner, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.mapping[path]
	if f == nil {
		return "", "", false
	}
	return f.object, f.owner, true
}

// handOver gives a file to the JobManager, under all its names.
func (r *RemoteFS) handOver(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.mapping[path]; f != nil {
		f.owner = OwnedByJobManager
	}
}

// use maps a table to a file that is there already, and stays another's.
func (r *RemoteFS) use(path, object string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mapping[path] = &remoteFile{object: object, owner: OwnedByJobManager, refs: 1}
}

// forget gives up all files without deleting any: the TaskManager is gone.
func (r *RemoteFS) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.mapping)
}

func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }

func notExist(op, path string) error { return &fs.PathError{Op: op, Path: path, Err: fs.ErrNotExist} }

// Create makes a new file.
func (r *RemoteFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !isTable(name) {
		return r.FS.Create(name, category)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made++
	f := &remoteFile{object: strings.TrimSuffix(r.dir, "/") + "/" + strconv.Itoa(r.made) + ".sst", owner: OwnedByDB, refs: 1}
	open, err := r.store.Create(f.object, category)
	if err != nil {
		return nil, err
	}
	r.mapping[name] = f
	return &openRemote{File: open, fs: r, file: f, writes: true}, nil
}

// Open opens a file.
func (r *RemoteFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if !isTable(name) {
		return r.FS.Open(name, opts...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.mapping[name]
	if f == nil {
		return nil, notExist("open", name)
	}
	open, err := r.store.Open(f.object)
	if kept, ok := r.cache.file(f.object); err != nil && ok {
		return &openRemote{File: kept, fs: r, file: f, kept: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return &openRemote{File: open, fs: r, file: f}, nil
}

// Link gives a table a second name.
func (r *RemoteFS) Link(from, to string) error {
	if !isTable(from) {
		return r.FS.Link(from, to)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.mapping[from]
	if f == nil {
		return notExist("link", from)
	}
	f.refs++
	r.mapping[to] = f
	return nil
}

// Rename gives a table another name.
func (r *RemoteFS) Rename(from, to string) error {
	if !isTable(from) {
		return r.FS.Rename(from, to)
	}
	if err := r.Link(from, to); err != nil {
		return err
	}
	return r.Remove(from)
}

// ReuseForWrite makes a new table instead of writing over an old one.
func (r *RemoteFS) ReuseForWrite(from, to string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !isTable(from) {
		return r.FS.ReuseForWrite(from, to, category)
	}
	if err := r.Remove(from); err != nil {
		return nil, err
	}
	return r.Create(to, category)
}

// OpenReadWrite refuses tables: they are written once.
func (r *RemoteFS) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	if !isTable(name) {
		return r.FS.OpenReadWrite(name, category, opts...)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

// Remove takes a name away. The remote file goes with its last name, if the
// tree owns it.
func (r *RemoteFS) Remove(name string) error {
	if !isTable(name) {
		return r.FS.Remove(name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.remove(name)
}

func (r *RemoteFS) remove(name string) error {
	f := r.mapping[name]
	if f == nil {
		return notExist("remove", name)
	}
	delete(r.mapping, name)
	if f.refs--; f.refs > 0 || f.owner == OwnedByJobManager {
		return nil
	}
	r.io.Deletes++
	r.changes = append(r.changes, Change{Deleted: true, Object: f.object})
	r.cache.drop(f.object)
	return r.store.Remove(f.object)
}

// RemoveAll removes a directory and the names below it.
func (r *RemoteFS) RemoveAll(dir string) error {
	r.mu.Lock()
	var failed error
	for _, name := range slices.Sorted(maps.Keys(r.mapping)) {
		if name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/") {
			if err := r.remove(name); failed == nil {
				failed = err
			}
		}
	}
	r.mu.Unlock()
	return cmp.Or(failed, r.FS.RemoveAll(dir))
}

// List lists a directory.
func (r *RemoteFS) List(dir string) ([]string, error) {
	names, err := r.FS.List(dir)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(r.mapping)) {
		if r.PathDir(path) == strings.TrimSuffix(dir, "/") {
			names = append(names, r.PathBase(path))
		}
	}
	return names, nil
}

// Stat looks at a file.
func (r *RemoteFS) Stat(name string) (vfs.FileInfo, error) {
	if !isTable(name) {
		return r.FS.Stat(name)
	}
	object, _, ok := r.object(name)
	if !ok {
		return nil, notExist("stat", name)
	}
	return r.store.Stat(object)
}

// Unwrap gives the local file system.
func (r *RemoteFS) Unwrap() vfs.FS { return r.FS }

// An openRemote is an open table.
type openRemote struct {
	vfs.File
	fs      *RemoteFS
	file    *remoteFile
	writes  bool
	written int64
	// kept says that the file is the cache's to close.
	kept bool
}

// Write counts.
func (o *openRemote) Write(p []byte) (int, error) {
	o.fs.mu.Lock()
	o.fs.io.RemoteWrites++
	o.fs.io.RemoteBytesWritten += int64(len(p))
	o.written += int64(len(p))
	o.fs.mu.Unlock()
	return o.File.Write(p)
}

// Close puts a table that was written into the cache.
func (o *openRemote) Close() error {
	if o.kept {
		return nil
	}
	err := o.File.Close()
	if o.writes {
		o.fs.mu.Lock()
		defer o.fs.mu.Unlock()
		o.writes = false
		o.fs.changes = append(o.fs.changes, Change{Object: o.file.object, Size: o.written})
		err = cmp.Or(err, o.fs.cache.written(o.file.object, o.written, o.fs.store))
	}
	return err
}

// ReadAt counts, through the cache.
func (o *openRemote) ReadAt(p []byte, offset int64) (int, error) {
	o.fs.mu.Lock()
	err := o.fs.read(o, int64(len(p)))
	o.fs.mu.Unlock()
	if err != nil {
		return 0, err
	}
	return o.File.ReadAt(p, offset)
}

// read counts one read. A file that somebody deleted on the remote file system
// can be read from the cache only: the next miss fails (CP-7.7).
func (r *RemoteFS) read(o *openRemote, bytes int64) error {
	if o.writes {
		return nil
	}
	cached := r.cache.holds(o.file.object)
	if !cached {
		if _, err := r.store.Stat(o.file.object); err != nil {
			return err
		}
	}
	if !r.quiet && o.file.epoch != r.epoch {
		o.file.epoch = r.epoch
		size := int64(0)
		if info, err := o.File.Stat(); err == nil {
			size = info.Size()
		}
		loaded, err := r.cache.access(o.file.object, size, r.store)
		if err != nil {
			return err
		}
		if loaded {
			r.io.RemoteReads++
			r.io.RemoteBytesRead += size
		}
	}
	if cached {
		r.io.CacheReads++
		r.io.CacheBytesRead += bytes
	} else {
		r.io.RemoteReads++
		r.io.RemoteBytesRead += bytes
	}
	return nil
}
