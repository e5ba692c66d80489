package account

import (
	"strings"
	"unicode"
)

// space reports whether a character counts as whitespace: tab, line feed, vertical tab, form
// feed, carriage return, the space separators (Zs), and the line and paragraph separators. Go and
// JavaScript each have an idea of their own (U+0085 here, U+FEFF there), so neither is used.
func space(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', '\u2028', '\u2029':
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

// trim takes whitespace off both ends.
func trim(text string) string { return strings.TrimFunc(text, space) }

// clean leaves what can be seen of a text, without outer whitespace, and one plain space for every
// run of whitespace inside, so that it fits on a line. U+0085, "next line", breaks lines too.
func clean(text string) string {
	words := strings.FieldsFunc(visible(text), func(r rune) bool { return space(r) || r == '\u0085' })
	return strings.Join(words, " ")
}
