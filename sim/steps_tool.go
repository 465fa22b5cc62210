package sim

// A ToolRow is a row of what a tool printed.
type ToolRow struct {
	Cells []string `json:"cells" doc:"its cells"`
}

// ToolReported : a tool of Kafka has printed something, in its own words.
type ToolReported struct {
	Command string    `json:"command" doc:"the tool and what it was asked"`
	Columns []string  `json:"columns,omitempty" doc:"heads of the columns; absent: each row is a line"`
	Rows    []ToolRow `json:"rows,omitempty" doc:"rows, or lines"`
	// Failed : the tool has ended with an error, which is its only line.
	Failed bool `json:"failed,omitempty" doc:"true: the tool has ended with an error"`
}

// StepType names the type.
func (ToolReported) StepType() string { return "tool.reported" }
