package account

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
)

// Words are parted by a function, and what is idle before a word is found by a pattern: both have to
// mean the same by a blank. All of them are in the basic plane.
func TestThePatternKnowsTheBlanksThatPartWords(t *testing.T) {
	const joiner = "\u200d"
	for r := range rune(0x10000) {
		if unicode.Is(unicode.Cs, r) {
			continue // half a character
		}
		parts := clean("a"+string(r)+"b") == "a b"
		idles := idle.ReplaceAllString("a"+string(r)+joiner, "$1") == "a"+string(r)
		assert.Equal(t, parts, idles, "%U", r)
	}
}
