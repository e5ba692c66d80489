package smtpmail

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/mail"
	"github.com/vc-admin/diy/ports/mail/mailtest"
)

const starttlsURL = "smtp://user:hunter2@" + host + ":587"

var message = mail.Message{
	To: "ann@example.com", Subject: "Grüße from Vision", Text: "Secret link\n", HTML: "<p>Secret link</p>\n",
}

func TestSender_Conformance(t *testing.T) {
	mailtest.Run(t, func(t *testing.T) mailtest.Harness {
		srv := newTestServer(t).startSTARTTLS(t)
		return mailtest.Harness{Sender: srv.newSender(t, starttlsURL), Delivered: func() []mail.Message {
			var emails []mail.Message
			for _, raw := range srv.receivedEmails() {
				emails = append(emails, parseMessage(t, raw))
			}
			return emails
		}, RefusedAddress: refusedAddress}
	})
}

func TestSend_EncryptsConnections(t *testing.T) {
	tests := map[string]struct {
		url   string
		start func(*testServer, *testing.T) *testServer
	}{
		"STARTTLS":     {starttlsURL, (*testServer).startSTARTTLS},
		"implicit TLS": {"smtps://user:hunter2@" + host, (*testServer).startImplicitTLS},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			srv := tt.start(newTestServer(t), t)
			require.NoError(t, srv.newSender(t, tt.url).Send(t.Context(), message))
			assert.Len(t, srv.receivedEmails(), 1)
			assert.Zero(t, srv.unencryptedEmails)
			assert.Equal(t, []string{"user:hunter2"}, srv.logins)
		})
	}
}

func TestSend_AllowsALocalServerWithoutTLS(t *testing.T) {
	srv := newTestServer(t).startUnencrypted(t)
	require.NoError(t, srv.newSender(t, "smtp://127.0.0.1:1025").Send(t.Context(), message))
	require.NoError(t, srv.newSender(t, "smtp://user:hunter2@localhost:1025").Send(t.Context(), message))
	assert.Len(t, srv.receivedEmails(), 2)
	assert.Equal(t, []string{"user:hunter2"}, srv.logins, "no login without a user")
}

func TestSend_SetsHeaders(t *testing.T) {
	srv := newTestServer(t).startSTARTTLS(t)
	require.NoError(t, srv.newSender(t, starttlsURL).Send(t.Context(), message))
	h := readMessage(t, srv.receivedEmails()[0]).Header
	assert.Equal(t, `"Vision" <no-reply@vision.example>`, h.Get("From"))
	assert.Equal(t, "Sun, 01 Mar 2026 12:00:00 +0000", h.Get("Date"))
	assert.Equal(t, "auto-generated", h.Get("Auto-Submitted"))
}

func TestSend_RepeatedEmailKeepsItsMessageIDAndOthersDiffer(t *testing.T) {
	srv := newTestServer(t).startSTARTTLS(t)
	s := srv.newSender(t, starttlsURL)
	first, second, other := message, message, message
	first.ID, second.ID, other.ID = "7", "8", "7"
	other.Text += "another token\n"
	for _, m := range []mail.Message{first, first, second, other} {
		require.NoError(t, s.Send(t.Context(), m))
	}
	var ids []string
	for _, raw := range srv.receivedEmails() {
		ids = append(ids, readMessage(t, raw).Header.Get("Message-ID"))
	}
	require.Len(t, ids, 4)
	assert.Regexp(t, `^<7\.[0-9a-f]{32}@vision\.example>$`, ids[0])
	assert.Equal(t, ids[0], ids[1], "the first email was sent twice")
	assert.Regexp(t, `^<8\.`, ids[2], "the content is the same")
	assert.NotEqual(t, ids[0], ids[3], "the database was restored and has assigned the id again")
}

