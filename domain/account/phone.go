package account

import "regexp"

// phoneNumber is the product's phone pattern: a plus or not, then 6 to 20 of digits, spaces, dots
// and hyphens.
var phoneNumber = regexp.MustCompile(`^\+?[0-9 .-]{6,20}$`)

// judgePhone holds a visible, trimmed phone number against the pattern.
func judgePhone(phone string) verdict {
	switch {
	case phone == "":
		return missing
	case !phoneNumber.MatchString(phone):
		return invalid
	}
	return ok
}
