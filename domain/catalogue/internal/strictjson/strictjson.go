// Package strictjson reads hand-written JSON files and reports all problems together, each with its
// path. It is stricter than encoding/json, which stops at the first problem, lets the last of two
// equal keys win and ignores the case of keys.
package strictjson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/domain/fault"
)

// Problems collects the problems of one file. The zero value is ready to use.
type Problems struct{ list []fault.Field }

// Add adds a problem at a path.
func (p *Problems) Add(path, format string, args ...any) {
	p.list = append(p.list, fault.Field{Name: path, Message: fmt.Sprintf(format, args...)})
}

// Err returns nil when there is no problem, otherwise an Invalid fault. Its message begins with the name of the file and
// lists all problems, one per line. Its fields are the paths of the problems.
func (p *Problems) Err(fileName string) error {
	if len(p.list) == 0 {
		return nil
	}
	count := "1 problem:"
	if len(p.list) > 1 {
		count = fmt.Sprintf("%d problems:", len(p.list))
	}
	lines := []string{fileName + " has " + count}
	for _, f := range p.list {
		lines = append(lines, "  "+f.Name+": "+f.Message)
	}
	return &fault.Error{Code: fault.Invalid, Message: strings.Join(lines, "\n"), Fields: p.list}
}

// Node is a value of the file with its path. A method that reads a value of another type adds a
// problem and returns the zero value, so callers read everything and check the Problems at the end.
type Node struct {
	Path     string // "plans[0].id"; "" for the file as a whole
	value    any
	missing  bool // the problem was already reported, so reading the node adds no further one
	problems *Problems
}

// Read parses a file. Invalid JSON is a single problem, and the node is missing.
func Read(data []byte, problems *Problems) Node {
	value, err := parse(data)
	if err != nil {
		problems.Add("file", "is not JSON: %v", err)
		return Node{missing: true, problems: problems}
	}
	return Node{value: value, problems: problems}
}

// AddProblem adds a problem of this node.
func (n Node) AddProblem(format string, args ...any) {
	n.problems.Add(cmp.Or(n.Path, "file"), format, args...)
}

// IsText reports whether the value is a string.
func (n Node) IsText() bool { return hasType[string](n) }

// IsFlag reports whether the value is true or false.
func (n Node) IsFlag() bool { return hasType[bool](n) }

// IsList reports whether the value is an array.
func (n Node) IsList() bool { return hasType[[]any](n) }

// IsObject reports whether the value is an object.
func (n Node) IsObject() bool { return hasType[object](n) }

// IsNull reports whether the value is null.
func (n Node) IsNull() bool { return n.value == nil && !n.missing }

// IsMissing reports whether a required value is missing.
func (n Node) IsMissing() bool { return n.missing }

func hasType[T any](n Node) bool {
	_, ok := n.value.(T)
	return ok
}

// Text reads a non-empty string without surrounding whitespace.
func (n Node) Text() string {
	text, ok := readAs[string](n, "a string")
	if ok && (text == "" || strings.TrimSpace(text) != text) {
		n.AddProblem("must be a non-empty string without surrounding whitespace")
	}
	return text
}

// Flag reads a boolean.
func (n Node) Flag() bool {
	value, _ := readAs[bool](n, "true or false")
	return value
}

// Number reads a number and returns its text.
func (n Node) Number() (string, bool) {
	number, ok := readAs[json.Number](n, "a number")
	return number.String(), ok
}

// Integer reads an integer from low to high.
func (n Node) Integer(low, high int) int {
	text, ok := n.Number()
	if !ok {
		return 0
	}
	i, err := strconv.Atoi(text)
	if err != nil || i < low || i > high {
		n.AddProblem("must be an integer from %d to %d", low, high)
		return 0
	}
	return i
}

// Items reads an array.
func (n Node) Items() []Node {
	values, _ := readAs[[]any](n, "an array")
	items := make([]Node, len(values))
	for i, v := range values {
		items[i] = Node{Path: fmt.Sprintf("%s[%d]", n.Path, i), value: v, problems: n.problems}
	}
	return items
}

// readAs returns the value if it is a T; otherwise it adds a problem with the expected type.
func readAs[T any](n Node, expectedType string) (T, bool) {
	value, ok := n.value.(T)
	if !ok && !n.missing {
		n.AddProblem("must be %s", expectedType)
	}
	return value, ok
}

// Entry is a key of an object with its value.
type Entry struct {
	Key  string
	Node Node
}

// Entries reads an object with arbitrary keys, in the order of the file. A duplicate key is a
// problem and only its first value is returned.
func (n Node) Entries() []Entry {
	members, _ := readAs[object](n, "an object")
	entries := make([]Entry, 0, len(members))
	for _, m := range members {
		entry := Entry{m.key, Node{Path: n.childPath(m.key), value: m.value, problems: n.problems}}
		if slices.ContainsFunc(entries, func(e Entry) bool { return e.Key == m.key }) {
			entry.Node.AddProblem("duplicate key")
			continue
		}
		entries = append(entries, entry)
	}
	return entries
}

func (n Node) childPath(key string) string {
	if n.Path == "" {
		return key
	}
	return n.Path + "." + key
}

// Object is an object with a fixed set of keys.
type Object struct {
	node    Node
	entries []Entry
}

// Object reads an object that may contain the known keys only.
func (n Node) Object(known ...string) Object {
	o := Object{node: n, entries: n.Entries()}
	for _, e := range o.entries {
		if !slices.Contains(known, e.Key) {
			e.Node.AddProblem("unknown key; known are %s", strings.Join(known, ", "))
		}
	}
	return o
}

// Get returns the value of a required key.
func (o Object) Get(key string) Node {
	n, found := o.Find(key)
	if !found && o.node.IsObject() {
		n.AddProblem("is missing")
	}
	return n
}

// Find returns the value of an optional key and whether it exists.
func (o Object) Find(key string) (Node, bool) {
	for _, e := range o.entries {
		if e.Key == key {
			return e.Node, true
		}
	}
	return Node{Path: o.node.childPath(key), missing: true, problems: o.node.problems}, false
}
