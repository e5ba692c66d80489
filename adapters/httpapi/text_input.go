package httpapi

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/vc-admin/diy/domain/account"
)

// emailAddress is an email address in a request, normalised by normaliseEmail.
type emailAddress string

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *emailAddress) UnmarshalText(text []byte) error {
	*e = emailAddress(normaliseEmail(string(text)))
	return nil
}

// maxDomainSize limits the time of the conversion to ASCII, which grows with the square of the length. It is the size of
// the largest domain name, 253 characters, in UTF-8.
const maxDomainSize = 253 * utf8.UTFMax

// normaliseEmail returns account.EmailKey of an address, with the ASCII form of an internationalised domain, so that
// both spellings of a domain belong to one account. The rules refuse the domains that it leaves unchanged: those without
// an ASCII form, those whose top-level domain is a single letter, and those that are too long. The web app converts
// domains in the same way (UTS #46, without transitional mappings).
func normaliseEmail(input string) string {
	key := account.EmailKey(input)
	at, dot := strings.LastIndexByte(key, '@'), strings.LastIndexByte(key, '.')
	if len(key)-at > maxDomainSize {
		return key
	}
	ascii, err := asciiDomains.ToASCII(key[at+1:])
	if at < 0 || err != nil || utf8.RuneCountInString(key[dot+1:]) < 2 {
		return key
	}
	return account.EmailKey(key[:at+1] + ascii)
}

var asciiDomains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true), idna.Transitional(false))

// linkToken is the token of a link in an email, without the characters that no token contains. A copied link can end
// with punctuation, or contain line breaks and invisible characters.
type linkToken string

// UnmarshalText implements encoding.TextUnmarshaler.
func (t *linkToken) UnmarshalText(text []byte) error {
	*t = linkToken(cleanToken(string(text)))
	return nil
}

func cleanToken(token string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("._-", r):
			return r
		}
		return -1
	}, token), ".")
}
