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

// assertUnavailableWithoutSecrets asserts that err is Unavailable and contains no secret.
func assertUnavailableWithoutSecrets(t *testing.T, err error) {
	t.Helper()
	require.Error(t, err)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "%v", err)
	for _, secret := range []string{"hunter2", "Secret", "ann@example.com", "user"} {
		assert.NotContains(t, err.Error(), secret)
	}
}

// outcome is what an error of Send means for the caller.
type outcome string

const (
	temporary       outcome = "temporary"        // the email is sent again
	permanent       outcome = "permanent"        // the email is sent again, and an operator has to act
	unclear         outcome = "unclear"          // permanent, and the recipient may be at fault
	addressAtFault  outcome = "address at fault" // the email can't be delivered
	unexpectedError outcome = "unexpected error"
)

func outcomeOf(err error) outcome {
	isPermanent, isUnclear := errors.Is(err, mail.ErrPermanent), errors.Is(err, mail.ErrRecipientRefused)
	switch isUnknown := errors.Is(err, mail.ErrUnknownMailbox); {
	case isUnknown && fault.Is(err, fault.Invalid) && !isPermanent && !isUnclear:
		return addressAtFault
	case isUnknown, !fault.Is(err, fault.Unavailable), isUnclear && !isPermanent:
		return unexpectedError
	case isUnclear:
		return unclear
	case isPermanent:
		return permanent
	}
	return temporary
}

func TestSend_BlamesTheAddressOnlyIfTheServerNamesTheMailbox(t *testing.T) {
	type enhanced = smtp.EnhancedCode
	for _, tt := range []struct {
		code     int
		enhanced enhanced
		want     outcome
	}{
		{550, enhanced{5, 1, 1}, addressAtFault},
		{553, enhanced{5, 1, 3}, addressAtFault},
		{551, enhanced{5, 1, 6}, addressAtFault},
		{556, enhanced{5, 1, 10}, addressAtFault},
		{550, enhanced{5, 2, 1}, addressAtFault},
		{550, smtp.NoEnhancedCode, unclear}, // Exim: unknown mailbox, or relay not permitted
		{550, enhanced{5, 0, 0}, unclear},
		{550, enhanced{5, 1, 0}, unclear},
		{550, enhanced{5, 1, 2}, unclear},
		{550, enhanced{5, 4, 1}, unclear}, // Microsoft: unknown mailbox
		{550, enhanced{5, 4, 4}, unclear},
		{550, enhanced{5, 1, 8}, permanent}, // the sender's domain
		{550, enhanced{5, 7, 1}, permanent}, // relaying denied
		{550, enhanced{5, 7, 26}, permanent},
		{550, enhanced{5, 1, 11}, permanent}, // not in RFC 3463
		{552, enhanced{5, 2, 2}, permanent},  // the mailbox is full
		{550, enhanced{5, 2, 2}, permanent},
		{552, smtp.NoEnhancedCode, permanent},
		{554, smtp.NoEnhancedCode, permanent},
		{504, enhanced{5, 5, 2}, permanent}, // EHLO without a full host name
		{530, enhanced{5, 7, 0}, permanent}, // a login is required
		{452, enhanced{4, 2, 2}, temporary},
		{451, enhanced{4, 1, 1}, temporary},
		{421, smtp.NoEnhancedCode, temporary},
	} {
		srv := newTestServer(t)
		srv.onRcpt = newRefusal(tt.code, tt.enhanced)
		srv.startSTARTTLS(t)
		err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
		assert.Equal(t, tt.want, outcomeOf(err), "%d %v: %v", tt.code, tt.enhanced, err)
	}
}

func TestSend_NeverBlamesTheAddressForRefusalsOfOtherSteps(t *testing.T) {
	unknownMailbox := newRefusal(550, smtp.EnhancedCode{5, 1, 1})
	unclearRefusal := newRefusal(550, smtp.NoEnhancedCode)
	steps := map[string]func(srv *testServer, refusal func() error){
		"login":   func(srv *testServer, refusal func() error) { srv.onAuth = refusal },
		"sender":  func(srv *testServer, refusal func() error) { srv.onMail = refusal },
		"content": func(srv *testServer, refusal func() error) { srv.onData = refusal },
	}
	for name, refuse := range steps {
		for _, refusal := range []func() error{unknownMailbox, unclearRefusal} {
			srv := newTestServer(t)
			refuse(srv, refusal)
			srv.startSTARTTLS(t)
			err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
			assert.Equal(t, permanent, outcomeOf(err), "%s: %v", name, err)
			assertUnavailableWithoutSecrets(t, err)
			assert.Empty(t, srv.receivedEmails())
		}
		srv := newTestServer(t)
		refuse(srv, newRefusal(451, smtp.EnhancedCode{4, 3, 0}))
		srv.startSTARTTLS(t)
		err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
		assert.Equal(t, temporary, outcomeOf(err), "%s: %v", name, err)
	}
}

