package smtpmail

import (
	"context"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

// answer is a server's refusal, which quotes what must not reach our logs.
func answer(code int, enhanced smtp.EnhancedCode) func() error {
	return func() error {
		return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: "no: ann@example.com user hunter2 Secret"}
	}
}

// assertFault asserts the code, and that nothing is told that logs must not hold.
func assertFault(t *testing.T, want fault.Code, err error) {
	t.Helper()
	require.Error(t, err)
	assert.Equal(t, want, fault.CodeOf(err), "%v", err)
	for _, secret := range []string{"hunter2", "Secret", "ann@example.com", "user"} {
		assert.NotContains(t, err.Error(), secret)
	}
}

func TestRefusals(t *testing.T) {
	temporary := answer(451, smtp.EnhancedCode{4, 3, 0})
	permanent := answer(550, smtp.EnhancedCode{5, 1, 1})
	tests := map[string]struct {
		spoil func(*office)
		want  fault.Code
	}{
		"recipient, for now":       {func(o *office) { o.rcpt = temporary }, fault.Unavailable},
		"recipient, for good":      {func(o *office) { o.rcpt = permanent }, fault.Invalid},
		"content, for now":         {func(o *office) { o.data = temporary }, fault.Unavailable},
		"content, for good":        {func(o *office) { o.data = permanent }, fault.Invalid},
		"our sender, for now":      {func(o *office) { o.mail = temporary }, fault.Unavailable},
		"our sender, for good":     {func(o *office) { o.mail = permanent }, fault.Unavailable},
		"our sign-in":              {func(o *office) { o.auth = answer(535, smtp.EnhancedCode{5, 7, 8}) }, fault.Unavailable},
		"a sign-in it wants first": {func(o *office) { o.rcpt = answer(530, smtp.EnhancedCode{5, 7, 0}) }, fault.Unavailable},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			tt.spoil(o)
			o.starttls(t)
			assertFault(t, tt.want, o.sender(t, withSTARTTLS).Send(t.Context(), letter))
			assert.Empty(t, o.received())
		})
	}
}

func TestARefusalNamesItsCode(t *testing.T) {
	o := newOffice(t)
	o.rcpt = answer(550, smtp.EnhancedCode{5, 1, 1})
	o.starttls(t)
	err := o.sender(t, withSTARTTLS).Send(t.Context(), letter)
	require.ErrorContains(t, err, "RCPT TO")
	require.ErrorContains(t, err, "550 5.1.1")
}

func TestAnOpenLineIsNotUsed(t *testing.T) {
	o := newOffice(t).unencrypted(t)
	err := o.sender(t, withSTARTTLS).Send(t.Context(), letter)
	assertFault(t, fault.Unavailable, err)
	require.ErrorContains(t, err, "does not offer STARTTLS")
	assert.Empty(t, o.signIns, "the password stays here")
	assert.Empty(t, o.received())
}

func TestAStrangersCertificateIsNotTrusted(t *testing.T) {
	for url, open := range map[string]func(*office, *testing.T) *office{
		withSTARTTLS:                      (*office).starttls,
		"smtps://user:hunter2@" + host:    (*office).implicit,
		"smtp://user:hunter2@example.org": (*office).starttls, // trusted, but somebody else's
	} {
		o := open(newOffice(t), t)
		s := o.sender(t, url)
		if s.server.host == host {
			_, s.tls.RootCAs = certify(t)
		}
		err := s.Send(t.Context(), letter)
		assertFault(t, fault.Unavailable, err)
		require.ErrorContains(t, err, "certificate")
		assert.Empty(t, o.signIns, "the password stays here")
	}
}

func TestNobodyAnswers(t *testing.T) {
	l := listen(t)
	require.NoError(t, l.Close())
	o := &office{address: l.Addr().String()}
	err := o.sender(t, withSTARTTLS).Send(t.Context(), letter)
	assertFault(t, fault.Unavailable, err)
	require.ErrorContains(t, err, "refused")
}

