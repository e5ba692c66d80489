package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

type userAccount struct {
	FirstName, LastName, Phone, Email string
	NewEmail                          *struct{ Email string }
	TwoStep                           *struct{ RecoveryCodes int }
	Sessions                          []struct {
		ID, Device string
		Current    bool
	}
}

func (b *browser) userAccount() userAccount {
	b.t.Helper()
	res := b.get("/vc-admin/user/account")
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[userAccount](res)
}

func (b *browser) tryChangePassword(current, password string) response {
	b.t.Helper()
	return b.post("/vc-admin/user/password", map[string]any{
		"current": current, "password": password, "password_repeat": password,
	})
}

func TestAccount_ShowsProfileFactorsAndSessions(t *testing.T) {
	s, laptop := newServerWithUser(t)
	phone := s.newBrowser(t)
	phone.signIn("ada@sunrise.example")
	setup := laptop.turnOnTwoStep()
	phone.get("/vc-admin/diy/config.json")
	res := phone.trySignInWithCode("ada@sunrise.example", testPassword, setup.Codes[0])
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)

	a := laptop.userAccount()

	assert.Equal(t, "ada@sunrise.example", a.Email)
	assert.NotEmpty(t, a.Phone, "of the registration")
	assert.Equal(t, account.RecoveryCodeCount-1, a.TwoStep.RecoveryCodes)
	require.Len(t, a.Sessions, 2)
	assert.NotEqual(t, a.Sessions[0].Current, a.Sessions[1].Current)
}

func TestEditProfile_ChangesNamesAndPhoneWithoutARecentSignIn(t *testing.T) {
	s, b := newServerWithUser(t)
	s.advance(t, account.FreshFor)

	res := b.post("/vc-admin/user/edit", map[string]any{
		"firstName": " Grace ", "lastName": "Hopper", "phone": "", "email": "thief@example.com", "role": "owner", "id": "usr_1",
	})

	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	a := b.userAccount()
	assert.Equal(t, []string{"Grace", "Hopper", "", "ada@sunrise.example"}, []string{a.FirstName, a.LastName, a.Phone, a.Email})
	b.post("/vc-admin/user/edit", map[string]any{"firstName": "Gr4ce", "lastName": "Hopper", "phone": "12"}).
		requireError(http.StatusBadRequest, "ERRVALIDATION")
	assert.Equal(t, "Grace", b.userAccount().FirstName)
}

func TestChangePassword_EndsOtherSessionsAndVoidsLinks(t *testing.T) {
	s, laptop := newServerWithUser(t)
	thief := s.newBrowser(t)
	thief.signIn("ada@sunrise.example")
	resetToken := thief.requestPasswordReset("ada@sunrise.example")

	res := laptop.tryChangePassword(testPassword, newPassword)

	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	laptop.requireSignedIn(true)
	thief.requireSignedIn(false)
	thief.get("/vc-admin/diy/config.json")
	thief.trySignIn("ada@sunrise.example", testPassword).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	thief.resetPassword(resetToken).requireError(http.StatusNotFound, "ERRNOTFOUND")
	assert.Contains(t, s.deliverMail(t), "password of your Vision account was changed")
	assert.Zero(t, laptop.signInNotices(newPassword), "the browser that changed the password is known")
	assert.Equal(t, 1, thief.signInNotices(newPassword), "all others are unknown")
}

func TestChangePassword_RefusesWrongAndWeakPasswords(t *testing.T) {
	_, b := newServerWithUser(t)
	wrong := b.tryChangePassword("Wrong-horse-1", newPassword)
	wrong.requireError(http.StatusBadRequest, "ERRVALIDATION")
	assert.Equal(t, map[string]string{"current": "This is not your current password"}, wrong.Fields)

	weak := b.tryChangePassword(testPassword, "Sunrise-2026")
	weak.requireError(http.StatusBadRequest, "ERRVALIDATION")
	assert.Equal(t, map[string]string{"password": "Too easy to guess: contains your clinic's name."}, weak.Fields)

	b.requireSignedIn(true)
}

func TestChangePassword_LimitsGuessesOfTheCurrentPassword(t *testing.T) {
	b := newRateLimitedServer(t).signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	for range 10 {
		b.tryChangePassword("Wrong-horse-1", newPassword).requireError(http.StatusBadRequest, "ERRVALIDATION")
	}
	b.tryChangePassword(testPassword, newPassword).requireRateLimited("360", "6 minutes")
}

func TestAccountChanges_NeedARecentSignIn(t *testing.T) {
	s, b := newServerWithUser(t)
	s.advance(t, account.FreshFor)
	change := func() response { return b.tryChangePassword(testPassword, newPassword) }
	change().requireError(http.StatusForbidden, "ERRREAUTHENTICATE")
	b.post("/vc-admin/user/sessions/end", map[string]any{"others": true}).
		requireError(http.StatusForbidden, "ERRREAUTHENTICATE")

	b.signIn("ada@sunrise.example")
	require.Equal(t, http.StatusOK, change().Status)
}

func TestEndSessions_EndsOneOrAllOthers(t *testing.T) {
	s, laptop := newServerWithUser(t)
	phone, tablet, bob := s.newBrowser(t), s.newBrowser(t), s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	phone.signIn("ada@sunrise.example")
	end := func(body map[string]any) response { return laptop.post("/vc-admin/user/sessions/end", body) }
	var phoneID string
	for _, session := range laptop.userAccount().Sessions {
		if !session.Current {
			phoneID = session.ID
		}
	}

	require.Equal(t, http.StatusOK, end(map[string]any{"id": phoneID}).Status)
	phone.requireSignedIn(false)
	unknown := end(map[string]any{"id": phoneID})
	unknown.requireError(http.StatusNotFound, "ERRNOTFOUND")

	foreign := end(map[string]any{"id": bob.userAccount().Sessions[0].ID})
	assert.Equal(t, string(unknown.Body), string(foreign.Body))
	bob.requireSignedIn(true)

	tablet.signIn("ada@sunrise.example")
	require.Equal(t, http.StatusOK, end(map[string]any{"others": true}).Status)
	tablet.requireSignedIn(false)
	laptop.requireSignedIn(true)
	end(map[string]any{}).requireError(http.StatusBadRequest, "ERRVALIDATION")
}
