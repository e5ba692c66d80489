package diycmd

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var stopping = regexp.MustCompile(`("msg":"stopping")`)

// A load balancer learns that the server stops while everybody is still served.
func TestAServerThatStopsSaysSoBeforeItTurnsAnybodyAway(t *testing.T) {
	server := startServer(t, newFile(t), "DIY_DRAIN=3s", "DIY_ADMIN_ADDR=127.0.0.1:0")
	admin := "http://" + server.waitFor(t, forOperators)
	require.Equal(t, http.StatusOK, getStatus(t, server.url+"/readyz"))

	server.tell(t, syscall.SIGTERM)
	server.waitFor(t, stopping)

	for _, at := range []string{server.url, admin} {
		assert.Equal(t, http.StatusServiceUnavailable, getStatus(t, at+"/readyz"))
		assert.Equal(t, http.StatusOK, getStatus(t, at+"/healthz"))
	}
	assert.Equal(t, http.StatusOK, getStatus(t, server.url+"/vc-admin/diy/plans"))
	server.endsInPeace(t)
}

// The body of the request comes when nobody new is let in any more.
func TestARequestUnderWayIsFinishedWhenTheServerStops(t *testing.T) {
	server := startServer(t, newFile(t))
	addr := strings.TrimPrefix(server.url, "http://")
	connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	_, err = fmt.Fprint(connection, "POST /vc-admin/webhooks/stripe HTTP/1.1\r\nHost: diy.test\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
	require.NoError(t, err)
	answers := bufio.NewReader(connection)
	first, err := answers.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, first, "100 Continue", "somebody is reading the body")
	_, err = answers.ReadString('\n')
	require.NoError(t, err)

	server.tell(t, syscall.SIGTERM)
	require.Eventually(t, func() bool {
		late, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		if err == nil {
			_ = late.Close()
		}
		return err != nil
	}, 20*time.Second, 10*time.Millisecond, "nobody new is let in")
	_, err = fmt.Fprint(connection, "{}")
	require.NoError(t, err)

	answer, err := http.ReadResponse(answers, nil)
	require.NoError(t, err)
	assert.Equal(t, http.StatusForbidden, answer.StatusCode, "nobody had signed it")
	require.NoError(t, answer.Body.Close())
	server.endsInPeace(t)
}

func TestReadyMeansThatChangesCanBeKept(t *testing.T) {
	env := settings(t)
	c, err := loadConfig(env)
	require.NoError(t, err)
	store, err := openStore(t.Context(), c)
	require.NoError(t, err)
	ready := newReadiness(store)
	asked, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", nil)
	require.NoError(t, err)
	require.NoError(t, ready.check(asked))

	ready.stopping.Store(true)
	require.ErrorContains(t, ready.check(asked), "stopping")
	ready.stopping.Store(false)
	require.NoError(t, store.Close())
	require.ErrorContains(t, ready.check(asked), "database")
}
