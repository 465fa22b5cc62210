package objectstore

// Content keeps the bytes of objects. The store asks for nothing but what it
// put in before, and decides itself what exists.
type Content interface {
	// Write keeps the bytes under a key and replaces what was there.
	Write(key string, data []byte) error
	// Read returns the bytes under a key.
	Read(key string) ([]byte, error)
	// Remove forgets a key.
	Remove(key string) error
}

// Memory is Content in memory.
type Memory map[string][]byte

// Write implements Content.
func (m Memory) Write(key string, data []byte) error {
	m[key] = data
	return nil
}

// Read implements Content.
func (m Memory) Read(key string) ([]byte, error) { return m[key], nil }

// Remove implements Content.
func (m Memory) Remove(key string) error {
	delete(m, key)
	return nil
}
