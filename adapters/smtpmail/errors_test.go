package smtpmail

import (
	"context"
	"errors"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/mail"
)

// newRefusal returns a function that refuses a step with a response that quotes secrets, which must not reach the logs.
func newRefusal(code int, enhancedCode smtp.EnhancedCode) func() error {
	return func() error {
		return &smtp.SMTPError{Code: code, EnhancedCode: enhancedCode, Message: "no: ann@example.com user hunter2 Secret"}
	}
}

// assertFaultWithoutSecrets asserts that err has the code and contains no secret.
func assertFaultWithoutSecrets(t *testing.T, want fault.Code, err error) {
	t.Helper()
	require.Error(t, err)
	assert.Equal(t, want, fault.CodeOf(err), "%v", err)
	for _, secret := range []string{"hunter2", "Secret", "ann@example.com", "user"} {
		assert.NotContains(t, err.Error(), secret)
	}
}

func TestSend_OnlyPermanentRefusalOfRecipientOrContentIsInvalid(t *testing.T) {
	temporaryRefusal := newRefusal(451, smtp.EnhancedCode{4, 3, 0})
	permanentRefusal := newRefusal(550, smtp.EnhancedCode{5, 1, 1})
	tests := map[string]struct {
		setUp func(*testServer)
		want  fault.Code
	}{
		"recipient, temporarily": {func(srv *testServer) { srv.onRcpt = temporaryRefusal }, fault.Unavailable},
		"recipient, permanently": {func(srv *testServer) { srv.onRcpt = permanentRefusal }, fault.Invalid},
		"content, temporarily":   {func(srv *testServer) { srv.onData = temporaryRefusal }, fault.Unavailable},
		"content, permanently":   {func(srv *testServer) { srv.onData = permanentRefusal }, fault.Invalid},
		"sender, temporarily":    {func(srv *testServer) { srv.onMail = temporaryRefusal }, fault.Unavailable},
		"sender, permanently":    {func(srv *testServer) { srv.onMail = permanentRefusal }, fault.Unavailable},
		"login":                  {func(srv *testServer) { srv.onAuth = newRefusal(535, smtp.EnhancedCode{5, 7, 8}) }, fault.Unavailable},
		"login required":         {func(srv *testServer) { srv.onRcpt = newRefusal(530, smtp.EnhancedCode{5, 7, 0}) }, fault.Unavailable},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			srv := newTestServer(t)
			tt.setUp(srv)
			srv.startSTARTTLS(t)
			assertFaultWithoutSecrets(t, tt.want, srv.newSender(t, starttlsURL).Send(t.Context(), message))
			assert.Empty(t, srv.receivedEmails())
		})
	}
}

func TestSend_ReportsRefusedRecipientOnlyIfAddressIsAtFault(t *testing.T) {
	for _, tt := range []struct {
		code        int
		enhanced    smtp.EnhancedCode
		wantRefused bool
	}{
		{550, smtp.EnhancedCode{5, 1, 1}, true},  // no such mailbox
		{556, smtp.EnhancedCode{5, 1, 10}, true}, // the domain accepts no emails
		{550, smtp.EnhancedCode{5, 2, 1}, true},  // disabled
		{550, smtp.EnhancedCode{5, 4, 1}, true},  // no such mailbox, at Microsoft
		{550, smtp.NoEnhancedCode, true},
		{550, smtp.EnhancedCode{5, 7, 1}, false}, // the sender is not allowed
		{550, smtp.EnhancedCode{5, 1, 8}, false}, // the sender's domain
		{552, smtp.EnhancedCode{5, 2, 2}, false}, // the mailbox is full
		{554, smtp.EnhancedCode{5, 6, 0}, false}, // the content
		{451, smtp.EnhancedCode{4, 1, 1}, false}, // temporary
	} {
		srv := newTestServer(t)
		srv.onRcpt = newRefusal(tt.code, tt.enhanced)
		srv.startSTARTTLS(t)
		err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
		assert.Equal(t, tt.wantRefused, errors.Is(err, mail.ErrRecipientRefused), "%d %v: %v", tt.code, tt.enhanced, err)
	}
	srv := newTestServer(t)
	srv.onData = newRefusal(550, smtp.NoEnhancedCode)
	srv.startSTARTTLS(t)
	assert.NotErrorIs(t, srv.newSender(t, starttlsURL).Send(t.Context(), message), mail.ErrRecipientRefused, "the content")
}

func TestSend_ErrorContainsStepAndCode(t *testing.T) {
	srv := newTestServer(t)
	srv.onRcpt = newRefusal(550, smtp.EnhancedCode{5, 1, 1})
	srv.startSTARTTLS(t)
	err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
	require.ErrorContains(t, err, "RCPT TO")
	require.ErrorContains(t, err, "550 5.1.1")
}

func TestSend_SendsNoPasswordIfServerOffersNoSTARTTLS(t *testing.T) {
	srv := newTestServer(t).startUnencrypted(t)
	err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
	assertFaultWithoutSecrets(t, fault.Unavailable, err)
	require.ErrorContains(t, err, "does not offer STARTTLS")
	assert.Empty(t, srv.logins, "the password is not sent")
	assert.Empty(t, srv.receivedEmails())
}

