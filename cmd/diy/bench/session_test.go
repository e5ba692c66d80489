package bench

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/identity"
)

// signsIn starts a session in the server's database without a password, and returns its cookies.
func signsIn(b *testing.B, store *sqlstorage.Store, who identity.Identity) []*http.Cookie {
	b.Helper()
	key, err := store.Secret(b.Context(), "xsrf")
	require.NoError(b, err)
	sessions := sessionidentity.NewSessions(store.Sessions(), sessionidentity.Options{})
	_, err = sessionidentity.NewXSRF(sessions, key)
	require.NoError(b, err)
	answer, failed := httptest.NewRecorder(), errors.New("nobody came")
	sessions.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		failed = sessions.Start(r.Context(), who)
	})).ServeHTTP(answer, httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/", http.NoBody))
	require.NoError(b, failed)
	return answer.Result().Cookies()
}
