package devmail

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/mail/mailtest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 123456000, time.UTC)

// fixedClock always returns the same time.
type fixedClock struct{ time.Time }

func (c fixedClock) Now() time.Time { return c.Time }

func openMailbox(t *testing.T, path string) *Mailbox {
	t.Helper()
	m, err := New(fixedClock{noon}, path)
	require.NoError(t, err)
	return m
}

// sendEmails sends an email for each number.
func sendEmails(t *testing.T, m *Mailbox, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		require.NoError(t, m.Send(t.Context(), newMessage(n)))
	}
}

func newMessage(n int) mail.Message {
	return mail.Message{
		To: "ann@example.com", Subject: fmt.Sprintf("Email %d", n),
		Text: "Open https://x.example/?a=1&b=2.\n", HTML: "<p>Open <b>it</b></p>",
	}
}

func subjects(m *Mailbox) []string {
	var subjects []string
	for _, e := range m.Emails() {
		subjects = append(subjects, e.Subject)
	}
	return subjects
}

func TestMailbox_Conformance(t *testing.T) {
	for name, path := range map[string]func(*testing.T) string{
		"memory": func(*testing.T) string { return "" },
		"file":   func(t *testing.T) string { return filepath.Join(t.TempDir(), "mail.jsonl") },
	} {
		t.Run(name, func(t *testing.T) {
			mailtest.Run(t, func(t *testing.T) mailtest.Harness {
				m := openMailbox(t, path(t))
				return mailtest.Harness{
					Sender: m, Delivered: func() []mail.Message { return deliveredEmails(m) }, RefusedAddress: "ann@" + RefusedDomain,
				}
			})
		})
	}
}

// deliveredEmails returns the messages in the mailbox, oldest first.
func deliveredEmails(m *Mailbox) []mail.Message {
	var emails []mail.Message
	for _, e := range slices.Backward(m.Emails()) {
		m := mail.Message{To: e.To, Subject: e.Subject, Text: e.Text, HTML: e.HTML, Unsubscribe: e.Unsubscribe}
		if a := e.Attachment; a != nil {
			m.Attachment = mail.NewAttachment(a.Name, a.ContentType, a.Data)
		}
		emails = append(emails, m)
	}
	return emails
}

func TestEmails_ReturnsNewestFirst(t *testing.T) {
	m := openMailbox(t, "")
	sendEmails(t, m, 1, 2)
	assert.Equal(t, []string{"Email 2", "Email 1"}, subjects(m))
	assert.Equal(t, noon, m.Emails()[0].SentAt)
}

func TestSend_DeletesTheOldestEmails(t *testing.T) {
	m := openMailbox(t, "")
	for n := range Capacity + 3 {
		sendEmails(t, m, n)
	}
	keptSubjects := subjects(m)
	require.Len(t, keptSubjects, Capacity)
	assert.Equal(t, fmt.Sprintf("Email %d", Capacity+2), keptSubjects[0])
	assert.Equal(t, "Email 3", keptSubjects[Capacity-1])
}

func TestEmails_ReturnsACopy(t *testing.T) {
	m := openMailbox(t, "")
	sendEmails(t, m, 1)
	m.Emails()[0].Subject = "changed"
	assert.Equal(t, []string{"Email 1"}, subjects(m))
}
