// Package devmail implements mail.Sender for development. It stores emails in a mailbox, which is served as a page and as
// JSON. The mailbox keeps the newest 200 emails. If it has a file, it keeps them across restarts. The mailbox is not for
// production, because anyone who opens the page can follow the links in the emails.
package devmail

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

// RefusedDomain is the domain of addresses that the mailbox refuses, as a mail server refuses an unknown mailbox.
const RefusedDomain = "unreachable.example"

// Capacity is the number of emails that the mailbox keeps. It deletes older emails.
const Capacity = 200

// Email is an email in the mailbox. Its JSON is the format of the file and of JSONHandler.
type Email struct {
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	SentAt  time.Time `json:"sentAt"` // UTC
	// Unsubscribe is the link with which the recipient turns off emails of this kind.
	Unsubscribe string      `json:"unsubscribe,omitempty"`
	Attachment  *Attachment `json:"attachment,omitempty"`
}

// Attachment is a file in an email. JSONHandler omits its data.
type Attachment struct {
	Name        string `json:"name"`
	ContentType string `json:"contentType"`
	Size        int    `json:"size"`
	Data        []byte `json:"data,omitempty"`
}

// Mailbox is a mail.Sender that stores every email. It is safe for concurrent use.
type Mailbox struct {
	clock clock.Clock

	mu     sync.Mutex
	emails []Email // oldest first
	file   *file   // nil if emails are kept in memory only
}

// New opens a mailbox that is stored in the file at path. It creates the file if necessary, but not its directory. If
// path is empty, emails are kept in memory only.
func New(c clock.Clock, path string) (*Mailbox, error) {
	m := &Mailbox{clock: c}
	if path == "" {
		return m, nil
	}
	m.file = &file{path: path}
	emails, err := m.file.load()
	if err != nil {
		return nil, err
	}
	m.emails = newestEmails(emails)
	return m, nil
}

// Send stores the email in the mailbox. If the file cannot be written, the error is Unavailable and the
// email is not stored.
func (m *Mailbox) Send(ctx context.Context, message mail.Message) error {
	if err := message.Check(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The email was not sent.")
	}
	if strings.HasSuffix(message.To, "@"+RefusedDomain) {
		return fault.Wrap(mail.ErrUnknownMailbox, fault.Invalid, "The mailbox refused the email permanently.")
	}
	e := Email{
		To: message.To, Subject: message.Subject, Text: message.Text, HTML: message.HTML,
		SentAt: m.clock.Now().UTC(), Unsubscribe: message.Unsubscribe,
	}
	if a := message.Attachment; a != nil {
		e.Attachment = &Attachment{Name: a.Name, ContentType: a.ContentType, Size: len(a.Data), Data: a.Data}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.add(e)
}

func (m *Mailbox) add(e Email) error {
	emails := newestEmails(append(slices.Clip(m.emails), e))
	if m.file != nil {
		if err := m.file.add(e, emails); err != nil {
			return fault.Wrap(err, fault.Unavailable, "The mailbox file can't be written.")
		}
	}
	m.emails = emails
	return nil
}

// Emails returns the emails, newest first.
func (m *Mailbox) Emails() []Email {
	m.mu.Lock()
	defer m.mu.Unlock()
	emails := slices.Clone(m.emails)
	slices.Reverse(emails)
	return emails
}

// newestEmails returns the last Capacity emails.
func newestEmails(emails []Email) []Email { return emails[max(0, len(emails)-Capacity):] }
