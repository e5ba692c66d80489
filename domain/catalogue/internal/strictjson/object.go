package strictjson

import (
	"slices"
	"strings"
)

// Entry is one key of an object and what it holds.
type Entry struct {
	Key  string
	Node Node
}

// Entries reads an object whose keys are data, in the order of the file. A key that comes twice
// is a problem, and only the first one is returned.
func (n Node) Entries() []Entry {
	members, _ := as[object](n, "an object")
	entries := make([]Entry, 0, len(members))
	for _, m := range members {
		entry := Entry{m.key, Node{Path: n.at(m.key), value: m.value, problems: n.problems}}
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == m.key }) {
			entry.Node.Problem("is written twice")
			continue
		}
		entries = append(entries, entry)
	}
	return entries
}

// Object is an object whose keys are fixed.
type Object struct {
	node    Node
	entries []Entry
}

// Object reads an object that may have these keys and no others.
func (n Node) Object(known ...string) Object {
	o := Object{node: n, entries: n.Entries()}
	for _, e := range o.entries {
		if !slices.Contains(known, e.Key) {
			e.Node.Problem("is not known here; known are %s", strings.Join(known, ", "))
		}
	}
	return o
}

// Get is what a key holds; a missing key is a problem.
func (o Object) Get(key string) Node {
	n, found := o.Find(key)
	if !found && o.node.IsObject() {
		n.Problem("is missing")
	}
	return n
}

// Find is what a key holds, and whether it is there.
func (o Object) Find(key string) (Node, bool) {
	for _, e := range o.entries {
		if e.Key == key {
			return e.Node, true
		}
	}
	return Node{Path: o.node.at(key), absent: true, problems: o.node.problems}, false
}