// converse opens a server that says what the script says, and reports when the line is closed.
func converse(t *testing.T, script func(c *textproto.Conn)) (*office, <-chan struct{}) {
	t.Helper()
	l := listen(t)
	closed := make(chan struct{})
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		c := textproto.NewConn(conn)
		script(c)
		for err == nil { // until the other side hangs up
			_, err = c.ReadLine()
		}
		close(closed)
	}()
	return &office{address: l.Addr().String()}, closed
}

const onThisComputer = "smtp://user:hunter2@127.0.0.1"

func TestASilentServer(t *testing.T) {
	o, closed := converse(t, func(*textproto.Conn) {})
	s := o.sender(t, onThisComputer)
	s.patience = 50 * time.Millisecond
	assertFault(t, fault.Unavailable, s.Send(t.Context(), letter))
	<-closed
}

func TestAServerThatGoesSilent(t *testing.T) {
	o, closed := converse(t, func(c *textproto.Conn) { upTo(c, "DATA") })
	s := o.sender(t, "smtp://127.0.0.1")
	s.patience = 200 * time.Millisecond
	assertFault(t, fault.Unavailable, s.Send(t.Context(), letter))
	<-closed
}

func TestTheCallerGivesUp(t *testing.T) {
	reached := make(chan struct{})
	o, closed := converse(t, func(c *textproto.Conn) { upTo(c, "DATA"); close(reached) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-reached; cancel() }()
	err := o.sender(t, "smtp://127.0.0.1").Send(ctx, letter)
	assertFault(t, fault.Unavailable, err)
	require.ErrorIs(t, err, context.Canceled)
	<-closed
}

func TestTheLineBreaks(t *testing.T) {
	for _, at := range []string{"EHLO", "MAIL", "RCPT", "DATA", "."} {
		o, _ := converse(t, func(c *textproto.Conn) { upTo(c, at); _ = c.Close() })
		assertFault(t, fault.Unavailable, o.sender(t, "smtp://127.0.0.1").Send(t.Context(), letter))
	}
}

func TestAcceptedIsAcceptedThoughTheLineBreaks(t *testing.T) {
	o, _ := converse(t, func(c *textproto.Conn) {
		upTo(c, ".")
		_ = c.PrintfLine("250 accepted")
		_ = c.Close()
	})
	require.NoError(t, o.sender(t, "smtp://127.0.0.1").Send(t.Context(), letter))
}

func TestAGoodbyeIsNotWaitedForLong(t *testing.T) {
	o, closed := converse(t, func(c *textproto.Conn) { upTo(c, "QUIT") })
	begun := time.Now()
	require.NoError(t, o.sender(t, "smtp://127.0.0.1").Send(t.Context(), letter))
	assert.Less(t, time.Since(begun), Patience/2)
	<-closed
}

func TestEveryLineIsHungUp(t *testing.T) {
	o, closed := converse(t, func(c *textproto.Conn) {
		_ = c.PrintfLine("220 hello")
		_, _ = c.ReadLine()
		_ = c.PrintfLine("250 %s, which has no STARTTLS", host)
	})
	assertFault(t, fault.Unavailable, o.sender(t, withSTARTTLS).Send(t.Context(), letter))
	<-closed
}

func TestNotAMailServer(t *testing.T) {
	o, closed := converse(t, func(c *textproto.Conn) { _ = c.PrintfLine("HTTP/1.1 400 Bad Request hunter2") })
	assertFault(t, fault.Unavailable, o.sender(t, onThisComputer).Send(t.Context(), letter))
	<-closed
}

// upTo plays a server that agrees to everything until the client says the word, which it leaves
// without an answer. "." is the end of the letter.
func upTo(c *textproto.Conn, word string) {
	_ = c.PrintfLine("220 hello")
	for {
		line, err := c.ReadLine()
		if err != nil || strings.HasPrefix(line, word) {
			return
		}
		if line == "DATA" {
			_ = c.PrintfLine("354 go on")
			if _, err := c.ReadDotLines(); err != nil || word == "." {
				return
			}
		}
		_ = c.PrintfLine("250 fine")
	}
}
