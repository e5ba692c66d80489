package account

import "strings"

// lower and upper change A to Z only. The full mappings would turn the Kelvin sign into a k and
// the dotless i into an I, and so one address into another.

func lower(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, text)
}

func upper(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r + 'A' - 'a'
		}
		return r
	}, text)
}
