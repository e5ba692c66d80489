package strictjson

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Node is one value of the file and where it stands. Reading it as something that it is not
// notes a problem and returns the zero value, so that a reader needs no error handling: it
// reads everything and asks the Problems at the end.
type Node struct {
	Path     string // "plans[0].id"; "" for the file as a whole
	value    any
	absent   bool // was missing, which has been noted: reading it notes nothing more
	problems *Problems
}

// Read parses a file. A text that is not JSON at all is one problem, and its node is absent.
func Read(data []byte, problems *Problems) Node {
	value, err := parse(data)
	if err != nil {
		problems.Add("file", "is not JSON: %v", err)
		return Node{absent: true, problems: problems}
	}
	return Node{value: value, problems: problems}
}

// Problem notes what is wrong with the node.
func (n Node) Problem(format string, args ...any) {
	n.problems.Add(cmp.Or(n.Path, "file"), format, args...)
}

// at is the path of a key of the node.
func (n Node) at(key string) string {
	if n.Path == "" {
		return key
	}
	return n.Path + "." + key
}

// Text reads a text that is not blank and has no blank ends.
func (n Node) Text() string {
	text, ok := as[string](n, "a text")
	if ok && (text == "" || strings.TrimSpace(text) != text) {
		n.Problem("must be a text without blank ends")
	}
	return text
}

// Flag reads true or false.
func (n Node) Flag() bool {
	on, _ := as[bool](n, "true or false")
	return on
}

// Number reads a number as it is written.
func (n Node) Number() (string, bool) {
	number, ok := as[json.Number](n, "a number")
	return number.String(), ok
}

// Whole reads a whole number within the bounds, which belong to it.
func (n Node) Whole(low, high int) int {
	text, ok := n.Number()
	if !ok {
		return 0
	}
	whole, err := strconv.Atoi(text)
	if err != nil || whole < low || whole > high {
		n.Problem("must be a whole number from %d to %d", low, high)
		return 0
	}
	return whole
}

// Items reads an array.
func (n Node) Items() []Node {
	values, _ := as[[]any](n, "a list")
	items := make([]Node, len(values))
	for i, v := range values {
		items[i] = Node{Path: fmt.Sprintf("%s[%d]", n.Path, i), value: v, problems: n.problems}
	}
	return items
}

func as[T any](n Node, what string) (T, bool) {
	value, ok := n.value.(T)
	if !ok && !n.absent {
		n.Problem("must be %s", what)
	}
	return value, ok
}
