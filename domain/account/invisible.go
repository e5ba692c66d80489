package account

import (
	"regexp"
	"unicode/utf8"
)

// unseen lists the characters that are removed because they draw nothing, or only reorder or split
// the text around them: control characters other than whitespace, the soft hyphen, directional
// marks, embeddings, overrides and isolates, zero-width spaces and signs, the blank Braille pattern,
// the Hangul fillers, the byte order mark, annotation and music frames, and tags.
const unseen = `\x00-\x08\x0e-\x1f\x7f-\x{84}\x{86}-\x{9f}\x{ad}\x{61c}\x{115f}\x{1160}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}` +
	`\x{2060}-\x{206f}\x{2800}\x{3164}\x{feff}\x{ffa0}\x{fff0}-\x{fffb}\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}\x{e0000}-\x{e00ff}\x{e01f0}-\x{e0fff}`

// shapers are not seen either, but they choose the shape of the character before them: the
// joiners that Persian, Malayalam and Sinhala are spelled with, and selectors of variants. They
// belong to a word, and before one they do nothing.
const shapers = `\x{34f}\x{17b4}\x{17b5}\x{180b}-\x{180f}\x{200c}\x{200d}\x{fe00}-\x{fe0f}\x{e0100}-\x{e01ef}`

var (
	invisible = regexp.MustCompile(`[` + unseen + `]+`)
	shaping   = regexp.MustCompile(`[` + shapers + `]+`)
	idle      = regexp.MustCompile(`(^|[\t-\r\x{85}\p{Zs}\x{2028}\x{2029}])[` + shapers + `]+`)
)

// visible is the text without what was pasted along with it and can't be seen. Broken text stays
// as it is, for the rules to refuse: the rest of it could run together into new characters.
func visible(text string) string {
	if !utf8.ValidString(text) {
		return text
	}
	return idle.ReplaceAllString(invisible.ReplaceAllString(text, ""), "$1")
}
