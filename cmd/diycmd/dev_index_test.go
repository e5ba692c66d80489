package diycmd

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// getDevIndex returns the page /dev of a server.
func getDevIndex(t *testing.T, p inProcessServer) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.addr+"/dev", http.NoBody)
	require.NoError(t, err)
	response, err := client.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Equal(t, http.StatusOK, response.StatusCode)
	assert.Equal(t, "text/html; charset=utf-8", response.Header.Get("Content-Type"))
	return string(body)
}

func TestDevIndex_LinksPagesThatAreServed(t *testing.T) {
	p := startInProcess(t, devSettings(t))

	index := getDevIndex(t, p)

	for _, page := range devPages {
		assert.Contains(t, index, `<a href="`+page.Path+`">`)
		assert.Equal(t, http.StatusOK, getStatus(t, "http://"+p.addr+page.Path), page.Path)
	}
}

func TestDevIndex_LeavesOutTheMailboxWithAMailServer(t *testing.T) {
	env := devSettings(t)
	env["DIY_SMTP_URL"], env["DIY_MAIL_FROM"] = "smtp://127.0.0.1:1", "billing@clinic.test"

	index := getDevIndex(t, startInProcess(t, env))

	assert.Contains(t, index, `href="/dev/emails"`)
	assert.NotContains(t, index, `href="/dev/mailbox"`)
}
