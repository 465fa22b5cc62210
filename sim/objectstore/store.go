package objectstore

import (
	"slices"
	"strings"
)

// Flavour says what kind of place a store is.
type Flavour int

// The flavours.
const (
	// ObjectStore has keys and no directories.
	ObjectStore Flavour = iota
	// LocalDirectory has directories: they appear with their first file and
	// stay when the last one is gone.
	LocalDirectory
)

// An Op is an operation on a store.
type Op string

// The operations, as permissions, throttles and counters name them. Parts of
// an upload count one by one.
const (
	OpPut               Op = "put"
	OpGet               Op = "get"
	OpList              Op = "list"
	OpDelete            Op = "delete"
	OpMultipartStart    Op = "multipart-start"
	OpMultipartPart     Op = "multipart-part"
	OpMultipartComplete Op = "multipart-complete"
	OpMultipartAbort    Op = "multipart-abort"
	OpMakeDirectory     Op = "make-directory"
	OpRemoveDirectory   Op = "remove-directory"
)

// Ops are all operations, in the order in which tables show them.
var Ops = []Op{
	OpPut, OpGet, OpList, OpDelete, OpMultipartStart, OpMultipartPart, OpMultipartComplete, OpMultipartAbort,
	OpMakeDirectory, OpRemoveDirectory,
}

// A Body is what is uploaded: bytes, or a size alone for a file whose content
// plays no role.
type Body struct {
	// Bytes is the content; nil when only the size matters.
	Bytes []byte
	// Size is the number of bytes; that of Bytes when they are given.
	Size int64
}

// Bytes is a body with content.
func Bytes(data []byte) Body { return Body{Bytes: data, Size: int64(len(data))} }

// Sized is a body of which only the size matters.
func Sized(n int64) Body { return Body{Size: n} }

// Info is what a list tells of an object.
type Info struct {
	// Key is its name, with slashes.
	Key string
	// Size is in bytes.
	Size int64
	// Created is the virtual time in ms at which it was put.
	Created int64
	// Owner is a label of whoever put it.
	Owner string
}

type object struct {
	Info
	content bool
}

// A Store holds objects. Its zero value is not ready: use New.
type Store struct {
	// Flavour says whether there are directories.
	Flavour Flavour
	// Latency is the model of how long a request takes.
	Latency Latency
	// Faults are what goes wrong.
	Faults Faults
	// Quota is the largest number of bytes that a local directory holds; 0:
	// no limit.
	Quota int64
	// Lifecycle are the rules that delete by age; SetLifecycle changes them.
	Lifecycle []LifecycleRule
	// Changed hears of each object that was written or deleted; nil: nobody.
	Changed func(o Info, deleted bool)
	// Expires is told when a rule will delete an object that was put, or that a
	// new rule has found: whoever owns the queue books each of them, and
	// calls ApplyLifecycle then. It may be nil.
	Expires func(at int64)

	now     func() int64
	content Content
	objects map[string]*object
	keys    []string // sorted
	dirs    []string // sorted; only LocalDirectory
	uploads map[string]*upload
	started int
	used    int64
	usage   map[place]*Usage
	defect  error
}

// New returns an empty store. now is the virtual time in ms.
func New(flavour Flavour, now func() int64, content Content) *Store {
	return &Store{
		Flavour: flavour, now: now, content: content,
		objects: map[string]*object{}, uploads: map[string]*upload{}, usage: map[place]*Usage{},
	}
}

// Defect is the first error of the Content: something of this machine, not of
// the simulated one. What followed it is worth nothing.
func (s *Store) Defect() error { return s.defect }

// kept remembers an error of the Content.
func (s *Store) kept(err error) error {
	if err != nil && s.defect == nil {
		s.defect = err
	}
	return err
}

// Used is the number of bytes of all objects.
func (s *Store) Used() int64 { return s.used }

// Objects lists everything without a request: for tests, dumps and views.
func (s *Store) Objects() []Info { return s.under("") }

// Directories lists the directories of the local flavour, sorted, without a
// request.
func (s *Store) Directories() []string { return slices.Clone(s.dirs) }

// Stat returns what is known of an object, without a request: for views.
func (s *Store) Stat(key string) (Info, bool) {
	if o := s.objects[key]; o != nil {
		return o.Info, true
	}
	return Info{}, false
}

// Has reports whether a key exists, without a request.
func (s *Store) Has(key string) bool { return s.objects[key] != nil }

// Peek returns the bytes of an object without a request; nil when there is none,
// or when only its size was kept.
func (s *Store) Peek(key string) ([]byte, error) {
	o := s.objects[key]
	if o == nil || !o.content {
		return nil, nil
	}
	data, err := s.content.Read(key)
	return data, s.kept(err)
}

func (s *Store) under(prefix string) []Info {
	i, _ := slices.BinarySearch(s.keys, prefix)
	var out []Info
	for ; i < len(s.keys) && strings.HasPrefix(s.keys[i], prefix); i++ {
		out = append(out, s.objects[s.keys[i]].Info)
	}
	return out
}

// parent is the directory of a key, without the slash; empty at the root.
func parent(key string) string {
	i := strings.LastIndexByte(key, '/')
	if i < 0 {
		return ""
	}
	return key[:i]
}

func insert(sorted []string, s string) []string {
	i, found := slices.BinarySearch(sorted, s)
	if found {
		return sorted
	}
	return slices.Insert(sorted, i, s)
}

func remove(sorted []string, s string) []string {
	i, found := slices.BinarySearch(sorted, s)
	if !found {
		return sorted
	}
	return slices.Delete(sorted, i, i+1)
}
