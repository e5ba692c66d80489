package account

import (
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/country"
)

// verdict is the result of checking one field.
type verdict string

const (
	valid   verdict = "ok"
	missing verdict = "missing"
	tooLong verdict = "too long"
	invalid verdict = "invalid"
)

const (
	maxText      = 200 // characters (Unicode code points) of a name or of a line of an address
	maxEmail     = 254 // the longest email address that mail servers accept
	maxLocalPart = 64  // the longest part before its @
)

var (
	// emailPattern is the specification's pattern, in ASCII only: words joined by dots, an @, a domain of
	// labels, and a top-level domain of at least two letters or their ASCII form, such as xn--p1ai for рф. Group 1 is
	// the local part.
	emailPattern = regexp.MustCompile("^([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*)" +
		`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$`)

	// phonePattern is the specification's pattern: an optional plus, then 6 to 20 digits, spaces, dots and
	// hyphens.
	phonePattern = regexp.MustCompile(`^\+?[0-9 .-]{6,20}$`)
)

// ValidEmail reports whether the text is an email address, after EmailKey.
func ValidEmail(email string) bool { return checkEmail(EmailKey(email)) == valid }

// checkText returns the verdict on a cleaned line of free text.
func checkText(text string) verdict {
	switch {
	case text == "":
		return missing
	case utf8.RuneCountInString(text) > maxText:
		return tooLong
	case !utf8.ValidString(text):
		return invalid
	}
	return valid
}

// checkName returns the verdict on a cleaned first or last name: words of letters of any script, which may carry
// combining marks and shaping characters.
func checkName(name string) verdict {
	if v := checkText(name); v != valid {
		return v
	}
	inWord := false
	for _, r := range name {
		switch {
		case unicode.IsLetter(r):
			inWord = true
		case inWord && r == ' ':
			inWord = false
		case inWord && (unicode.IsMark(r) || unicode.Is(shapingCharacters, r)):
		default:
			return invalid
		}
	}
	if !inWord {
		return invalid
	}
	return valid
}

// checkEmail returns the verdict on an email address that EmailKey has returned.
func checkEmail(email string) verdict {
	if email == "" {
		return missing
	}
	if len(email) > maxEmail {
		return invalid
	}
	if parts := emailPattern.FindStringSubmatch(email); parts == nil || len(parts[1]) > maxLocalPart {
		return invalid
	}
	return valid
}

// checkPhone returns the verdict on a phone number that cleanPhone has returned.
func checkPhone(phone string) verdict {
	switch {
	case phone == "":
		return missing
	case !phonePattern.MatchString(phone):
		return invalid
	}
	return valid
}

// checkCountry returns the verdict on a country code in upper case.
func checkCountry(code string) verdict {
	switch {
	case code == "":
		return missing
	case !country.IsKnown(code):
		return invalid
	}
	return valid
}

// checkPostalCode is like checkText, but reports a code as invalid, not as missing, if cleanPostalCode leaves nothing of
// it.
func checkPostalCode(code string) verdict {
	if code != "" && cleanPostalCode(code) == "" {
		return invalid
	}
	return checkText(code)
}
