package main

import (
	"strings"

	"streaminglab/sim/ledger"
)

// rules writes the ledger.
func rules() string {
	p := newPage("Rules")
	p.line("")
	p.line("Every step carries the id of the rule that produced it. EV: event time; CP: checkpoints; K: transactions of")
	p.line("Kafka 4.1; F: the KafkaSink of flink-connector-kafka 5.0.0-2.2; LAB: what the lab itself does. *Recorded*:")
	p.line("confirmed by recordings of the real engine, replayed by `lab conform`. *Source*: read in the source of")
	p.line("Flink 2.2.1, of Kafka or of the connector, without a recording that settles it. *Judgement*: decided here.")
	p.line("A recording is named by its kind and the beginning of its ids.")
	for _, r := range ledger.Rules() {
		p.heading(r.ID)
		p.line("- es: %s", es.Text("rule."+r.ID, nil))
		p.line("- ko: %s", ko.Text("rule."+r.ID, nil))
		p.line("- Rests on: %s", kinds[r.Kind])
		p.line("- Written down in: %s", codes(r.Sources))
		if len(r.Recordings) > 0 {
			p.line("- Recordings: %s", recordings(r))
		}
		if r.Simplified {
			p.line("- Simplified (es): %s", es.Text("rule."+r.ID+".simplified", nil))
			p.line("- Simplified (ko): %s", ko.Text("rule."+r.ID+".simplified", nil))
		}
	}
	return p.String()
}

var kinds = map[ledger.Kind]string{
	ledger.Recorded: "recordings", ledger.Source: "the source", ledger.Judgement: "judgement",
}

// recordings groups the prefixes by kind.
func recordings(r ledger.Rule) string {
	var order []string
	by := map[string][]string{}
	for _, x := range r.Recordings {
		if by[x.Kind] == nil {
			order = append(order, x.Kind)
		}
		by[x.Kind] = append(by[x.Kind], x.Prefix+"…")
	}
	out := make([]string, len(order))
	for i, k := range order {
		out[i] = k + " (" + codes(by[k]) + ")"
	}
	return strings.Join(out, "; ")
}
