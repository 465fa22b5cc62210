package script

import (
	"streaminglab/sim/kafka"
	"streaminglab/sim/world"
)

// accessWords are operations of ACLs of Kafka, resources what they are about.
var (
	accessWords = []string{kafka.OperationRead, kafka.OperationWrite}
	resources   = []string{kafka.ResourceTopic, kafka.ResourceGroup, kafka.ResourceTransactional}
	// readable and writable are what the operations go with.
	readable = []string{kafka.ResourceTopic, kafka.ResourceGroup}
	writable = []string{kafka.ResourceTopic, kafka.ResourceTransactional}
)

// access reads an ACL.
func (l *line) access(allowed bool) Command {
	c := Access{Allowed: allowed}
	c.ACL.Operation = l.oneOf(accessWords...)
	if c.ACL.Operation == kafka.OperationRead {
		c.ACL.Resource = l.oneOf(readable...)
	} else {
		c.ACL.Resource = l.oneOf(writable...)
	}
	c.ACL.Name = l.word(ArgName).text
	if l.more() {
		c.ACL.Principal = l.word(ArgSubtask).text
	}
	return c
}

// Access takes or gives the right to read or write a topic, or to use a
// transactional id.
type Access struct {
	command
	Allowed bool
	ACL     kafka.ACL
}

// Apply implements WorldCommand.
func (c Access) Apply(w *world.World, text world.Command, _ Times) error {
	return w.Access(text, c.ACL, c.Allowed)
}
