package account

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// invisibleCharacters contains the characters that are removed because they draw nothing, or only reorder or split
// the text around them: control characters other than whitespace, the soft hyphen, directional
// marks, embeddings, overrides and isolates, zero-width spaces and signs, the blank Braille pattern,
// the Hangul fillers, the byte order mark, annotation and music frames, and tags.
var invisibleCharacters = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x00, 0x08, 1}, {0x0e, 0x1f, 1}, {0x7f, 0x84, 1}, {0x86, 0x9f, 1}, {0xad, 0xad, 1}, {0x61c, 0x61c, 1},
		{0x115f, 0x1160, 1}, {0x200b, 0x200b, 1}, {0x200e, 0x200f, 1}, {0x202a, 0x202e, 1}, {0x2060, 0x206f, 1},
		{0x2800, 0x2800, 1}, {0x3164, 0x3164, 1}, {0xfeff, 0xfeff, 1}, {0xffa0, 0xffa0, 1}, {0xfff0, 0xfffb, 1},
	},
	R32: []unicode.Range32{
		{0x1bca0, 0x1bca3, 1}, {0x1d173, 0x1d17a, 1}, {0xe0000, 0xe00ff, 1}, {0xe01f0, 0xe0fff, 1},
	},
	LatinOffset: 5,
}

// shapingCharacters contains the characters that draw nothing but select the shape of the character before them: joiners, which
// the spelling of Persian, Malayalam and Sinhala needs, and variation selectors. They belong to a word. At the beginning
// of a word they have no effect.
var shapingCharacters = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x34f, 0x34f, 1}, {0x17b4, 0x17b5, 1}, {0x180b, 0x180f, 1}, {0x200c, 0x200d, 1}, {0xfe00, 0xfe0f, 1},
	},
	R32: []unicode.Range32{{0xe0100, 0xe01ef, 1}},
}

// isBlank reports whether a character is whitespace: tab, line feed, vertical tab, form feed, carriage
// return, a space separator (Zs), or the line or paragraph separator. unicode.IsSpace and JavaScript's
// \s differ from each other in U+0085 and U+FEFF; neither is used.
func isBlank(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', '\u2028', '\u2029':
		return true
	}
	return unicode.Is(unicode.Zs, r)
}

// separatesWords reports whether a character is whitespace or U+0085, which breaks lines.
func separatesWords(r rune) bool { return isBlank(r) || r == '\u0085' }

// trim removes whitespace (see isBlank) from both ends.
func trim(text string) string { return strings.TrimFunc(text, isBlank) }

// removeInvisible removes the characters that can't be seen: the invisible ones, and shaping characters at the beginning of
// a word. It returns text that is not valid UTF-8 unchanged, so that the caller can refuse it: if it removed characters,
// the remaining bytes could combine into new characters.
func removeInvisible(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	inWord := false
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(invisibleCharacters, r), !inWord && unicode.Is(shapingCharacters, r):
			return -1
		}
		inWord = !separatesWords(r)
		return r
	}, text)
}

// listSeparators contains the characters that are removed from the end of a text that was copied from a list or an address.
const listSeparators = ",;，；、،؛"

// clean returns the visible text on one line: trimmed, with one space for every run of whitespace, without list
// separators at its end and without quotation marks around it.
func clean(text string) string {
	return repeatUntilStable(text, func(text string) string {
		line := strings.Join(strings.FieldsFunc(removeInvisible(text), separatesWords), " ")
		return unquote(strings.TrimRight(line, " "+listSeparators))
	})
}

// repeatUntilStable applies a normalisation until it changes nothing, because a step can uncover what an earlier one
// removes, such as blanks inside quotation marks.
func repeatUntilStable(text string, normalise func(string) string) string {
	for {
		next := normalise(text)
		if next == text {
			return text
		}
		text = next
	}
}

// quotationMarks contains the marks that unquote removes, also those for another end or another language.
const quotationMarks = "\"'`´“”„‟‘’‚‛«»‹›「」『』〝〞〟＂＇"

// unquote removes a quotation mark from both ends of a text, unless the text between them contains one of the two marks:
// then they may belong to different words.
func unquote(text string) string { return removePair(text, quotationMarks, quotationMarks) }

// removePair removes the first and the last character of a text if the first is one of opening and the last one of
// closing. It changes nothing if one of the two is also between them.
func removePair(text, opening, closing string) string {
	first, firstSize := utf8.DecodeRuneInString(text)
	last, lastSize := utf8.DecodeLastRuneInString(text)
	if len(text) < firstSize+lastSize || !strings.ContainsRune(opening, first) || !strings.ContainsRune(closing, last) {
		return text
	}
	inner := text[firstSize : len(text)-lastSize]
	if strings.ContainsRune(inner, first) || strings.ContainsRune(inner, last) {
		return text
	}
	return inner
}

// NameKey returns the form in which organisation names are compared. It is equal for two names that
// differ only in case, whitespace or characters that can't be seen. It is not for display.
func NameKey(org string) string {
	return strings.Map(foldCase, clean(removeShapingCharacters(strings.ToValidUTF8(org, "\ufffd"))))
}

// foldCase returns the smallest of the characters that differ from r only in case.
func foldCase(r rune) rune {
	smallest := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		smallest = min(smallest, next)
	}
	return smallest
}

// asciiLower changes A to Z only. The mapping of Unicode would change the Kelvin sign into a k, and thus change the
// email address into another one.
func asciiLower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

// asciiUpper changes a to z only. The mapping of Unicode would change the dotless i into an I.
func asciiUpper(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r + 'A' - 'a'
		}
		return r
	}, text)
}
