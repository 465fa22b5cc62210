package ledger

// Kind says what a rule rests on.
type Kind string

// The kinds, strongest first.
const (
	Recorded  Kind = "recorded"
	Source    Kind = "source"
	Judgement Kind = "judgement"
)

// A Recording is a set of recorded cases: those of a kind whose id begins so.
type Recording struct{ Kind, Prefix string }

// A Rule is one entry of the ledger.
type Rule struct {
	ID   string
	Kind Kind
	// Sources are where the rule is written down: classes, documents, issues.
	Sources    []string
	Recordings []Recording
	// Simplified says that the message rule.ID.simplified tells what the lab
	// leaves out.
	Simplified bool
}

// Rules returns every rule, in the order of their numbers.
func Rules() []Rule { return append([]Rule(nil), rules...) }

// Find returns the rule of an id.
func Find(id string) (Rule, bool) {
	for _, r := range rules {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}
