package mail

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/fault"
)

// Check returns an Invalid fault for a letter that no Sender takes: one that is not addressed to
// exactly one plain address, that lacks a part, or whose lines would break out of a header. The
// message names the part and never quotes it.
func (m Message) Check() error {
	var fields fault.Fields
	fields.Check(oneAddress(m.To), "to", "The letter needs one plain e-mail address.")
	fields.Check(headerSafe(m.Subject), "subject", "The letter needs a subject of one line.")
	fields.Check(written(m.Text), "text", "The letter needs a plain text.")
	fields.Check(written(m.HTML), "html", "The letter needs an HTML twin.")
	return fields.Err()
}

// oneAddress refuses names, comments and lists, and anything but ASCII, which takes an extension
// that many servers lack.
func oneAddress(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && !strings.ContainsFunc(s, notPrintableASCII)
}

func headerSafe(s string) bool { return written(s) && !strings.ContainsFunc(s, unicode.IsControl) }

func written(s string) bool { return strings.TrimSpace(s) != "" && utf8.ValidString(s) }

func notPrintableASCII(r rune) bool { return r <= ' ' || r > '~' }