func TestSend_UsesTheBounceAddressAsEnvelopeSender(t *testing.T) {
	for bounceAddress, want := range map[string]string{
		"": "no-reply@vision.example", "bounces@vision.example": "bounces@vision.example",
	} {
		srv := newTestServer(t).startUnencrypted(t)
		options := Options{URL: "smtp://" + srv.address, From: "Vision <no-reply@vision.example>", BounceAddress: bounceAddress}
		s, err := New(options, fixedClock{})
		require.NoError(t, err)
		t.Cleanup(s.Close)

		require.NoError(t, s.Send(t.Context(), message))

		assert.Equal(t, []string{want}, srv.envelopeSenders)
	}
}

func readMessage(t *testing.T, raw string) *netmail.Message {
	t.Helper()
	m, err := netmail.ReadMessage(strings.NewReader(raw))
	require.NoError(t, err)
	return m
}

// parseMessage parses a received email, and requires that it is multipart/alternative with the plain text first, or
// multipart/mixed with such a part and an attachment.
func parseMessage(t *testing.T, raw string) mail.Message {
	t.Helper()
	m := readMessage(t, raw)
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	require.NoError(t, err)
	to, err := netmail.ParseAddress(m.Header.Get("To"))
	require.NoError(t, err)
	body, contentType := m.Body, m.Header.Get("Content-Type")
	var attachment *mail.Attachment
	if strings.HasPrefix(contentType, "multipart/mixed") {
		body, contentType, attachment = readMixed(t, body, contentType)
	}
	kind, params, err := mime.ParseMediaType(contentType)
	require.NoError(t, err)
	require.Equal(t, "multipart/alternative", kind)
	unsubscribe := strings.Trim(m.Header.Get("List-Unsubscribe"), "<>")
	if unsubscribe != "" {
		require.Equal(t, "List-Unsubscribe=One-Click", m.Header.Get("List-Unsubscribe-Post"))
		require.Contains(t, raw, "\r\nList-Unsubscribe: <"+unsubscribe+">\r\n", "the header must not be folded or encoded")
	}
	parts := multipart.NewReader(body, params["boundary"])
	return mail.Message{
		To: to.Address, Subject: subject, Attachment: attachment,
		Text: readPart(t, parts, "text/plain"), HTML: readPart(t, parts, "text/html"), Unsubscribe: unsubscribe,
	}
}

// readMixed returns the body and the type of the first part of a multipart/mixed message, and the file in the second part.
func readMixed(t *testing.T, mixedBody io.Reader, mixedType string) (body io.Reader, contentType string, a *mail.Attachment) {
	t.Helper()
	_, params, err := mime.ParseMediaType(mixedType)
	require.NoError(t, err)
	parts := multipart.NewReader(mixedBody, params["boundary"])
	first, err := parts.NextPart()
	require.NoError(t, err)
	text, err := io.ReadAll(first)
	require.NoError(t, err)
	file, err := parts.NextPart()
	require.NoError(t, err)
	assert.Equal(t, "base64", file.Header.Get("Content-Transfer-Encoding"))
	disposition, dispositionParams, err := mime.ParseMediaType(file.Header.Get("Content-Disposition"))
	require.NoError(t, err)
	assert.Equal(t, "attachment", disposition)
	fileType, _, err := mime.ParseMediaType(file.Header.Get("Content-Type"))
	require.NoError(t, err)
	data, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, file))
	require.NoError(t, err)
	_, err = parts.NextPart()
	require.ErrorIs(t, err, io.EOF)
	return bytes.NewReader(text), first.Header.Get("Content-Type"), &mail.Attachment{
		Name: dispositionParams["filename"], ContentType: fileType, Data: data,
	}
}

func readPart(t *testing.T, parts *multipart.Reader, kind string) string {
	t.Helper()
	p, err := parts.NextPart()
	require.NoError(t, err)
	contentType, params, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
	require.NoError(t, err)
	assert.Equal(t, kind, contentType)
	assert.Equal(t, "UTF-8", params["charset"])
	body, err := io.ReadAll(p)
	require.NoError(t, err)
	return string(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n")))
}
