package httpapi_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

const (
	adaEmail = "ada@sunrise.example"
	newEmail = "ada@lovelace.example"
)

func (b *browser) tryRequestEmail(email string) response {
	b.t.Helper()
	return b.post("/vc-admin/user/email", map[string]any{"email": email})
}

// requestEmail requests a new email and returns the tokens of the link to it and of the link in the notice to the current
// one, or "" for none.
func (b *browser) requestEmail(email string) (token, undo string) {
	b.t.Helper()
	current := b.userAccount().Email
	res := b.tryRequestEmail(email)
	require.Equal(b.t, http.StatusAccepted, res.Status, "%s", res.Body)
	return b.server.linkToken(b.t, "email", email), b.server.linkToken(b.t, "undo", current)
}

// changeEmail requests and confirms a new email, and returns the token of the link in the notice to the previous one.
func (b *browser) changeEmail(email string) (undo string) {
	b.t.Helper()
	previous := b.userAccount().Email
	token, _ := b.requestEmail(email)
	res := b.confirmEmail(token)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return b.server.linkToken(b.t, "undo", previous)
}

func (b *browser) confirmEmail(token string) response {
	b.t.Helper()
	return b.post("/vc-admin/auth/email/confirm", tokenBody(token))
}

// undo undoes a change and sets newPassword.
func (b *browser) undo(token string) response {
	b.t.Helper()
	return b.post("/vc-admin/auth/undo/confirm", map[string]any{
		"token": token, "password": newPassword, "password_repeat": newPassword,
	})
}

// linkToken delivers the emails, and returns the token of the link to the screen in the newest email to the address.
func (s *testServer) linkToken(t testing.TB, screen, email string) string {
	t.Helper()
	pattern := regexp.MustCompile(`http://diy\.test/vc-admin/auth/` + screen + `\?token=(\S+)`)
	if link := pattern.FindStringSubmatch(s.newestEmail(t, email)); link != nil {
		return link[1]
	}
	return ""
}

// newestEmail delivers the emails, and returns the subject and the text of the newest one to the address.
func (s *testServer) newestEmail(t testing.TB, email string) string {
	t.Helper()
	s.deliverMail(t)
	for _, m := range s.mailbox.Emails() {
		if m.To == account.EmailKey(email) {
			return m.Subject + "\n" + m.Text
		}
	}
	require.Fail(t, "no email to "+email)
	return ""
}

