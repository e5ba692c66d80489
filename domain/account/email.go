package account

import "regexp"

// The longest e-mail address and the longest part before its @ that mail servers accept.
const (
	maxEmail = 254
	maxLocal = 64
)

// emailAddress is the product's e-mail pattern, in ASCII only: words joined by dots, an @, a
// domain of labels, and a top-level domain of two letters at least. Group 1 is the local part.
var emailAddress = regexp.MustCompile("^([A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*)" +
	`@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$`)

// judgeEmail holds a trimmed e-mail address against the pattern.
func judgeEmail(email string) verdict {
	if email == "" {
		return missing
	}
	if len(email) > maxEmail {
		return invalid
	}
	if parts := emailAddress.FindStringSubmatch(email); parts == nil || len(parts[1]) > maxLocal {
		return invalid
	}
	return ok
}

// EmailKey is what e-mail addresses are compared by, and how they are stored: in lower case,
// without outer blanks.
func EmailKey(email string) string { return lower(trim(email)) }

// ValidEmail reports whether the text is an e-mail address, whatever its case and outer blanks.
func ValidEmail(email string) bool { return judgeEmail(trim(email)) == ok }
