package smtpmail

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

func TestSend_FailsWithUnavailableIfRateExceedsDeadline(t *testing.T) {
	srv := newTestServer(t).startUnencrypted(t)
	s := srv.newSender(t, "smtp://127.0.0.1")
	s.limiter = rate.NewLimiter(rate.Every(time.Hour), 1)
	require.NoError(t, s.Send(t.Context(), message))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()

	assertUnavailableWithoutSecrets(t, s.Send(ctx, message))

	assert.Len(t, srv.receivedEmails(), 1)
}

// pipeListener accepts pipes as connections, so that a server runs on the fake clock of synctest.
type pipeListener struct{ conns chan net.Conn }

func (l pipeListener) Accept() (net.Conn, error) {
	conn, ok := <-l.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l pipeListener) Close() error   { return nil }
func (l pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// A thousand emails are due at the same time if, for example, a thousand subscriptions renew in the same minute.
func TestSend_SendsAThousandEmailsAtTheConfiguredRate(t *testing.T) {
	const emailCount, perSecond = 1000, 20
	synctest.Test(t, func(t *testing.T) {
		listener := pipeListener{make(chan net.Conn)}
		srv := newTestServer(t).start(t, listener, nil)
		s, err := New(Options{URL: "smtp://127.0.0.1", From: "no-reply@vision.example", Rate: perSecond}, fixedClock{})
		require.NoError(t, err)
		connections := 0
		s.dialContext = func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			connections++
			listener.conns <- server
			return client, nil
		}

		start := time.Now()
		for range emailCount {
			require.NoError(t, s.Send(t.Context(), message))
		}
		assert.Equal(t, (emailCount-1)*time.Second/perSecond, time.Since(start).Round(time.Millisecond))
		assert.Len(t, srv.receivedEmails(), emailCount)
		assert.Equal(t, emailCount/emailsPerConnection, connections)

		s.Close()
		close(listener.conns)
	})
}
