package sim

// An Exception is an error of the simulated system: data, not an error of
// lab. Class and message are the real system's own words and are never
// translated.
type Exception struct {
	// Class is the full Java name.
	Class string `json:"class"`
	// Message is the message without the class.
	Message string `json:"msg"`
	// Rule is the rule that says when it is thrown; empty: that of failures.
	Rule string `json:"-"`
}

func (e *Exception) Error() string { return e.Class + ": " + e.Message }
