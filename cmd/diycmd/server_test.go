package diycmd

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Who speaks slowly, or says nothing more, holds a connection for a while and not for good.
func TestThePublicServerWaitsForNobodyForEver(t *testing.T) {
	s := httpServer(http.NotFoundHandler(), newLog(io.Discard))
	for name, limit := range map[string]int64{
		"a header": int64(s.ReadHeaderTimeout), "a request": int64(s.ReadTimeout), "an answer": int64(s.WriteTimeout),
		"the next request": int64(s.IdleTimeout), "a header's size": int64(s.MaxHeaderBytes),
	} {
		assert.Positive(t, limit, name)
	}
	assert.LessOrEqual(t, s.ReadHeaderTimeout, s.ReadTimeout)
	assert.LessOrEqual(t, s.MaxHeaderBytes, 64<<10)
}

// What is asked of the server as a whole, or to make a tunnel of it, is answered like all else.
func TestEvenOddRequestsAreAnsweredWithOurHeaders(t *testing.T) {
	p := startProcess(t, settings(t))
	for _, request := range []string{
		"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
		"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n", "GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		answer := tell(t, p.addr, request)
		assert.Contains(t, answer.Get("Content-Security-Policy"), "default-src 'none'", request)
		assert.Equal(t, "nosniff", answer.Get("X-Content-Type-Options"), request)
		assert.Equal(t, "no-store", answer.Get("Cache-Control"), request)
	}
}

// tell sends the request as it stands and returns the answer's header.
func tell(t *testing.T, address, request string) http.Header {
	t.Helper()
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer func() { _ = connection.Close() }() // all is said
	_, err = io.WriteString(connection, request)
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.Header
}