func TestSend_RefusesAnUntrustedCertificate(t *testing.T) {
	for url, start := range map[string]func(*testServer, *testing.T) *testServer{
		starttlsURL:                       (*testServer).startSTARTTLS,
		"smtps://user:hunter2@" + host:    (*testServer).startImplicitTLS,
		"smtp://user:hunter2@example.org": (*testServer).startSTARTTLS, // the certificate is trusted, but for another host
	} {
		srv := start(newTestServer(t), t)
		s := srv.newSender(t, url)
		if s.server.host == host {
			_, s.tlsConfig.RootCAs = newCertificate(t)
		}
		err := s.Send(t.Context(), message)
		assertFaultWithoutSecrets(t, fault.Unavailable, err)
		require.ErrorContains(t, err, "certificate")
		assert.Empty(t, srv.logins, "the password is not sent")
	}
}

func TestSend_FailsWithUnavailableIfConnectionIsRefused(t *testing.T) {
	l := listen(t)
	require.NoError(t, l.Close())
	srv := &testServer{address: l.Addr().String()}
	err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
	assertFaultWithoutSecrets(t, fault.Unavailable, err)
	require.ErrorContains(t, err, "refused")
}

// startScriptedServer starts a server that runs the script for its first connection. The returned channel is closed when
// the client disconnects.
func startScriptedServer(t *testing.T, script func(c *textproto.Conn)) (*testServer, <-chan struct{}) {
	t.Helper()
	l := listen(t)
	disconnected := make(chan struct{})
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		c := textproto.NewConn(conn)
		script(c)
		for err == nil { // until the client disconnects
			_, err = c.ReadLine()
		}
		close(disconnected)
	}()
	return &testServer{address: l.Addr().String()}, disconnected
}

const localURL = "smtp://user:hunter2@127.0.0.1"

func TestSend_TimesOutIfTheServerIsSilent(t *testing.T) {
	t.Parallel()
	srv, disconnected := startScriptedServer(t, func(*textproto.Conn) {})
	s := srv.newSender(t, localURL)
	s.timeout = time.Second
	assertFaultWithoutSecrets(t, fault.Unavailable, s.Send(t.Context(), message))
	<-disconnected
}

func TestSend_TimesOutIfTheServerStallsAfterDATA(t *testing.T) {
	t.Parallel()
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) { acceptCommands(c, "DATA") })
	s := srv.newSender(t, "smtp://127.0.0.1")
	s.timeout = 2 * time.Second
	assertFaultWithoutSecrets(t, fault.Unavailable, s.Send(t.Context(), message))
	<-disconnected
}

func TestSend_StopsWhenTheContextIsCanceled(t *testing.T) {
	dataReached := make(chan struct{})
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) { acceptCommands(c, "DATA"); close(dataReached) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-dataReached; cancel() }()
	err := srv.newSender(t, "smtp://127.0.0.1").Send(ctx, message)
	assertFaultWithoutSecrets(t, fault.Unavailable, err)
	require.ErrorIs(t, err, context.Canceled)
	<-disconnected
}

func TestSend_FailsWithUnavailableIfConnectionBreaks(t *testing.T) {
	for _, command := range []string{"EHLO", "MAIL", "RCPT", "DATA", "."} {
		srv, _ := startScriptedServer(t, func(c *textproto.Conn) { acceptCommands(c, command); _ = c.Close() })
		assertFaultWithoutSecrets(t, fault.Unavailable, srv.newSender(t, "smtp://127.0.0.1").Send(t.Context(), message))
	}
}

func TestSend_SucceedsIfTheConnectionBreaksAfterAcceptance(t *testing.T) {
	srv, _ := startScriptedServer(t, func(c *textproto.Conn) {
		acceptCommands(c, ".")
		_ = c.PrintfLine("250 accepted")
		_ = c.Close()
	})
	require.NoError(t, srv.newSender(t, "smtp://127.0.0.1").Send(t.Context(), message))
}

func TestClose_DoesNotWaitForQUIT(t *testing.T) {
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) { acceptCommands(c, "QUIT") })
	s := srv.newSender(t, "smtp://127.0.0.1")
	require.NoError(t, s.Send(t.Context(), message))
	start := time.Now()

	s.Close()

	<-disconnected
	assert.Less(t, time.Since(start), Timeout/2)
}

func TestSend_ClosesAConnectionWithoutSTARTTLS(t *testing.T) {
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) {
		_ = c.PrintfLine("220 hello")
		_, _ = c.ReadLine()
		_ = c.PrintfLine("250 %s, which has no STARTTLS", host)
	})
	assertFaultWithoutSecrets(t, fault.Unavailable, srv.newSender(t, starttlsURL).Send(t.Context(), message))
	<-disconnected
}

func TestSend_FailsWithUnavailableIfServerSpeaksAnotherProtocol(t *testing.T) {
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) { _ = c.PrintfLine("HTTP/1.1 400 Bad Request hunter2") })
	assertFaultWithoutSecrets(t, fault.Unavailable, srv.newSender(t, localURL).Send(t.Context(), message))
	<-disconnected
}

// acceptCommands accepts all commands until the command stopAt, to which it does not respond. "." is the end of the email.
func acceptCommands(c *textproto.Conn, stopAt string) {
	_ = c.PrintfLine("220 hello")
	for {
		line, err := c.ReadLine()
		if err != nil || strings.HasPrefix(line, stopAt) {
			return
		}
		if line == "DATA" {
			_ = c.PrintfLine("354 go on")
			if _, err := c.ReadDotLines(); err != nil || stopAt == "." {
				return
			}
		}
		_ = c.PrintfLine("250 fine")
	}
}
