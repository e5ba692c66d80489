package httpapi_test

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/identity/identitytest"
	"github.com/vc-admin/diy/ports/storage"
)

// passkeyRequest is the response of the calls that request a passkey.
type passkeyRequest struct {
	Options json.RawMessage
	State   string
}

func (b *browser) requestPasskey(path string) passkeyRequest {
	b.t.Helper()
	res := b.post(path, nil)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[passkeyRequest](res)
}

func newAuthenticator() *identitytest.Authenticator {
	return identitytest.NewAuthenticator("http://diy.test", "diy.test")
}

// tryAddPasskey adds a passkey of the authenticator.
func (b *browser) tryAddPasskey(a *identitytest.Authenticator) response {
	b.t.Helper()
	req := b.requestPasskey("/vc-admin/user/passkeys/options")
	return b.post("/vc-admin/user/passkeys/add", map[string]any{
		"state": req.State, "credential": json.RawMessage(a.Register(b.t, req.Options)), "name": " My  laptop ",
	})
}

func (b *browser) addPasskey() *identitytest.Authenticator {
	b.t.Helper()
	a := newAuthenticator()
	res := b.tryAddPasskey(a)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return a
}

// passkeySignIn returns the body of a sign-in with the authenticator.
func (b *browser) passkeySignIn(a *identitytest.Authenticator) map[string]any {
	b.t.Helper()
	req := b.requestPasskey("/vc-admin/auth/passkey/options")
	return map[string]any{"state": req.State, "credential": json.RawMessage(a.SignIn(b.t, req.Options))}
}

func (b *browser) trySignInWithPasskey(a *identitytest.Authenticator) response {
	b.t.Helper()
	return b.post("/vc-admin/auth/passkey", b.passkeySignIn(a))
}

