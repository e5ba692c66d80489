package devmail

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/mail"
)

// Capacity is how many letters the mailbox keeps, the newest ones.
const Capacity = 200

// Letter is one letter in the mailbox, as MailboxJSON shows it and as the file holds it.
type Letter struct {
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	SentAt  time.Time `json:"sentAt"` // UTC
}

// Mailbox takes every letter that is sent. It is a mail.Sender and safe for use by many at once.
type Mailbox struct {
	clock clock.Clock

	mu      sync.Mutex
	letters []Letter // oldest first
	file    *file    // nil keeps nothing over a restart
}

// New opens a mailbox. With a path the letters are kept in that file, one JSON object a line,
// which is made when there is none; the folder must exist. With "" they live in memory only.
func New(c clock.Clock, path string) (*Mailbox, error) {
	m := &Mailbox{clock: c}
	if path == "" {
		return m, nil
	}
	m.file = &file{path: path}
	letters, err := m.file.load()
	if err != nil {
		return nil, err
	}
	m.letters = newest(letters)
	return m, nil
}

// Send puts the letter into the mailbox. Unavailable when the file can't be written; the letter is
// in the mailbox then neither.
func (m *Mailbox) Send(ctx context.Context, message mail.Message) error {
	if err := message.Check(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fault.Wrap(err, fault.Unavailable, "The letter was not sent.")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.keep(Letter{
		To: message.To, Subject: message.Subject, Text: message.Text, HTML: message.HTML,
		SentAt: m.clock.Now().UTC(),
	})
}

func (m *Mailbox) keep(l Letter) error {
	letters := newest(append(slices.Clip(m.letters), l))
	if m.file != nil {
		if err := m.file.add(l, letters); err != nil {
			return fault.Wrap(err, fault.Unavailable, "The mailbox file can't be written.")
		}
	}
	m.letters = letters
	return nil
}

// Letters returns the letters, newest first.
func (m *Mailbox) Letters() []Letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	letters := slices.Clone(m.letters)
	slices.Reverse(letters)
	return letters
}

func newest(letters []Letter) []Letter { return letters[max(0, len(letters)-Capacity):] }