// The address in the second response begins like the status of an unknown mailbox.
func TestSend_ReadsTheStatusOnlyAfterTheCode(t *testing.T) {
	for text, want := range map[string]outcome{
		"550 5.1.1 no such user":                                 addressAtFault,
		"550 relaying from 5.1.1.20 is not permitted":            unclear,
		"550 the remote server responded: 550 5.1.1 unknown":     unclear,
		"550-5.2.1 The account is disabled.\r\n550 5.2.1 Sorry.": addressAtFault,
		"550 5.1.1.7 is not an allowed client":                   unclear,
	} {
		srv, _ := startScriptedServer(t, func(c *textproto.Conn) {
			acceptCommands(c, "RCPT")
			_ = c.PrintfLine("%s", text)
			_, _ = c.ReadLine() // RSET
			_ = c.PrintfLine("250 fine")
		})
		err := srv.newSender(t, "smtp://127.0.0.1").Send(t.Context(), message)
		assert.Equal(t, want, outcomeOf(err), "%s: %v", text, err)
	}
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
	assertUnavailableWithoutSecrets(t, err)
	require.ErrorContains(t, err, "does not offer STARTTLS")
	require.ErrorIs(t, err, mail.ErrPermanent)
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
		assertUnavailableWithoutSecrets(t, err)
		require.ErrorContains(t, err, "certificate")
		require.ErrorIs(t, err, mail.ErrPermanent)
		assert.Empty(t, srv.logins, "the password is not sent")
	}
}

func TestSend_FailsWithUnavailableIfConnectionIsRefused(t *testing.T) {
	l := listen(t)
	require.NoError(t, l.Close())
	srv := &testServer{address: l.Addr().String()}
	err := srv.newSender(t, starttlsURL).Send(t.Context(), message)
	assertUnavailableWithoutSecrets(t, err)
	require.ErrorContains(t, err, "refused")
	assert.Equal(t, temporary, outcomeOf(err), "the server may be restarting")
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
	assertUnavailableWithoutSecrets(t, s.Send(t.Context(), message))
	<-disconnected
}

func TestSend_TimesOutIfTheServerStallsAfterDATA(t *testing.T) {
	t.Parallel()
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) { acceptCommands(c, "DATA") })
	s := srv.newSender(t, "smtp://127.0.0.1")
	s.timeout = 2 * time.Second
	assertUnavailableWithoutSecrets(t, s.Send(t.Context(), message))
	<-disconnected
}

func TestSend_StopsWhenTheContextIsCanceled(t *testing.T) {
	dataReached := make(chan struct{})
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) { acceptCommands(c, "DATA"); close(dataReached) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-dataReached; cancel() }()
	err := srv.newSender(t, "smtp://127.0.0.1").Send(ctx, message)
	assertUnavailableWithoutSecrets(t, err)
	require.ErrorIs(t, err, context.Canceled)
	<-disconnected
}

func TestSend_FailsWithUnavailableIfConnectionBreaks(t *testing.T) {
	for _, command := range []string{"EHLO", "MAIL", "RCPT", "DATA", "."} {
		srv, _ := startScriptedServer(t, func(c *textproto.Conn) { acceptCommands(c, command); _ = c.Close() })
		assertUnavailableWithoutSecrets(t, srv.newSender(t, "smtp://127.0.0.1").Send(t.Context(), message))
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
	assertUnavailableWithoutSecrets(t, srv.newSender(t, starttlsURL).Send(t.Context(), message))
	<-disconnected
}

func TestSend_FailsWithUnavailableIfServerSpeaksAnotherProtocol(t *testing.T) {
	srv, disconnected := startScriptedServer(t, func(c *textproto.Conn) { _ = c.PrintfLine("HTTP/1.1 400 Bad Request hunter2") })
	assertUnavailableWithoutSecrets(t, srv.newSender(t, localURL).Send(t.Context(), message))
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