// passkeyIDs returns the ids of the user's passkeys.
func (s *testServer) passkeyIDs(t *testing.T, email string) (ids []string) {
	t.Helper()
	user, err := s.store.UserByEmail(t.Context(), email)
	require.NoError(t, err)
	credentials, err := s.store.Credentials(t.Context(), user.ID)
	require.NoError(t, err)
	for _, a := range credentials.Authenticators {
		if a.Kind == account.PasskeyAuthenticator {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

func TestPasskey_SignsInAloneAlsoWithTwoStepVerification(t *testing.T) {
	s, b := newServerWithUser(t)
	authenticator := b.addPasskey()
	b.turnOnTwoStep()
	other := s.newBrowser(t)
	require.Equal(t, http.StatusOK, other.trySignInWithPasskey(authenticator).Status)
	other.requireSignedIn(true)
	assert.Contains(t, s.deliverMail(t), "was signed in to", "an unknown browser is reported")
	var subjects []string
	for _, email := range s.mailbox.Emails() {
		subjects = append(subjects, email.Subject)
	}
	assert.Contains(t, subjects, "A passkey was added to your Vision account")
}

func TestPasskey_ResponseIsAcceptedOnce(t *testing.T) {
	s, b := newServerWithUser(t)
	body := b.passkeySignIn(b.addPasskey())
	require.Equal(t, http.StatusOK, s.newBrowser(t).post("/vc-admin/auth/passkey", body).Status)
	s.newBrowser(t).post("/vc-admin/auth/passkey", body).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
}

func TestPasskey_OfConcurrentSignInsWithOneResponseOneSucceeds(t *testing.T) {
	s, b := newServerWithUser(t)
	body := b.passkeySignIn(b.addPasskey())
	statuses := make([]int, 8)
	var wg sync.WaitGroup
	for i := range statuses {
		b := s.newBrowser(t)
		b.xsrfToken()
		wg.Go(func() { statuses[i] = b.post("/vc-admin/auth/passkey", body).Status })
	}
	wg.Wait()
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusUnauthorized: len(statuses) - 1}, counts)
}

func TestPasskey_RefusedResponsesHaveOneMessage(t *testing.T) {
	s, b := newServerWithUser(t)
	authenticator, visitor := b.addPasskey(), s.newBrowser(t)
	expired := visitor.passkeySignIn(authenticator)
	s.advance(t, account.ChallengeLifetime)
	unknown := newAuthenticator()
	unknown.Authenticator.Options.UserHandle = authenticator.Authenticator.Options.UserHandle
	unverified := *authenticator
	unverified.Authenticator.Options.UserNotVerified = true
	otherUser := *authenticator
	otherUser.Authenticator.Options.UserHandle = []byte("user_unknown")
	swapped := visitor.passkeySignIn(authenticator)
	swapped["state"] = visitor.requestPasskey("/vc-admin/auth/passkey/options").State
	registration := visitor.passkeySignIn(authenticator)
	registration["state"] = b.requestPasskey("/vc-admin/user/passkeys/options").State

	messages := map[string]bool{}
	for name, body := range map[string]map[string]any{
		"expired": expired, "unknown passkey": visitor.passkeySignIn(unknown), "unverified user": visitor.passkeySignIn(&unverified),
		"unknown user": visitor.passkeySignIn(&otherUser), "state of another request": swapped, "state of another call": registration,
		"malformed": {"state": visitor.requestPasskey("/vc-admin/auth/passkey/options").State, "credential": map[string]any{}},
	} {
		res := visitor.post("/vc-admin/auth/passkey", body)
		assert.Equal(t, http.StatusUnauthorized, res.Status, name)
		assert.Equal(t, "ERRCREDENTIALS", res.Name, name)
		messages[res.Message] = true
	}
	assert.Len(t, messages, 1)
	visitor.requireSignedIn(false)
	_, err := s.useCases.RecordRefusedSignIns.Do(t.Context())
	require.NoError(t, err)
	entries, err := s.store.AuditEntries(t.Context(), storage.AuditQuery{Class: audit.Access, Limit: 100})
	require.NoError(t, err)
	refused := entries[len(entries)-1]
	assert.Equal(t, audit.SignInsRefused, refused.Kind)
	assert.Equal(t, "127.0.0.0/24", refused.Data["network"])
}

func TestPasskey_IsAddedOnceAndRenamedAndRemoved(t *testing.T) {
	s, b := newServerWithUser(t)
	authenticator := b.addPasskey()
	b.tryAddPasskey(authenticator).requireError(http.StatusConflict, "ERRCONFLICT")
	id := s.passkeyIDs(t, twoStepEmail)[0]
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/passkeys/edit", map[string]any{"id": id, "name": "Phone"}).Status)
	res := b.post("/vc-admin/user/passkeys/edit", map[string]any{"id": id, "name": " "})
	res.requireError(http.StatusBadRequest, "ERRVALIDATION")
	assert.Contains(t, res.Fields, "name")

	other := s.signUp(t, "Harbour Clinic", "other@harbour.example")
	for path, body := range map[string]map[string]any{"edit": {"id": id, "name": "Mine"}, "del": {"id": id}} {
		other.post("/vc-admin/user/passkeys/"+path, body).requireError(http.StatusNotFound, "ERRNOTFOUND")
	}
	other.tryAddPasskey(authenticator).requireError(http.StatusConflict, "ERRCONFLICT")

	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/passkeys/del", map[string]any{"id": id}).Status)
	s.newBrowser(t).trySignInWithPasskey(authenticator).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	b.requireSignedIn(true)
}

func TestPasskey_UserHasAtMostTen(t *testing.T) {
	s, b := newServerWithUser(t)
	for range account.MaxPasskeys {
		b.addPasskey()
	}
	b.tryAddPasskey(newAuthenticator()).requireError(http.StatusConflict, "ERRCONFLICT")
	assert.Len(t, s.passkeyIDs(t, twoStepEmail), account.MaxPasskeys)
}

func TestPasskey_RegistrationStateIsOfItsUserAndWorksOnce(t *testing.T) {
	s, b := newServerWithUser(t)
	req, authenticator := b.requestPasskey("/vc-admin/user/passkeys/options"), newAuthenticator()
	body := map[string]any{
		"state": req.State, "credential": json.RawMessage(authenticator.Register(t, req.Options)), "name": "Laptop",
	}
	other := s.signUp(t, "Harbour Clinic", "other@harbour.example")
	other.post("/vc-admin/user/passkeys/add", body).requireError(http.StatusNotFound, "ERRNOTFOUND")
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/passkeys/add", body).Status)
	b.post("/vc-admin/user/passkeys/add", body).requireError(http.StatusNotFound, "ERRNOTFOUND")
}
