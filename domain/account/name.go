package account

import (
	"regexp"
	"strings"
	"unicode"
)

// personName is the product's name pattern on a cleaned text: letters only, of any script, in
// words. A letter may carry combining marks; without them an e with an accent would be a letter
// on one keyboard and not on another. What shapes a letter is part of it.
var personName = regexp.MustCompile(`^` + word + `( ` + word + `)*$`)

const word = `\p{L}[\p{L}\p{M}` + shapers + `]*`

// judgeName holds a cleaned first or last name against the name pattern.
func judgeName(name string) verdict {
	if v := judgeText(name); v != ok {
		return v
	}
	if !personName.MatchString(name) {
		return invalid
	}
	return ok
}

// NameKey is what organisation names are compared by: two names that differ only in case, in
// blanks or in what can't be seen have one key. It is for comparing, not for showing.
func NameKey(org string) string {
	seen := shaping.ReplaceAllString(strings.ToValidUTF8(org, "\ufffd"), "")
	return strings.Map(fold, clean(seen))
}

// fold is the smallest of the characters that are the same but for their case.
func fold(r rune) rune {
	smallest := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		smallest = min(smallest, next)
	}
	return smallest
}
