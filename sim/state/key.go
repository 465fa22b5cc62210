package state

// A Key is the key of a keyed stream, interned once where the stream is keyed:
// its hash, its key group and its name are never computed again.
type Key struct {
	// Name is the key as the learner typed it.
	Name string
	// Group is the key group, from 0 to max parallelism - 1.
	Group int
	// Hash is the key's Java hash code.
	Hash int32
}

// Owner returns the subtask that owns the key at a parallelism.
func (k *Key) Owner(maxParallelism, parallelism int) int {
	return k.Group * parallelism / maxParallelism
}

// Keys interns the string keys of a job.
type Keys struct {
	maxParallelism int
	hash           func(string) int32
	byName         map[string]*Key
}

// NewKeys returns an interner for a job with this max parallelism.
func NewKeys(maxParallelism int) *Keys {
	return &Keys{maxParallelism: maxParallelism, hash: StringHash, byName: map[string]*Key{}}
}

// Intern returns the one Key of that name.
func (k *Keys) Intern(name string) *Key {
	if key, ok := k.byName[name]; ok {
		return key
	}
	hash := k.hash(name)
	key := &Key{Name: name, Hash: hash, Group: AssignToKeyGroup(hash, k.maxParallelism)}
	k.byName[name] = key
	return key
}

// MaxParallelism is the number of key groups.
func (k *Keys) MaxParallelism() int { return k.maxParallelism }
