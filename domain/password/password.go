// Package password implements the password policy. Characters are Unicode code points, and letters
// and digits of every script count: "Ж" is an upper-case letter, "٣" is a number.
package password

import (
	"unicode"
	"unicode/utf8"
)

// MinLength and MaxLength are the length limits in characters. Only MinLength is part of the policy;
// registrations enforce MaxLength to bound the cost of hashing.
const (
	MinLength = 8
	MaxLength = 256
)

// Result reports for each of the policy's four conditions whether a password meets it.
type Result struct {
	Size   bool // at least 8 characters
	Upper  bool // at least 1 upper-case letter (general category Lu)
	Lower  bool // at least 1 lower-case letter (Ll)
	Number bool // at least 1 decimal digit (Nd)
}

// Check compares a password with the policy. It does not trim: a space is a character.
func Check(p string) Result {
	r := Result{Size: utf8.RuneCountInString(p) >= MinLength}
	for _, c := range p {
		r.Upper = r.Upper || unicode.Is(unicode.Lu, c)
		r.Lower = r.Lower || unicode.Is(unicode.Ll, c)
		r.Number = r.Number || unicode.Is(unicode.Nd, c)
	}
	return r
}

// Problems returns the unmet conditions in the wording and order of the checklist.
func (r Result) Problems() []string {
	var problems []string
	for _, condition := range []struct {
		isMet bool
		text  string
	}{
		{r.Size, "at least 8 characters"},
		{r.Upper, "at least 1 upper-case letter"},
		{r.Lower, "at least 1 lower-case letter"},
		{r.Number, "at least 1 number"},
	} {
		if !condition.isMet {
			problems = append(problems, condition.text)
		}
	}
	return problems
}
