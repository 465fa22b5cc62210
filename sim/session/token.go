package session

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"strings"

	"streaminglab/sim"
)

// TokenPrefix begins every token of this version.
const TokenPrefix = "lab1:"

// Bounds of a token.
const (
	maxToken    = 64 << 10
	maxUnpacked = 512 << 10
)

// A Token is a transcript that can be handed on in one line: the experiment by
// id, or embedded when it is not one of the course, with seed and commands,
// and the hash of the trace that they made.
type Token struct {
	Experiment string   `json:"experiment,omitempty"`
	Version    int      `json:"version,omitempty"`
	Seed       uint64   `json:"seed"`
	Commands   []string `json:"commands"`
	// Source is the experiment's text when it is no experiment of the course.
	Source string `json:"source,omitempty"`
	// Engine and Trace say which engine made which trace (SHA-256 in hex).
	Engine string `json:"engine"`
	Trace  string `json:"trace"`
}

// Encode returns the token as one line.
func (t *Token) Encode() (string, error) {
	body, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	if len(body) > maxUnpacked {
		return "", sim.NewProblem("token.too-large", "Size", len(body), "Max", maxUnpacked)
	}
	var z bytes.Buffer
	w, err := flate.NewWriter(&z, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(body); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	packed := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(body))
	packed = append(packed, z.Bytes()...)
	text := TokenPrefix + base64.RawURLEncoding.EncodeToString(packed)
	if len(text) > maxToken {
		return "", sim.NewProblem("token.too-large", "Size", len(text), "Max", maxToken)
	}
	return text, nil
}

// IsToken reports whether an argument means a token, damaged or not.
func IsToken(text string) bool { return strings.HasPrefix(text, TokenPrefix) }

// DecodeToken reads a token. A damaged one is refused with a reason.
func DecodeToken(text string) (*Token, error) {
	text = strings.TrimSpace(text)
	rest, ok := strings.CutPrefix(text, TokenPrefix)
	switch {
	case !ok:
		return nil, sim.NewProblem("token.prefix")
	case len(text) > maxToken:
		return nil, sim.NewProblem("token.too-large", "Size", len(text), "Max", maxToken)
	}
	packed, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if err != nil {
		return nil, sim.NewProblem("token.characters")
	}
	if len(packed) < 5 {
		return nil, sim.NewProblem("token.short")
	}
	z := flate.NewReader(bytes.NewReader(packed[4:]))
	body, err := io.ReadAll(io.LimitReader(z, maxUnpacked+1))
	if err != nil || len(body) > maxUnpacked {
		return nil, sim.NewProblem("token.damaged")
	}
	if crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(packed) {
		return nil, sim.NewProblem("token.damaged")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	t := &Token{}
	if err := d.Decode(t); err != nil {
		return nil, sim.NewProblem("token.damaged")
	}
	return t, nil
}

// Token returns the token of the present list. course says whether the
// experiment can be found by its id wherever the token goes.
func (s *Session) Token(course bool) *Token {
	t := &Token{Seed: s.Seed, Commands: s.Commands(), Engine: EngineVersion, Trace: s.Trace().Hash()}
	if course {
		t.Experiment, t.Version = s.Experiment.ID, s.Experiment.Version
	} else {
		t.Source = string(s.Experiment.Source())
	}
	return t
}
