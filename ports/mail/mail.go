// Package mail is the port for sending emails. Package mailtest contains its conformance suite.
package mail

import (
	"context"
	"errors"
	"mime"
	"net/mail"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/fault"
)

// Message is an email with the same content as plain text and as HTML.
type Message struct {
	// ID identifies the email in the outbox. It is the same in each attempt to send the email, and differs from the IDs
	// of all other emails. It consists of letters, digits and "-". Emails without an ID that have the same content count as
	// one email.
	ID      string
	To      string
	Subject string
	Text    string
	HTML    string
	// Unsubscribe is the URL at which the recipient turns off emails of this kind with one click (RFC 8058). A POST
	// request turns them off; a GET request shows a page and changes nothing. It is "" for emails that can't be turned
	// off.
	Unsubscribe string
	// Attachment is nil for an email without a file.
	Attachment *Attachment
}

// Attachment is a file in an email.
type Attachment struct {
	Name        string // of letters, digits, "-", "_" and "."
	ContentType string // such as "application/pdf"
	Data        []byte
}

// NewAttachment returns an attachment. It removes the characters of the name that Attachment.Name does not allow.
func NewAttachment(name, contentType string, data []byte) *Attachment {
	safeName := strings.Map(func(r rune) rune {
		if isNotFileNameCharacter(r) {
			return -1
		}
		return r
	}, name)
	return &Attachment{Name: safeName, ContentType: contentType, Data: data}
}

// The errors that Sender.Send wraps if it is not enough to send the email again later. None of them contains an address.
var (
	// ErrUnknownMailbox means that the mail server has named the recipient's mailbox as unknown or disabled. The address
	// is at fault, so the email can't be delivered.
	ErrUnknownMailbox = errors.New("the mailbox does not exist")
	// ErrRecipientRefused means that the mail server has refused the recipient permanently without such a reason. Either
	// the address or the mail server is at fault. An error that wraps it also wraps ErrPermanent.
	ErrRecipientRefused = errors.New("the mail server refused the recipient permanently")
	// ErrPermanent means that the mail server has refused the session, the sender, the recipient or the content
	// permanently, or that its certificate is not valid. An operator has to repair the mail server or the settings.
	ErrPermanent = errors.New("the mail server can't be used as it is configured")
)

// answerError is an error of a mail server with the codes of its answer.
type answerError struct {
	error
	answer string
}

func (e answerError) Unwrap() error { return e.error }

// WithAnswer returns err with the codes of the mail server's answer, such as "550 5.1.1".
func WithAnswer(err error, answer string) error { return answerError{err, strings.TrimSpace(answer)} }

// AnswerOf returns the codes of the mail server's answer in the error of Sender.Send, or "" if there are none.
func AnswerOf(err error) string {
	e, _ := errors.AsType[answerError](err)
	return e.answer
}

// Sender delivers emails.
type Sender interface {
	// Send passes the email to a mail server. It returns nil when the server has accepted responsibility for the
	// email. The error is Invalid if the message fails Check and was not sent, or if it wraps ErrUnknownMailbox. Every
	// other error is Unavailable, also if ctx ended: the caller sends the email again later.
	Send(ctx context.Context, m Message) error
}

// Check returns an Invalid fault unless the message has exactly one plain address, a subject of one line, a text and an
// HTML body, and its attachment, if any, is complete. The error names the invalid parts and never quotes them.
func (m Message) Check() error {
	var fields fault.Fields
	fields.Check(!strings.ContainsFunc(m.ID, isNotIDCharacter), "id", "The id may contain letters, digits and \"-\".")
	fields.Check(isAddress(m.To), "to", "The email needs one plain address.")
	fields.Check(isHeaderSafe(m.Subject), "subject", "The email needs a subject of one line.")
	fields.Check(hasContent(m.Text), "text", "The email needs a plain text body.")
	fields.Check(hasContent(m.HTML), "html", "The email needs an HTML body.")
	fields.Check(m.Unsubscribe == "" || isLink(m.Unsubscribe), "unsubscribe",
		"The link for unsubscribing needs to be an http or https URL.")
	fields.Check(m.Attachment == nil || m.Attachment.isValid(), "attachment", "The attachment needs a name, a type and content.")
	return fields.Err()
}

func (a Attachment) isValid() bool {
	mediaType, _, err := mime.ParseMediaType(a.ContentType)
	return a.Name != "" && !strings.ContainsFunc(a.Name, isNotFileNameCharacter) && err == nil && mediaType == a.ContentType &&
		strings.Contains(mediaType, "/") && len(a.Data) > 0
}

// isNotFileNameCharacter reports whether the name of an attachment must not contain r.
func isNotFileNameCharacter(r rune) bool { return r != '.' && r != '_' && isNotIDCharacter(r) }

// isAddress reports whether s is one address without a display name or comment. It rejects non-ASCII addresses,
// because they need an SMTP extension that many servers lack.
func isAddress(s string) bool {
	address, err := mail.ParseAddress(s)
	return err == nil && address.Address == s && !strings.ContainsFunc(s, isUnprintable)
}

// isNotIDCharacter reports whether an ID must not contain r.
func isNotIDCharacter(r rune) bool {
	return r != '-' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
}

// isLink reports whether s is an http or https URL without characters that would end it in a header.
func isLink(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" &&
		!strings.ContainsAny(s, "<>,") && !strings.ContainsFunc(s, isUnprintable)
}

func isHeaderSafe(s string) bool { return hasContent(s) && !strings.ContainsFunc(s, unicode.IsControl) }

func hasContent(s string) bool { return strings.TrimSpace(s) != "" && utf8.ValidString(s) }

// isUnprintable reports whether r is a space or not a printable ASCII character.
func isUnprintable(r rune) bool { return r <= ' ' || r > '~' }
