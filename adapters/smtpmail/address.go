package smtpmail

import (
	"errors"
	netmail "net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// parseAddress parses an address with or without a display name. It converts an internationalised domain to its ASCII
// form, and refuses other characters in the local part: they need an SMTP extension that many servers lack (RFC 6531).
func parseAddress(text string) (*netmail.Address, error) {
	address, err := netmail.ParseAddress(text)
	if err != nil {
		return nil, err
	}
	at := strings.LastIndexByte(address.Address, '@')
	local, domain := address.Address[:at], address.Address[at+1:]
	if strings.ContainsFunc(local, isNotASCII) {
		return nil, errors.New("the part before the @ is not ASCII")
	}
	if strings.ContainsFunc(domain, isNotASCII) {
		if domain, err = idna.Lookup.ToASCII(domain); err != nil {
			return nil, err
		}
	}
	address.Address = local + "@" + domain
	return address, nil
}

func isNotASCII(r rune) bool { return r > unicode.MaxASCII }
