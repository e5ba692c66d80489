// Package mailtest is the conformance suite for implementations of ports/mail.
package mailtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

// Harness connects the suite to an adapter under test.
type Harness struct {
	Sender mail.Sender
	// Delivered returns the emails delivered so far, oldest first, decoded and with "\n" as line
	// ending. Newlines at the end of a text are ignored, and so is the ID.
	Delivered func() []mail.Message
	// RefusedAddress is an address whose mailbox the mail server does not know.
	RefusedAddress string
}

// Run runs the conformance suite. open returns a new adapter and registers its cleanup with t.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	tests := map[string]func(*testing.T, Harness){
		"content arrives unchanged":                                testContent,
		"attachment arrives unchanged":                             testAttachment,
		"emails arrive in the order in which they are sent":        testOrder,
		"unsubscribe URL arrives only with its email":              testUnsubscribe,
		"concurrent sends deliver each email once":                 testConcurrentSends,
		"invalid messages are refused and not sent":                testInvalidMessages,
		"a canceled context returns Unavailable and sends nothing": testCanceledContext,
		"a refused address returns ErrUnknownMailbox":              testUnknownMailbox,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func newMessage(n int) mail.Message {
	return mail.Message{
		To: fmt.Sprintf("user%d@example.com", n), Subject: fmt.Sprintf("Message %d", n),
		Text: fmt.Sprintf("Message number %d.\n", n), HTML: fmt.Sprintf("<p>Message number %d.</p>\n", n),
	}
}

// testContent sends texts that the adapter must encode to deliver them unchanged.
func testContent(t *testing.T, h Harness) {
	bodies := map[string]string{
		"plain":             "Hello Ann,\n\nthis is it.\n",
		"non-ASCII":         "Grüße, 中村さん, Здравствуйте 👋🏽\n",
		"leading dots":      "one\n.\n..two\n.three\n",
		"long line":         "https://example.com/?token=" + strings.Repeat("a1", 2000) + "\n",
		"equals and spaces": "a=b =3D = \nFrom here on\n\ttab\n",
		"html in the text":  "<b>not bold</b> & \"quoted\"\n",
	}
	for name, body := range bodies {
		m := mail.Message{To: "ann@example.com", Subject: "Grüße: " + name, Text: body, HTML: "<p>\n" + body + "</p>\n"}
		require.NoError(t, h.Sender.Send(t.Context(), m), name)
		emails := h.Delivered()
		require.NotEmpty(t, emails, name)
		assert.Equal(t, trimNewlines(m), trimNewlines(emails[len(emails)-1]), name)
	}
	assert.Len(t, h.Delivered(), len(bodies))
}

// testAttachment sends a file with all bytes, beside the text and the HTML body, and an email without it.
func testAttachment(t *testing.T, h Harness) {
	data := make([]byte, 1000)
	for i := range data {
		data[i] = byte(i)
	}
	m := newMessage(1)
	m.Attachment = mail.NewAttachment("INV-000042.pdf", "application/pdf", data)
	require.NoError(t, h.Sender.Send(t.Context(), m))
	require.NoError(t, h.Sender.Send(t.Context(), newMessage(2)))

	emails := h.Delivered()
	require.Len(t, emails, 2)
	assert.Equal(t, trimNewlines(m), trimNewlines(emails[0]))
	assert.Nil(t, emails[1].Attachment)
}

func testUnsubscribe(t *testing.T, h Harness) {
	m := newMessage(1)
	m.Unsubscribe = "https://vision.example/vc-admin/auth/emails?token=" + strings.Repeat("a1._-", 40)
	require.NoError(t, h.Sender.Send(t.Context(), m))
	require.NoError(t, h.Sender.Send(t.Context(), newMessage(2)))

	emails := h.Delivered()
	require.Len(t, emails, 2)
	assert.Equal(t, m.Unsubscribe, emails[0].Unsubscribe)
	assert.Empty(t, emails[1].Unsubscribe)
}

// trimNewlines returns the message as the suite compares it.
func trimNewlines(m mail.Message) mail.Message {
	m.ID = ""
	m.Text, m.HTML = strings.TrimRight(m.Text, "\n"), strings.TrimRight(m.HTML, "\n")
	return m
}

func testOrder(t *testing.T, h Harness) {
	for n := range 5 {
		require.NoError(t, h.Sender.Send(t.Context(), newMessage(n)))
	}
	emails := h.Delivered()
	require.Len(t, emails, 5)
	for n, m := range emails {
		assert.Equal(t, newMessage(n).Subject, m.Subject)
	}
}

func testConcurrentSends(t *testing.T, h Harness) {
	const count = 20
	var wg sync.WaitGroup
	for n := range count {
		wg.Go(func() { assert.NoError(t, h.Sender.Send(context.Background(), newMessage(n))) })
	}
	wg.Wait()

	countByMessage := map[mail.Message]int{}
	for _, m := range h.Delivered() {
		countByMessage[trimNewlines(m)]++
	}
	assert.Len(t, countByMessage, count)
	for n := range count {
		assert.Equal(t, 1, countByMessage[trimNewlines(newMessage(n))], "message %d", n)
	}
}

func testInvalidMessages(t *testing.T, h Harness) {
	tests := map[string]func(*mail.Message){
		"no address":            func(m *mail.Message) { m.To = "" },
		"two addresses":         func(m *mail.Message) { m.To = "ann@example.com, bob@example.com" },
		"header in the id":      func(m *mail.Message) { m.ID = "1\r\nBcc: bob@example.com" },
		"header in the address": func(m *mail.Message) { m.To += "\r\nBcc: bob@example.com" },
		"header in the subject": func(m *mail.Message) { m.Subject += "\r\nBcc: bob@example.com" },
		"no text":               func(m *mail.Message) { m.Text = "" },
		"no HTML":               func(m *mail.Message) { m.HTML = "" },
	}
	for name, change := range tests {
		m := newMessage(1)
		change(&m)
		err := h.Sender.Send(t.Context(), m)
		assert.True(t, fault.Is(err, fault.Invalid), "%s: %v", name, err)
	}
	assert.Empty(t, h.Delivered())
}

func testUnknownMailbox(t *testing.T, h Harness) {
	refusedMessage := newMessage(1)
	refusedMessage.To = h.RefusedAddress
	for range 2 {
		err := h.Sender.Send(t.Context(), refusedMessage)
		assert.True(t, fault.Is(err, fault.Invalid), "%v", err)
		require.ErrorIs(t, err, mail.ErrUnknownMailbox)
		assert.NotErrorIs(t, err, mail.ErrPermanent, "the mail server works")
		assert.NotContains(t, err.Error(), h.RefusedAddress, "errors are logged")
		require.NoError(t, h.Sender.Send(t.Context(), newMessage(2)), "other recipients are not affected")
	}
	assert.Len(t, h.Delivered(), 2)

	invalidMessage := newMessage(3)
	invalidMessage.Text = ""
	assert.NotErrorIs(t, h.Sender.Send(t.Context(), invalidMessage), mail.ErrUnknownMailbox)
}

func testCanceledContext(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := h.Sender.Send(ctx, newMessage(1))
	assert.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	assert.Empty(t, h.Delivered())
}
