package flink

import (
	"errors"
	"fmt"
	"io/fs"

	"streaminglab/sim"
	"streaminglab/sim/checkpoint"
	"streaminglab/sim/objectstore"
	"streaminglab/sim/state/lsm"
)

// A Remote is a store and the file system that trees see of it whose files lie
// there. What a tree writes or deletes there, Mirror brings to the store; what
// goes from the store is gone for trees at once; and an object that a tree uses
// where it lies, Restore shows to it.
type Remote struct {
	Store *objectstore.Store
	FS    lsm.FS
}

// NewRemote returns the file system of a store, and listens to it.
func NewRemote(s *objectstore.Store) *Remote {
	r := &Remote{Store: s, FS: lsm.NewMemFS()}
	s.Changed = func(o objectstore.Info, deleted bool) {
		if deleted {
			// Who reads it where it lay finds nothing. Most objects are none of a
			// tree.
			_ = r.FS.Remove(o.Key)
		}
	}
	return r
}

// Object reads an object for a tree.
func (r *Remote) Object(path string) ([]byte, error) {
	b, _, err := r.Store.Get(path)
	var e *objectstore.Error
	if errors.As(err, &e) && e.Code == objectstore.NoSuchKey {
		return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return b.Bytes, err
}

// Restore opens a tree on keyed state of a snapshot, or an empty one.
func (r *Remote) Restore(o lsm.Options, from []*lsm.Handle) (*lsm.DB, error) {
	if o.ForSt != nil && o.ForSt.Store != nil {
		for _, h := range from {
			if err := r.show(h); err != nil {
				return nil, err
			}
		}
	}
	return lsm.Restore(o, from, r.Object)
}

// RestoreFrom is Restore for a tree that has copies of some objects at hand.
func (r *Remote) RestoreFrom(o lsm.Options, from []*lsm.Handle, local map[string][]byte) (*lsm.DB, error) {
	if len(local) == 0 || o.ForSt != nil {
		return r.Restore(o, from)
	}
	return lsm.Restore(o, from, func(path string) ([]byte, error) {
		if data, known := local[path]; known {
			return data, nil
		}
		return r.Object(path)
	})
}

// show puts tables of a handle onto the file system that a tree may use where
// they lie although no tree wrote them there: a savepoint's, or those of a
// checkpoint with a primary-dir of its own. That is no request. A table that is
// missing stays missing until somebody reads it.
func (r *Remote) show(h *lsm.Handle) error {
	for _, f := range h.Shared {
		if f.Inline != nil || !r.Store.Has(f.Object) {
			continue
		}
		if _, err := r.FS.Stat(f.Object); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		content, err := r.Store.Peek(f.Object)
		if err != nil {
			return err
		}
		if err := lsm.WriteFile(r.FS, f.Object, content); err != nil {
			return err
		}
	}
	return nil
}

// Mirror brings to the store what a tree has written on the file system since
// it was asked last, and takes from it what the tree has deleted there.
func (r *Remote) Mirror(db *lsm.DB, owner string, tell func(sim.Body)) error {
	remote := db.Remote()
	if remote == nil {
		return nil
	}
	for _, c := range remote.DrainChanges() {
		if c.Deleted {
			// What may not be deleted stays: a leak.
			o, known := r.Store.Stat(c.Object)
			if _, err := r.Store.Delete(c.Object); err == nil && known {
				tell(sim.ObjectDeleted{Path: c.Object, Size: o.Size, By: "database"})
			}
			continue
		}
		data, err := lsm.ReadFile(r.FS, c.Object)
		if errors.Is(err, fs.ErrNotExist) {
			// It was deleted again before anybody looked.
			continue
		}
		if err != nil {
			return err
		}
		if _, err := r.Store.Put(c.Object, objectstore.Bytes(data), owner); err != nil {
			return err
		}
		tell(sim.FileUploaded{Path: c.Object, Table: db.TableAt(c.Object), Size: c.Size})
	}
	return nil
}

// HandleOf is keyed state of a snapshot as a tree knows it.
func HandleOf(k *checkpoint.KeyedState, id int64) *lsm.Handle {
	h := &lsm.Handle{Backend: k.Backend, Form: lsm.FormFiles, ID: id, UID: k.Instance}
	h.Groups.First, h.Groups.Last = k.First, k.Last
	switch {
	case k.Backend == Canonical:
		h.Form = lsm.FormCanonical
	case k.Instance == "":
		// The heap has no files to share.
		h.Form = lsm.FormFull
	}
	convert := func(in []checkpoint.NamedHandle) (out []lsm.HandleFile) {
		for _, n := range in {
			f := lsm.HandleFile{Name: n.Name, Size: n.Handle.Size, Object: n.Handle.Path, Inline: n.Handle.Data}
			copy(f.SHA256[:], n.Digest)
			f.Family, f.Local = splitLocal(n.Local)
			out = append(out, f)
		}
		return out
	}
	h.Shared, h.Private = convert(k.Shared), convert(k.Private)
	return h
}

// KeyedState is the handle of a tree as _metadata has it. relative says that
// its files lie in the directory of the snapshot.
func KeyedState(h *lsm.Handle, relative bool) checkpoint.KeyedState {
	k := checkpoint.KeyedState{Backend: h.Backend, Instance: h.UID, First: h.Groups.First, Last: h.Groups.Last}
	if h.Form == lsm.FormCanonical {
		k.Backend, k.Instance = Canonical, ""
	}
	convert := func(in []lsm.HandleFile) (out []checkpoint.NamedHandle) {
		for _, f := range in {
			n := checkpoint.NamedHandle{Name: f.Name, Digest: f.SHA256[:]}
			if f.Local != "" {
				n.Local = f.Family + "/" + f.Local
			}
			n.Handle = checkpoint.Handle{Path: f.Object, Size: f.Size}
			switch {
			case f.Reused:
				// A placeholder stands for small files too: their bytes are in the
				// registry of the JobManager (PreviousSnapshot.getUploaded).
				n.Handle = checkpoint.PlaceholderFor(n.Handle)
			case f.Inline != nil:
				n.Handle.Kind, n.Handle.Data = checkpoint.Inline, f.Inline
			default:
				n.Handle.Relative = relative
			}
			out = append(out, n)
		}
		return out
	}
	k.Shared, k.Private = convert(h.Shared), convert(h.Private)
	return k
}

// splitLocal cuts a column family from the name of a table in it.
func splitLocal(s string) (family, file string) {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return s[:i], s[i+1:]
		}
	}
	return "", ""
}
