package conform

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A Recording is one case of a real engine.
type Recording struct {
	ID     string            `json:"id"`
	Engine string            `json:"engine"`
	Kind   string            `json:"kind"`
	Config json.RawMessage   `json:"config"`
	In     []json.RawMessage `json:"in"`
	Out    []json.RawMessage `json:"out"`
	// Extra are the fields that only some kinds have. A kind must ask for
	// them: a case with one that nobody looks at is not equal.
	Extra map[string]json.RawMessage `json:"-"`
}

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 16 << 20

// A LineError says why a line is not a recording.
type LineError struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Err  string `json:"error"`
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Err) }

// Read calls each for every recording of a stream of JSON lines, plain or
// compressed with gzip (told by its first bytes), and bad for every line that
// is none. It never fails as a whole: where nothing more can be read, the last
// call of bad says so.
func Read(name string, r io.Reader, each func(line int, c *Recording), bad func(*LineError)) {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(buffered)
		if err != nil {
			bad(&LineError{name, 1, err.Error()})
			return
		}
		buffered = bufio.NewReaderSize(z, 64<<10)
	}
	for line := 1; ; line++ {
		text, tooLong, err := readLine(buffered)
		switch {
		case tooLong:
			bad(&LineError{name, line, fmt.Sprintf("the line is longer than %d bytes", MaxLine)})
		case len(bytes.TrimSpace(text)) > 0:
			if c, err := Parse(text); err != nil {
				bad(&LineError{name, line, err.Error()})
			} else {
				each(line, c)
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				bad(&LineError{name, line, err.Error()})
			}
			return
		}
	}
}

// readLine reads up to and including the next line feed. Of a line that is too
// long it keeps nothing.
func readLine(r *bufio.Reader) (text []byte, tooLong bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !tooLong {
			text = append(text, part...)
		}
		if len(text) > MaxLine {
			text, tooLong = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, tooLong, err
		}
	}
}

// Parse reads one line.
func Parse(line []byte) (*Recording, error) {
	var fields map[string]json.RawMessage
	if err := decode(line, &fields); err != nil {
		return nil, err
	}
	var c Recording
	for _, f := range []struct {
		name string
		into any
	}{
		{"id", &c.ID}, {"engine", &c.Engine}, {"kind", &c.Kind}, {"config", &c.Config}, {"in", &c.In}, {"out", &c.Out},
	} {
		if text, ok := fields[f.name]; ok {
			if err := decode(text, f.into); err != nil {
				return nil, fmt.Errorf("field %s: %w", f.name, err)
			}
			delete(fields, f.name)
		}
	}
	switch {
	case c.ID == "":
		return nil, errors.New("no id")
	case c.Kind == "":
		return nil, errors.New("no kind")
	}
	c.Extra = fields
	return &c, nil
}

// decode reads exactly one JSON value and refuses fields that the target does
// not have, so that nothing in a recording is overlooked.
func decode(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}
