package kafka

import (
	"slices"
	"strings"

	"streaminglab/sim"
)

// What an ACL is about.
const (
	ResourceTopic         = "topic"
	ResourceTransactional = "transactional-id"
	ResourceGroup         = "group"
)

// Operations of ACLs.
const (
	OperationRead  = "read"
	OperationWrite = "write"
)

// An ACL forbids an operation.
type ACL struct {
	Operation, Resource string
	// Name is that of the resource; one that ends in * is a prefix.
	Name string
	// Principal is a client: a subtask, or all of a vertex; empty: everybody.
	Principal string
}

// Deny adds an ACL.
func (b *Broker) Deny(a ACL) { b.acls = append(b.acls, a) }

// Allow takes away what Deny has added; Denied reports whether there is something
// to take away.
func (b *Broker) Allow(a ACL) { b.acls = slices.DeleteFunc(b.acls, a.lifts) }

// Denied reports whether Allow would change something.
func (b *Broker) Denied(a ACL) bool { return slices.ContainsFunc(b.acls, a.lifts) }

func (a ACL) lifts(x ACL) bool {
	return x.Operation == a.Operation && x.Resource == a.Resource && matches(a.Name, x.Name) && (a.Principal == "" || a.Principal == x.Principal)
}

// Denies is a rule that denies something that is about the same as another, nil:
// there is none. They are about the same when one name is the other, or lies under
// its prefix.
func (b *Broker) Denies(a ACL) *ACL {
	for _, x := range b.acls {
		overlap := matches(x.Name, a.Name) || matches(a.Name, x.Name)
		if x.Operation == a.Operation && x.Resource == a.Resource && overlap && (a.Principal == "" || x.covers(a.Principal)) {
			return &x
		}
	}
	return nil
}

// TellAccess tells that a right was taken or given back.
func (b *Broker) TellAccess(a ACL, allowed bool) {
	body := sim.AccessChanged{Allowed: allowed, Operation: a.Operation, Resource: a.Resource, Name: a.Name, Principal: a.Principal}
	if x := b.Denies(a); allowed && x != nil {
		body.Still = strings.TrimSpace(x.Name + " " + x.Principal)
	}
	b.access = b.tell("broker", "LAB-17", body, b.from.Cause)
}

// accessOf is the step behind an error that is about rights.
func (b *Broker) accessOf(err Error) *sim.Step {
	if err.Unauthorized() {
		return b.access
	}
	return nil
}

// Unauthorized reports whether a right is missing.
func (e Error) Unauthorized() bool {
	return e == TopicAuthorizationFailed || e == GroupAuthorizationFailed || e == TransactionalIDAuthorizationFailed
}

// AccessStep is the step that last told a change of rights.
func (b *Broker) AccessStep() *sim.Step { return b.access }

func matches(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name
}

// Authorized reports whether a client may do something.
func (b *Broker) Authorized(client, operation, resource, name string) bool {
	return !slices.ContainsFunc(b.acls, func(a ACL) bool {
		return a.Operation == operation && a.Resource == resource && matches(a.Name, name) && a.covers(client)
	})
}

// covers reports whether a client is who the ACL is about: the writer and the
// committer of a sink are one application; a client that a command made is known by
// its name.
func (a ACL) covers(client string) bool {
	for _, kind := range []string{"producer:", "consumer:"} {
		if name, ok := strings.CutPrefix(client, kind); ok {
			return a.Principal == "" || a.Principal == client || a.Principal == name
		}
	}
	vertex, _, _ := strings.Cut(client, "[")
	sink, _, _ := strings.Cut(vertex, ":")
	return a.Principal == "" || a.Principal == client || a.Principal == vertex || a.Principal == sink
}

// mayUse says whether who asks may use a transactional id, mayWrite whether it may
// write a topic. The broker's own requests need no right.
func (b *Broker) mayUse(id string) Error {
	if id != "" && !b.Authorized(b.from.Name, OperationWrite, ResourceTransactional, id) {
		return TransactionalIDAuthorizationFailed
	}
	return None
}

// mayJoin says whether who asks may read and write the offsets of a group.
func (b *Broker) mayJoin(group string) Error {
	if group != "" && !b.Authorized(b.from.Name, OperationRead, ResourceGroup, group) {
		return GroupAuthorizationFailed
	}
	return None
}

func (b *Broker) mayRead(topic string) Error {
	if !b.Authorized(b.from.Name, OperationRead, ResourceTopic, topic) {
		return TopicAuthorizationFailed
	}
	return None
}

func (b *Broker) mayWrite(topic string) Error {
	if topic != OffsetsTopic && !b.Authorized(b.from.Name, OperationWrite, ResourceTopic, topic) {
		return TopicAuthorizationFailed
	}
	return None
}
