package smtpmail

import (
	"context"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recordConnections records the network connections of the sender. The returned function returns the connections that
// were opened so far.
func recordConnections(s *Sender) func() []net.Conn {
	var mu sync.Mutex
	var connections []net.Conn
	dial := s.dialContext
	s.dialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		mu.Lock()
		defer mu.Unlock()
		connections = append(connections, conn)
		return conn, err
	}
	return func() []net.Conn {
		mu.Lock()
		defer mu.Unlock()
		return append([]net.Conn(nil), connections...)
	}
}

func (cache *connectionCache) hasIdleConn() bool {
	cache.mu.Lock()
	defer cache.mu.Unlock()
	return cache.idleConn != nil
}

func TestSend_ReusesConnectionAndLogin(t *testing.T) {
	srv := newTestServer(t).startSTARTTLS(t)
	s := srv.newSender(t, starttlsURL)
	connections := recordConnections(s)
	for range 3 {
		require.NoError(t, s.Send(t.Context(), message))
	}
	assert.Len(t, srv.receivedEmails(), 3)
	assert.Len(t, connections(), 1)
	assert.Len(t, srv.logins, 1)
}

func TestSend_ReplacesAConnectionThatTheServerClosed(t *testing.T) {
	srv := newTestServer(t).startSTARTTLS(t)
	s := srv.newSender(t, starttlsURL)
	connections := recordConnections(s)
	require.NoError(t, s.Send(t.Context(), message))
	require.NoError(t, connections()[0].Close())

	require.NoError(t, s.Send(t.Context(), message))

	assert.Len(t, srv.receivedEmails(), 2)
	assert.Len(t, connections(), 2)
}

func TestSend_OpensANewConnectionAfterARefusal(t *testing.T) {
	srv := newTestServer(t).startSTARTTLS(t)
	s := srv.newSender(t, starttlsURL)
	connections := recordConnections(s)
	srv.onRcpt = newRefusal(550, [3]int{5, 1, 1})
	require.Error(t, s.Send(t.Context(), message))
	srv.onRcpt = nil

	require.NoError(t, s.Send(t.Context(), message))

	assert.Len(t, connections(), 2)
}

func TestSend_ConcurrentCallsShareTheConnection(t *testing.T) {
	srv := newTestServer(t).startSTARTTLS(t)
	s := srv.newSender(t, starttlsURL)
	connections := recordConnections(s)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { assert.NoError(t, s.Send(t.Context(), message)) })
	}
	wg.Wait()
	assert.Len(t, srv.receivedEmails(), 20)
	assert.Len(t, connections(), 1)
}

func TestSend_ReplacesConnectionAfterItsLastEmail(t *testing.T) {
	srv := newTestServer(t).startUnencrypted(t)
	s := srv.newSender(t, "smtp://127.0.0.1")
	connections := recordConnections(s)
	for range emailsPerConnection + 1 {
		require.NoError(t, s.Send(t.Context(), message))
	}
	assert.Len(t, connections(), 2)
}

func TestClose_ClosesTheIdleConnection(t *testing.T) {
	srv := newTestServer(t).startSTARTTLS(t)
	s := srv.newSender(t, starttlsURL)
	require.NoError(t, s.Send(t.Context(), message))

	s.Close()

	assert.False(t, s.connections.hasIdleConn())
	require.NoError(t, s.Send(t.Context(), message), "a late email is still sent")
	assert.False(t, s.connections.hasIdleConn())
}

func TestConnectionCache_ClosesConnectionAfterIdleTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, server := net.Pipe()
		cache := newConnectionCache(nil)
		cache.release(&connection{conn: &netConn{conn: client}})

		<-time.After(idleTimeout - 1)
		synctest.Wait()
		assert.True(t, cache.hasIdleConn())
		<-time.After(1)
		synctest.Wait()

		assert.False(t, cache.hasIdleConn())
		_, err := server.Read(make([]byte, 1))
		assert.Error(t, err)
	})
}
