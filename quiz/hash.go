package quiz

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// The two hashes of a quiz are "sha256:" and the hex digest of a JSON text:
// one array, no spaces, no HTML escapes, every field at a fixed place, values
// as statedText writes them. Lists stand in the order of the files. Changing
// this form changes every hash, so it carries a number.
const (
	quizHashForm = "lab-quiz-hash-1"
	textHashForm = "lab-text-hash-1"
)

// Hash is the quiz_hash of answer files. It covers what decides a score: ids
// and order of the members, scoring, tries, seeds, and of each item its kind,
// points, options, key and the experiments behind it (their fingerprints);
// not the wording, the pass mark, the minutes or the feedback.
func (lib *Library) Hash(s *Set, engine Engine) (string, error) {
	var experimentErr error
	fingerprint := func(id string) string {
		if id == "" || engine == nil || experimentErr != nil {
			return ""
		}
		f, err := engine.Fingerprint(id)
		if err != nil {
			experimentErr = problem(errExperiment, s.Pos, "Item", s.ID, "Experiment", id, "Detail", err.Error(), "Cause", err)
		}
		return f
	}
	form := []any{quizHashForm, s.ID, s.Shuffled, s.Tries, s.Seeds}
	for _, it := range lib.Members(s) {
		rule := it.Scoring
		if rule == "" {
			rule = s.Scoring
		}
		if it.Kind != Multiple {
			rule = ""
		}
		var options, prompts, properties []any
		for _, o := range it.Options {
			options = append(options, []any{o.ID, hashValue(o.Value), o.Answers, o.Holds})
		}
		for _, p := range it.Prompts {
			prompts = append(prompts, []any{p.ID, p.Answers})
		}
		for _, p := range it.Properties {
			properties = append(properties, []any{p.ID, p.Expression})
		}
		a := it.Answer
		vary := ""
		if len(it.Names()) > 0 {
			vary = it.Vary
		}
		form = append(form, []any{
			it.ID, it.Kind, it.Points, rule,
			[]any{a.Type, a.Unit, a.Day, a.Tolerance.String(), a.Relative.String(), a.Text.ExactCase, a.Text.ExactAccents, a.Text.IgnoreSpaces, a.Glossary},
			[]any{it.Key.Computed, fingerprint(it.Key.Computed), it.Key.Expression, hashValue(it.Key.Stated)},
			[]any{vary, fingerprint(vary)},
			options, prompts, properties, it.Replaces, it.Seeds,
		})
	}
	if experimentErr != nil {
		return "", experimentErr
	}
	return digest(form), nil
}

// TextHash is the text_hash of answer files: the title and every text of every
// member in every language, in the order of [Languages].
func (lib *Library) TextHash(s *Set) string {
	form := []any{textHashForm, s.ID}
	for _, l := range Languages {
		form = append(form, []any{l, s.Titles[l]})
	}
	for _, it := range lib.Members(s) {
		var texts []any
		for _, w := range it.wordings() {
			for _, l := range Languages {
				texts = append(texts, []any{w.path(l), w.texts[l]})
			}
		}
		form = append(form, []any{it.ID, texts})
	}
	return digest(form)
}

func hashValue(v any) any {
	if v == nil {
		return nil
	}
	switch v.(type) {
	case bool, string:
		return v // "1" and 1 are different keys
	}
	return []any{statedText(v)}
}

func digest(form any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(form); err != nil {
		return "" // strings, numbers and lists always encode
	}
	sum := sha256.Sum256(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}
