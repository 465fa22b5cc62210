package script

import (
	"slices"
	"sort"
	"strings"

	"streaminglab/sim"
)

// Known are the names that a line can be completed with.
type Known struct {
	Files, Sources, Splits, Operators, TaskManagers, Snapshots, Objects, Forks []string
	// Producers and Consumers are those that are not closed, Partitions are
	// topic/number.
	Producers, Consumers, Topics, Partitions, TransactionalIDs []string
	// Jobs are those beside that of the experiment.
	Jobs []string
	// Brokers are those that hold copies of partitions.
	Brokers []string
	// Paths are those of set; Words the values of a path that are words.
	Paths []string
	Words map[string][]string
}

// Complete returns the words that the last word of a line may become, sorted.
// Everything comes from the registry of verbs and from known.
func Complete(text string, known Known) []string {
	words := strings.Fields(text)
	if text == "" || strings.HasSuffix(text, " ") {
		words = append(words, "")
	}
	last := words[len(words)-1]
	var offer []string
	if len(words) == 1 {
		for _, v := range registry {
			if v.Chapter == "" {
				offer = append(offer, v.Name)
			}
		}
		return matching(offer, last)
	}
	v := Find(words[0])
	if v == nil || v.Chapter != "" || len(v.Args) == 0 {
		return nil
	}
	n := len(words) - 2
	arg := v.Args[len(v.Args)-1]
	switch {
	case n < len(v.Args):
		arg = v.Args[n]
	case v.forms != nil:
		form := v.forms(words[1:])
		if len(form) == 0 {
			return nil
		}
		arg = form[min(n-len(v.Args), len(form)-1)]
	case len(arg.Words) == 0:
		return nil
	}
	offer = append(offer, arg.Words...)
	switch arg.Kind {
	case ArgFile:
		offer = append(offer, known.Files...)
	case ArgJob:
		offer = append(offer, known.Jobs...)
	case ArgSource:
		offer = append(offer, known.Sources...)
	case ArgSplit:
		offer = append(offer, known.Splits...)
	case ArgTarget:
		offer = append(append(offer, known.Splits...), known.Sources...)
		if v == verbSlow {
			offer = append(offer, known.Operators...)
		}
		if v != verbProduce {
			offer = append(offer, known.Brokers...)
		}
	case ArgOperator:
		offer = append(offer, known.Operators...)
	case ArgSubtask:
		offer = append(append(offer, known.Sources...), known.Operators...)
		if v == verbCrash {
			offer = append(append(append(offer, known.TaskManagers...), known.Brokers...), "jobmanager")
		}
	case ArgTaskManager:
		offer = append(offer, known.TaskManagers...)
	case ArgSnapshot:
		offer = append(append(offer, known.Snapshots...), "none")
	case ArgObject:
		offer = append(offer, known.Objects...)
	case ArgPath:
		if v == verbSet {
			offer = append(offer, known.Paths...)
		} else {
			offer = append(offer, known.Objects...)
		}
	case ArgValue:
		if v == verbSet && n == 1 {
			offer = append(offer, known.Words[words[1]]...)
		}
	case ArgName:
		offer = append(offer, known.Forks...)
	case ArgFaultPoint:
		for _, p := range sim.FaultPoints() {
			if v == verbCrash && !slices.Contains(p.Kinds, sim.FaultCrash) {
				continue
			}
			offer = append(offer, p.Name)
		}
	case ArgProducer:
		offer = append(offer, known.Producers...)
	case ArgConsumer:
		offer = append(offer, known.Consumers...)
	case ArgTopic:
		offer = append(offer, known.Topics...)
	case ArgTopicPartition:
		offer = append(offer, known.Partitions...)
	case ArgTopicTarget:
		offer = append(append(offer, known.Partitions...), known.Topics...)
	case ArgTransactionalID:
		offer = append(offer, known.TransactionalIDs...)
	case ArgVerb:
		offer = append(offer, names()...)
	}
	return matching(offer, last)
}

func matching(offer []string, prefix string) []string {
	var out []string
	seen := map[string]bool{}
	for _, o := range offer {
		if strings.HasPrefix(o, prefix) && !seen[o] {
			seen[o] = true
			out = append(out, o)
		}
	}
	sort.Strings(out)
	return out
}