func TestEmailChange_NotifiesTheOldEmailAndConfirmsTheNewOne(t *testing.T) {
	s, laptop := newServerWithUser(t)
	phone := s.newBrowser(t)
	phone.signIn(adaEmail)
	resetToken := phone.requestPasswordReset(adaEmail)

	token, undo := laptop.requestEmail(" ADA@lovelace.example ")
	require.NotEmpty(t, undo, "the old email is notified at once")
	assert.Contains(t, s.newestEmail(t, adaEmail), "The new one is ada@lovelace.example.")
	assert.NotContains(t, s.newestEmail(t, newEmail), adaEmail, "the new address may belong to another person")
	assert.NotContains(t, s.newestEmail(t, newEmail), "Ada")
	assert.Equal(t, adaEmail, laptop.userAccount().Email)
	assert.Equal(t, newEmail, laptop.userAccount().NewEmail.Email)
	s.newBrowser(t).trySignIn(newEmail, testPassword).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")

	visitor := s.newBrowser(t)
	assert.JSONEq(t, `{"email": "ada@lovelace.example", "account": "a…@sunrise.example", "signedIn": false}`,
		string(visitor.post("/vc-admin/auth/email/show", tokenBody(token)).Body))
	assert.JSONEq(t, `{"email": "ada@lovelace.example", "account": "a…@sunrise.example", "signedIn": true}`,
		string(laptop.post("/vc-admin/auth/email/show", tokenBody(token)).Body))
	visitor.confirmEmail(token).requireError(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
	assert.JSONEq(t, `{"email": "ada@lovelace.example"}`, string(laptop.confirmEmail(token).Body))

	assert.Equal(t, newEmail, laptop.userAccount().Email)
	assert.Nil(t, laptop.userAccount().NewEmail)
	phone.requireSignedIn(false)
	phone.get("/vc-admin/diy/config.json")
	phone.resetPassword(resetToken).requireError(http.StatusNotFound, "ERRNOTFOUND")
	phone.trySignIn(adaEmail, testPassword).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	phone.signIn(newEmail)
	assert.True(t, strings.HasPrefix(s.newestEmail(t, adaEmail), "The email of your Vision account changed\n"))
	detail := laptop.detail()
	org, err := s.store.Organisation(t.Context(), detail.OrgID)
	require.NoError(t, err)
	assert.Equal(t, newEmail, org.ContactEmail)
	assert.Equal(t, []string{newEmail}, org.MemberEmails)
}

func TestEmailChange_DoesNotRevealAccounts(t *testing.T) {
	s := newRateLimitedServer(t)
	ada := s.signUp(t, "Sunrise Clinic", adaEmail)
	s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	s.newBrowser(t).register("Valley Clinic", "eve@valley.example")
	unknown := ada.tryRequestEmail("unknown@example.com")
	unknownAccount := ada.userAccount()

	newestEmails := map[string]string{}
	for _, email := range []string{"bob@harbour.example", "eve@valley.example"} {
		res := ada.tryRequestEmail(email)
		requireSameResponse(t, unknown, res)
		account := ada.userAccount()
		require.NotNil(t, account.NewEmail)
		assert.Equal(t, email, account.NewEmail.Email, "shown as pending, as an unknown one")
		account.NewEmail = unknownAccount.NewEmail
		assert.Equal(t, unknownAccount, account)
		newestEmails[email] = s.newestEmail(t, email)
	}

	notice := newestEmails["bob@harbour.example"]
	assert.Contains(t, notice, "This email has an account")
	assert.NotContains(t, notice, "token")
	assert.NotContains(t, notice, "Ada")
	assert.NotEmpty(t, s.linkToken(t, "email", "eve@valley.example"), "an unverified registration does not reserve its email")
	assert.NotEmpty(t, s.linkToken(t, "undo", adaEmail), "the old email is notified in both cases")
}

func TestEmailChange_RefusesInvalidAndOwnEmails(t *testing.T) {
	s, b := newServerWithUser(t)
	for email, message := range map[string]string{
		"": "Invalid email address!", "ada": "Invalid email address!", " Ada@Sunrise.example": "This is your email already",
	} {
		res := b.tryRequestEmail(email)
		res.requireError(http.StatusBadRequest, "ERRVALIDATION")
		assert.Equal(t, map[string]string{"email": message}, res.Fields)
	}
	assert.Nil(t, b.userAccount().NewEmail)
	s.advance(t, account.FreshFor)
	b.tryRequestEmail(newEmail).requireError(http.StatusForbidden, "ERRREAUTHENTICATE")
	b.post("/vc-admin/user/email/cancel", nil).requireError(http.StatusForbidden, "ERRREAUTHENTICATE")
}

func TestEmailChange_LimitsRequests(t *testing.T) {
	s := newRateLimitedServer(t)
	ada, bob := s.signUp(t, "Sunrise Clinic", adaEmail), s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	for range 6 {
		ada.tryRequestEmail("ada").requireError(http.StatusBadRequest, "ERRVALIDATION")
	}
	for range 3 {
		require.Equal(t, http.StatusAccepted, ada.tryRequestEmail(newEmail).Status)
	}
	ada.tryRequestEmail(newEmail).requireRateLimited("1200", "20 minutes")
	bob.tryRequestEmail(" ADA@lovelace.example").requireRateLimited("1200", "20 minutes")
	for range 2 {
		require.Equal(t, http.StatusAccepted, ada.tryRequestEmail("ada@other.example").Status)
	}
	ada.tryRequestEmail("ada@third.example").requireRateLimited("720", "12 minutes")
	for range 20 {
		bob.confirmEmail("unknown").requireError(http.StatusNotFound, "ERRNOTFOUND")
	}
	bob.undo("unknown").requireRateLimited("180", "3 minutes")
}

// Each token is refused with the same response, by the calls that show and those that use it.
func TestEmailChange_TokensThatCannotBeUsedAreNotFound(t *testing.T) {
	s, b := newServerWithUser(t)
	replaced, _ := b.requestEmail("ada@first.example")
	canceled, _ := b.requestEmail("ada@second.example")
	require.Equal(t, http.StatusAccepted, b.post("/vc-admin/user/email/cancel", nil).Status)
	assert.Nil(t, b.userAccount().NewEmail)
	used, _ := b.requestEmail("ada@third.example")
	require.Equal(t, http.StatusOK, b.confirmEmail(used).Status)
	voided, _ := b.requestEmail("ada@fourth.example")
	require.Equal(t, http.StatusOK, b.tryChangePassword(testPassword, newPassword).Status)
	expired, _ := b.requestEmail("ada@fifth.example")
	s.advance(t, account.EmailChangeLifetime)
	b.get("/vc-admin/diy/config.json")
	require.Equal(t, http.StatusOK, b.trySignIn("ada@third.example", newPassword).Status)
	assert.Nil(t, b.userAccount().NewEmail)

	bodies := map[string]bool{}
	for name, token := range map[string]string{
		"unknown": "unknown", "replaced": replaced, "canceled": canceled, "used": used, "voided": voided, "expired": expired,
	} {
		for _, path := range []string{"/vc-admin/auth/email/show", "/vc-admin/auth/email/confirm"} {
			res := b.post(path, tokenBody(token))
			assert.Equal(t, http.StatusNotFound, res.Status, name)
			bodies[string(res.Body)] = true
		}
	}
	assert.Len(t, bodies, 1)
	assert.Equal(t, "ada@third.example", b.userAccount().Email)
}

// An attacker requests the victim's address for an account of their own, and hopes that the victim confirms it.
func TestEmailChange_LinkOfAnotherAccountCannotBeAdopted(t *testing.T) {
	s, attacker := newServerWithUser(t)
	victim := s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	token, _ := attacker.requestEmail(newEmail)

	assert.JSONEq(t, `{"email": "ada@lovelace.example", "account": "a…@sunrise.example", "signedIn": false}`,
		string(victim.post("/vc-admin/auth/email/show", tokenBody(token)).Body))
	requireSameResponse(t, victim.confirmEmail("unknown"), victim.confirmEmail(token))
	assert.Equal(t, "bob@harbour.example", victim.userAccount().Email)
	assert.Equal(t, adaEmail, attacker.userAccount().Email)
}

func TestEmailChange_OfTwoChangesToOneEmailOneSucceeds(t *testing.T) {
	s, ada := newServerWithUser(t)
	bob := s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	adaToken, _ := ada.requestEmail(newEmail)
	bobToken, _ := bob.requestEmail(newEmail)
	var statuses [2]int
	var wg sync.WaitGroup
	wg.Go(func() { statuses[0] = ada.confirmEmail(adaToken).Status })
	wg.Go(func() { statuses[1] = bob.confirmEmail(bobToken).Status })
	wg.Wait()
	assert.ElementsMatch(t, []int{http.StatusOK, http.StatusNotFound}, statuses[:])
}

// A thief has an open browser of the user and the password.
func TestUndo_TakesTheAccountBack(t *testing.T) {
	s, thief := newServerWithUser(t)
	requestToken, requestUndo := thief.requestEmail("thief@evil.example")
	require.Equal(t, http.StatusOK, thief.confirmEmail(requestToken).Status)
	changeUndo := s.linkToken(t, "undo", adaEmail)
	passkey := thief.addPasskey()
	thiefsUndo := s.linkToken(t, "undo", "thief@evil.example")
	setup := thief.turnOnTwoStep()
	pending, _ := thief.requestEmail("thief@second.example")
	require.NotEmpty(t, thiefsUndo)
	ada := s.newBrowser(t)

	assert.JSONEq(t, `{"email": "ada@sunrise.example"}`, string(ada.post("/vc-admin/auth/undo/show", tokenBody(changeUndo)).Body))
	thief.requireSignedIn(true)
	assert.JSONEq(t, `{"email": "ada@sunrise.example"}`, string(ada.undo(changeUndo).Body))

	ada.requireSignedIn(false)
	thief.requireSignedIn(false)
	require.Equal(t, http.StatusOK, ada.trySignIn(adaEmail, newPassword).Status, "without a second factor")
	thief.get("/vc-admin/diy/config.json")
	thief.trySignIn("thief@evil.example", testPassword).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	thief.trySignInWithCode(adaEmail, testPassword, setup.Codes[0]).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	thief.trySignInWithPasskey(passkey).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	thief.undo(thiefsUndo).requireError(http.StatusNotFound, "ERRNOTFOUND")
	ada.confirmEmail(pending).requireError(http.StatusNotFound, "ERRNOTFOUND")
	ada.undo(changeUndo).requireError(http.StatusNotFound, "ERRNOTFOUND")
	assert.Contains(t, s.newestEmail(t, adaEmail), "was signed in to", "all browsers are unknown")
	org, err := s.store.Organisation(t.Context(), ada.detail().OrgID)
	require.NoError(t, err)
	assert.Equal(t, adaEmail, org.ContactEmail)

	require.Equal(t, http.StatusOK, ada.undo(requestUndo).Status, "the earlier link stays valid")
	ada.requireSignedIn(false)
	ada.get("/vc-admin/diy/config.json")
	assert.Equal(t, http.StatusOK, ada.trySignIn(adaEmail, newPassword).Status)
}

func TestUndo_OfTheThiefDoesNotVoidEarlierLinks(t *testing.T) {
	s, thief := newServerWithUser(t)
	adasUndo := thief.changeEmail("thief@evil.example")
	thief.addPasskey()
	require.Equal(t, http.StatusOK, thief.undo(s.linkToken(t, "undo", "thief@evil.example")).Status)

	ada := s.newBrowser(t)
	require.Equal(t, http.StatusOK, ada.undo(adasUndo).Status)
	assert.Equal(t, http.StatusOK, ada.trySignIn(adaEmail, newPassword).Status)
}

func TestUndo_OfAFactorKeepsTheEmailAndOlderFactors(t *testing.T) {
	s, b := newServerWithUser(t)
	setup := b.turnOnTwoStep()
	s.advance(t, account.UndoLifetime)
	b.get("/vc-admin/diy/config.json")
	expired := s.linkToken(t, "undo", adaEmail)
	b.undo(expired).requireError(http.StatusNotFound, "ERRNOTFOUND")
	b.trySignIn(adaEmail, testPassword).requireError(http.StatusUnauthorized, "ERRSECONDFACTOR")
	require.Equal(t, http.StatusOK, b.trySignInWithCode(adaEmail, testPassword, setup.code(t, s.clock.Now())).Status)
	b.addPasskey()

	require.Equal(t, http.StatusOK, b.undo(s.linkToken(t, "undo", adaEmail)).Status)

	assert.Empty(t, s.passkeyIDs(t, adaEmail))
	b.get("/vc-admin/diy/config.json")
	b.trySignIn(adaEmail, newPassword).requireError(http.StatusUnauthorized, "ERRSECONDFACTOR")
	assert.Contains(t, s.newestEmail(t, adaEmail), "please create new ones on the page of your account")
	res := b.trySignInWithCode(adaEmail, newPassword, setup.Codes[0])
	assert.Equal(t, http.StatusOK, res.Status, "recovery codes stay with the older app: %s", res.Body)
}

func TestUndo_EndsWithANewAccountOfThePreviousEmail(t *testing.T) {
	s, b := newServerWithUser(t)
	undo := b.changeEmail(newEmail)
	s.signUp(t, "Harbour Clinic", adaEmail)

	show := b.post("/vc-admin/auth/undo/show", tokenBody(undo))
	requireSameResponse(t, b.post("/vc-admin/auth/undo/show", tokenBody("unknown")), show)
	requireSameResponse(t, b.undo("unknown"), b.undo(undo))
	assert.Equal(t, newEmail, b.userAccount().Email)
}

func TestUndo_RefusesWeakPasswordsAndKeepsTheLink(t *testing.T) {
	_, b := newServerWithUser(t)
	_, undo := b.requestEmail(newEmail)
	for _, password := range []string{"short", "Sunrise-2026"} {
		res := b.post("/vc-admin/auth/undo/confirm", map[string]any{"token": undo, "password": password, "password_repeat": password})
		res.requireError(http.StatusBadRequest, "ERRVALIDATION")
		assert.Contains(t, res.Fields, "password")
	}
	b.requireSignedIn(true)
	require.Equal(t, http.StatusOK, b.undo(undo).Status)
}

func TestUndo_OfConcurrentUsesOneSucceeds(t *testing.T) {
	s, b := newServerWithUser(t)
	_, undo := b.requestEmail(newEmail)
	statuses := make([]int, 4)
	var wg sync.WaitGroup
	for i := range statuses {
		visitor := s.newBrowser(t)
		visitor.xsrfToken()
		wg.Go(func() { statuses[i] = visitor.undo(undo).Status })
	}
	wg.Wait()
	counts := map[int]int{}
	for _, status := range statuses {
		counts[status]++
	}
	assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusNotFound: len(statuses) - 1}, counts)
}

func TestUndo_LinkIsValidForSevenDays(t *testing.T) {
	s, b := newServerWithUser(t)
	_, undo := b.requestEmail(newEmail)
	s.advance(t, account.UndoLifetime-time.Second)
	visitor := s.newBrowser(t)
	require.Equal(t, http.StatusOK, visitor.post("/vc-admin/auth/undo/show", tokenBody(undo)).Status)
	s.advance(t, time.Second)
	visitor.post("/vc-admin/auth/undo/show", tokenBody(undo)).requireError(http.StatusNotFound, "ERRNOTFOUND")
	visitor.undo(undo).requireError(http.StatusNotFound, "ERRNOTFOUND")
}
