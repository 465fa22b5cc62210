package narrate

// A Table is a view as facts: callers lay it out.
type Table struct {
	Title   string
	Columns []Column
	Rows    [][]string
	// Empty is what to say when there are no rows.
	Empty string
}

// A Column has a header; figures stand at the right.
type Column struct {
	Header string
	Right  bool
}

// Lines lays the table out as plain text without lines or boxes. A row that is
// wider than width continues below its first column; width 0 means no limit.
func (t Table) Lines(width int) []string { return nil }
