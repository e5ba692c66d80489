package main

import "slices"

// separator stands between the title of a group and that of what is in it.
const separator = " > "

// titles returns the full titles of the tests in a TypeScript file that are not left out: tests in
// their groups, and steps in their tests, as they are written.
func titles(source string) []string {
	s := scanner{source: source}
	s.scan(0, len(source), "")
	return s.titles
}

type scanner struct {
	source string
	titles []string
}

var (
	calls  = []string{"describe", "it", "test"}
	groups = []string{"describe"}
	runs   = []string{"it", "test", "step"}
	unrun  = []string{"skip", "todo", "fixme", "skipIf", "runIf"}
	tables = []string{"each", "for"}
)

// scan collects the titles between two places, all of them within the group of this title.
func (s *scanner) scan(from, to int, group string) {
	for at := from; at < to; {
		if next := skip(s.source, at); next > at {
			at = next
			continue
		}
		word := identifier(s.source, at)
		if word == "" {
			at++
			continue
		}
		method := at > 0 && s.source[at-1] == '.' // as in expression.test(text)
		at += len(word)
		if !method && slices.Contains(calls, word) {
			at = s.call(word, at, group)
		}
	}
}

// call reads what follows one of the three words, and returns where to go on.
func (s *scanner) call(word string, at int, group string) int {
	chain := []string{word}
	for at < len(s.source) && s.source[at] == '.' {
		member := identifier(s.source, at+1)
		chain, at = append(chain, member), at+1+len(member)
	}
	open, end := parentheses(s.source, at)
	if slices.ContainsFunc(chain, isOneOf(tables)) && end > 0 {
		open, end = parentheses(s.source, end)
	}
	if end == 0 {
		return at
	}
	if slices.ContainsFunc(chain, isOneOf(unrun)) {
		return end
	}
	title, ok := text(s.source, blanks(s.source, open+1))
	kind := chain[len(chain)-1]
	if slices.Contains(tables, kind) {
		kind = chain[len(chain)-2]
	}
	switch {
	case ok && slices.Contains(runs, kind):
		title = join(group, title)
		s.titles = append(s.titles, title)
	case ok && slices.Contains(groups, kind):
		title = join(group, title)
	default:
		title = group
	}
	s.scan(open+1, end-1, title)
	return end
}

func isOneOf(words []string) func(string) bool {
	return func(word string) bool { return slices.Contains(words, word) }
}

func join(group, title string) string {
	if group == "" {
		return title
	}
	return group + separator + title
}
