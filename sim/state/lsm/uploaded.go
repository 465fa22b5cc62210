package lsm

import "maps"

// uploaded remembers which snapshot brought which tables, to know what a later
// one need not bring again: uploadedSstFiles of Flink's
// RocksIncrementalSnapshotStrategy.
type uploaded struct {
	files map[int64][]HandleFile
	// confirmed is the newest snapshot known to be complete.
	confirmed int64
}

// local is a table within one backend.
type local struct{ family, file string }

func newUploaded() *uploaded { return &uploaded{files: map[int64][]HandleFile{}, confirmed: -1} }

// base are the files that may be reused: those of the last confirmed
// snapshot, never of one that is not confirmed, which the JobManager may have
// given up (FLINK-25395). A file that a later snapshot brought again is left
// out: the registry may drop the older object (CP-6.2).
func (u *uploaded) base() map[local]HandleFile {
	base := map[local]HandleFile{}
	for _, f := range u.files[u.confirmed] {
		base[local{f.Family, f.Local}] = f
	}
	for id, files := range u.files {
		if id <= u.confirmed {
			continue
		}
		for _, f := range files {
			if !f.Reused {
				delete(base, local{f.Family, f.Local})
			}
		}
	}
	return base
}

// complete takes the notice that a snapshot is complete. Savepoints are not in
// the list, so they never become the base (FLINK-23949); notices that come out
// of order are ignored.
func (u *uploaded) complete(id int64) {
	if _, ok := u.files[id]; !ok || id <= u.confirmed {
		return
	}
	maps.DeleteFunc(u.files, func(old int64, _ []HandleFile) bool { return old < id })
	u.confirmed = id
}

// abort takes the notice that a snapshot will not be complete. If it is the
// base, there is none any more.
func (u *uploaded) abort(id int64) { delete(u.files, id) }
