// Package password is the policy that a new password keeps. Characters are Unicode code points,
// and every script's letters and digits count: "Ж" is an upper-case letter, "٣" a number.
package password

import (
	"unicode"
	"unicode/utf8"
)

// MinLength and MaxLength bound a password's length in characters. The policy has no upper bound;
// MaxLength is what a registration accepts, so that nobody makes us hash a novel.
const (
	MinLength = 8
	MaxLength = 256
)

// Result says of each of the policy's four conditions whether a password meets it.
type Result struct {
	Size   bool // at least 8 characters
	Upper  bool // at least 1 upper-case letter (general category Lu)
	Lower  bool // at least 1 lower-case letter (Ll)
	Number bool // at least 1 decimal digit (Nd)
}

// Check holds a password against the policy. Nothing is trimmed: a space is a character.
func Check(p string) Result {
	r := Result{Size: utf8.RuneCountInString(p) >= MinLength}
	for _, c := range p {
		r.Upper = r.Upper || unicode.Is(unicode.Lu, c)
		r.Lower = r.Lower || unicode.Is(unicode.Ll, c)
		r.Number = r.Number || unicode.Is(unicode.Nd, c)
	}
	return r
}

// OK reports whether all four conditions are met.
func (r Result) OK() bool { return r.Size && r.Upper && r.Lower && r.Number }

// Problems lists the conditions that are not met, in the checklist's words and order.
func (r Result) Problems() []string {
	var problems []string
	for _, condition := range []struct {
		met  bool
		text string
	}{
		{r.Size, "at least 8 characters"},
		{r.Upper, "at least 1 upper-case letter"},
		{r.Lower, "at least 1 lower-case letter"},
		{r.Number, "at least 1 number"},
	} {
		if !condition.met {
			problems = append(problems, condition.text)
		}
	}
	return problems
}
