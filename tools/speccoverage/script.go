package main

import "strings"

// As much of TypeScript as it takes to find calls and texts: comments, texts, regular expressions
// and brackets. It is enough for tests that a formatter has written.

// skip returns where a comment, a text or a regular expression that begins here ends, else at.
func skip(source string, at int) int {
	rest := source[at:]
	switch {
	case strings.HasPrefix(rest, "//"):
		return at + through(rest, "\n")
	case strings.HasPrefix(rest, "/*"):
		return at + through(rest, "*/")
	case rest[0] == '`':
		return template(source, at)
	case rest[0] == '\'' || rest[0] == '"':
		return quoted(source, at, rest[0])
	case rest[0] == '/' && beginsExpression(source, at):
		return quoted(source, at, '/')
	}
	return at
}

// through returns the length of the text up to the end of the mark, all of it where there is none.
func through(text, mark string) int {
	before, _, found := strings.Cut(text, mark)
	if !found {
		return len(text)
	}
	return len(before) + len(mark)
}

// quoted returns where a text of one line ends; at, when it does not: an apostrophe between tags.
func quoted(source string, at int, quote byte) int {
	class := false // within the brackets of a regular expression a slash is a character
	for i := at + 1; i < len(source) && source[i] != '\n'; i++ {
		switch c := source[i]; {
		case c == '\\':
			i++
		case quote == '/' && (c == '[' || c == ']'):
			class = c == '['
		case c == quote && !class:
			return i + 1
		}
	}
	return at
}

// template returns where a template ends; what it holds between braces may hold templates too.
func template(source string, at int) int {
	for i := at + 1; i < len(source); i++ {
		switch {
		case source[i] == '\\':
			i++
		case source[i] == '`':
			return i + 1
		case strings.HasPrefix(source[i:], "${"):
			i = closing(source, i+1) - 1
		}
	}
	return len(source)
}

// beginsExpression tells a regular expression from a division and from the end of a tag.
func beginsExpression(source string, at int) bool {
	before := strings.TrimRight(source[:at], " \t\n")
	return before != "" && strings.IndexByte("(,=:[!&|?{;>", before[len(before)-1]) >= 0 &&
		!strings.HasPrefix(source[at:], "/>")
}

// closing returns where the brackets that open here end.
func closing(source string, at int) int {
	depth := 0
	for i := at; i < len(source); {
		if next := skip(source, i); next > i {
			i = next
			continue
		}
		switch source[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
	return len(source)
}

// parentheses returns where they open and end; zeros when none open here.
func parentheses(source string, at int) (open, end int) {
	if at >= len(source) || source[at] != '(' {
		return 0, 0
	}
	return at, closing(source, at)
}

func blanks(source string, at int) int {
	return len(source) - len(strings.TrimLeft(source[at:], " \t\n"))
}

// text returns the text that begins here, as it is written but for its escapes.
func text(source string, at int) (string, bool) {
	if at >= len(source) || strings.IndexByte("'\"`", source[at]) < 0 {
		return "", false
	}
	end := skip(source, at)
	if end == at {
		return "", false
	}
	return unescape.Replace(source[at+1 : end-1]), true
}

var unescape = strings.NewReplacer(`\'`, `'`, `\"`, `"`, "\\`", "`", `\\`, `\`)

// identifier returns the word that begins here; none within a longer one.
func identifier(source string, at int) string {
	if at > 0 && isWord(source[at-1]) {
		return ""
	}
	end := at
	for end < len(source) && isWord(source[end]) {
		end++
	}
	return source[at:end]
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
