package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Whoever is signed in sends their cookie along with every file: what is the same for everybody must
// not cost a look at the database, and comes even when there is none.
func TestWhatIsTheSameForEverybodyAsksTheDatabaseNothing(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Ann's practice", "ann@example.com")
	require.NoError(t, h.store.Close())
	before := h.sessions.asked.Load()
	for path, status := range map[string]int{
		"/vc-admin/diy/assets/app-1.js": http.StatusOK, "/vc-admin/diy/openapi.yaml": http.StatusOK,
		"/vc-admin/diy/assets/gone.js": http.StatusNotFound, "/vc-admin/diy": http.StatusFound,
		"/vc-admin/diy/": http.StatusFound, "/": http.StatusOK,
	} {
		a := b.get(path)
		assert.Equal(t, status, a.Status, path)
		assert.Equal(t, before, h.sessions.asked.Load(), path)
		assert.NotContains(t, a.Header.Values("Vary"), "Cookie", path)
	}

	for _, path := range []string{"/vc-admin/diy/plans", "/vc-admin/diy/config.json", "/vc-admin/dash"} {
		before = h.sessions.asked.Load()
		a := b.get(path)
		assert.Equal(t, http.StatusOK, a.Status, path)
		assert.Greater(t, h.sessions.asked.Load(), before, "%s has a token for this session", path)
		assert.Contains(t, a.Header.Values("Vary"), "Cookie", path)
	}
}
