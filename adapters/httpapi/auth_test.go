package httpapi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

func TestSignOut_EndsTheSessionOnTheServer(t *testing.T) {
	_, b := newServerWithUser(t)
	sessionToken := b.cookie("diy")

	res := b.get("/vc-admin/auth/logout")
	assert.Equal(t, http.StatusSeeOther, res.Status)
	assert.Equal(t, "/vc-admin/dash", res.Header.Get("Location"))
	assert.Nil(t, b.detail())

	r := b.newRequest(http.MethodGet, "/vc-admin/user/detail", nil)
	r.AddCookie(&http.Cookie{Name: "diy", Value: sessionToken})
	assert.JSONEq(t, `{"detail": null}`, string(b.send(r).Body))
}

// requireSameResponse requires two responses to be equal, including their headers.
func requireSameResponse(t *testing.T, first, second response) {
	t.Helper()
	for _, res := range []response{first, second} {
		for _, name := range []string{"Date", "X-Request-Id", "Set-Cookie"} { // always differ
			res.Header.Del(name)
		}
	}
	assert.Equal(t, first.Status, second.Status)
	assert.Equal(t, string(first.Body), string(second.Body))
	assert.Equal(t, first.Header, second.Header)
}

// cookieNames returns the names of the cookies that the response sets.
func cookieNames(res response) (names []string) {
	for _, cookie := range (&http.Response{Header: res.Header}).Cookies() {
		names = append(names, cookie.Name)
	}
	return names
}

func TestSignIn_DoesNotRevealAccounts(t *testing.T) {
	s := newTestServer(t)
	s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	s.newBrowser(t).register("Harbour Clinic", "unverified@harbour.example")
	tryWrongPassword := func(email string) response { return s.newBrowser(t).trySignIn(email, "Not-the-password-1") }
	unknownEmail := tryWrongPassword("unknown@sunrise.example")
	unknownEmail.requireError(http.StatusUnauthorized, "ERRCREDENTIALS")

	for _, email := range []string{"ada@sunrise.example", "unverified@harbour.example"} {
		res := tryWrongPassword(email)
		assert.Equal(t, cookieNames(unknownEmail), cookieNames(res))
		requireSameResponse(t, tryWrongPassword("unknown@sunrise.example"), res)
	}
}

const newPassword = "Another2horse"

var resetLinkPattern = regexp.MustCompile(`http://diy\.test/vc-admin/auth/reset\?token=(\S+)`)

func (b *browser) forgotPassword(email string) response {
	b.t.Helper()
	return b.post("/vc-admin/auth/password/forgot", map[string]any{"email": email})
}

// requestPasswordReset requests a password reset and returns the token of the email.
func (b *browser) requestPasswordReset(email string) (token string) {
	b.t.Helper()
	res := b.forgotPassword(email)
	require.Equal(b.t, http.StatusAccepted, res.Status, "%s", res.Body)
	link := resetLinkPattern.FindStringSubmatch(b.server.deliverMail(b.t))
	require.NotNil(b.t, link, "the email has no link")
	return link[1]
}

// resetPassword changes the password to newPassword.
func (b *browser) resetPassword(token string) response {
	b.t.Helper()
	return b.post("/vc-admin/auth/password/reset", map[string]any{
		"token": token, "password": newPassword, "password_repeat": newPassword,
	})
}

func TestPasswordReset_ReplacesThePasswordAndEndsAllSessions(t *testing.T) {
	s := newUnstartedServer(t, nil)
	s.start(t, httpapi.Site{Payments: fakeProviderWeb})
	laptop := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	phone, thief, bob := s.newBrowser(t), s.newBrowser(t), s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	phone.signIn("ada@sunrise.example")
	thief.signIn("ada@sunrise.example")

	res := phone.resetPassword(phone.requestPasswordReset("Ada@Sunrise.example"))

	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	assert.JSONEq(t, `{"email": "ada@sunrise.example"}`, string(res.Body))
	assert.Contains(t, s.deliverMail(t), "password of your Vision account was changed")
	for _, b := range []*browser{laptop, phone, thief} {
		assert.Nil(t, b.detail())
	}
	assert.NotNil(t, bob.detail(), "sessions of other users continue")
	laptop.get("/vc-admin/diy/config.json")
	laptop.trySignIn("ada@sunrise.example", testPassword).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	res = phone.trySignIn("ada@sunrise.example", newPassword)
	assert.Equal(t, http.StatusOK, res.Status, "the response to the reset set an XSRF token: %s", res.Body)
}

func TestSignIn_SendsEmailOnceForNewBrowser(t *testing.T) {
	s := newTestServer(t)
	laptop, phone := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example"), s.newBrowser(t)
	s.deliverMail(t)
	emailCount := len(s.mailbox.Emails())
	laptop.signIn("ada@sunrise.example")
	phone.signIn("ada@sunrise.example")
	for _, b := range []*browser{laptop, phone} {
		b.signIn("ada@sunrise.example")
	}

	assert.Contains(t, s.deliverMail(t), "from a browser that was not used for it before")
	assert.Len(t, s.mailbox.Emails(), emailCount+1)
}

// signInNotices signs in as Ada with the browser and the password, and returns the number of emails about a sign-in.
func (b *browser) signInNotices(password string) int {
	b.t.Helper()
	b.server.deliverMail(b.t)
	earlierCount := len(b.server.mailbox.Emails())
	b.get("/vc-admin/diy/config.json")
	res := b.trySignIn("ada@sunrise.example", password)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	b.server.deliverMail(b.t)
	count := 0
	emails := b.server.mailbox.Emails()
	for _, message := range emails[:len(emails)-earlierCount] {
		if message.Subject == "New sign-in to your Vision account" {
			count++
		}
	}
	return count
}

func TestSignIn_OtherBrowsersAreUnknownAfterPasswordReset(t *testing.T) {
	s := newTestServer(t)
	laptop, phone, thief := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example"), s.newBrowser(t), s.newBrowser(t)
	laptop.signIn("ada@sunrise.example")
	assert.Equal(t, 1, thief.signInNotices(testPassword))
	assert.Zero(t, thief.signInNotices(testPassword), "the browser is known now")

	res := phone.resetPassword(phone.requestPasswordReset("ada@sunrise.example"))
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)

	assert.Zero(t, phone.signInNotices(newPassword), "the browser that changed the password is known")
	for _, b := range []*browser{thief, laptop} {
		assert.Equal(t, 1, b.signInNotices(newPassword))
		assert.Zero(t, b.signInNotices(newPassword))
	}
}

func TestSignIn_BrowserThatRegisteredTheAddressIsUnknownAfterPasswordReset(t *testing.T) {
	s := newTestServer(t)
	stranger, owner := s.newBrowser(t), s.newBrowser(t)
	stranger.register("Sunrise Clinic", "ada@sunrise.example")
	res := owner.resetPassword(owner.requestPasswordReset("ada@sunrise.example"))
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	assert.Zero(t, owner.signInNotices(newPassword))

	assert.Equal(t, 1, stranger.signInNotices(newPassword))
}

func TestForgotPassword_DoesNotRevealAccounts(t *testing.T) {
	s := newTestServer(t)
	s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	s.newBrowser(t).register("Harbour Clinic", "unverified@harbour.example")
	for _, email := range []string{"ada@sunrise.example", "unverified@harbour.example", "no address"} {
		requireSameResponse(t, s.newBrowser(t).forgotPassword("unknown@sunrise.example"), s.newBrowser(t).forgotPassword(email))
	}
	emailCount := len(s.mailbox.Emails())
	s.deliverMail(t)
	assert.Len(t, s.mailbox.Emails(), emailCount+2, "only users receive an email")
}

func TestForgotPassword_IsRateLimited(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.newBrowserWithIP(t, "203.0.113.7")
	for range 3 {
		assert.Equal(t, http.StatusAccepted, b.forgotPassword("ada@sunrise.example").Status)
	}
	s.newBrowserWithIP(t, "203.0.113.8").forgotPassword("ADA@sunrise.example").requireRateLimited("1200", "20 minutes")
	for i := range 17 {
		assert.Equal(t, http.StatusAccepted, b.forgotPassword(fmt.Sprintf("person%d@example.com", i)).Status)
	}
	b.forgotPassword("other@example.com").requireRateLimited("180", "3 minutes")
}

func TestPasswordReset_GuessesOfTokensAreRateLimited(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.newBrowserWithIP(t, "203.0.113.7")
	for i := range 20 {
		b.resetPassword(fmt.Sprint("guess ", i)).requireError(http.StatusNotFound, "ERRNOTFOUND")
	}
	b.resetPassword("guess").requireRateLimited("180", "3 minutes")
}

func TestSignOut_RefusesCrossOriginRequests(t *testing.T) {
	_, b := newServerWithUser(t)
	sendSignOut := func(fetchSite string) response {
		r := b.newRequest(http.MethodGet, "/vc-admin/auth/logout", nil)
		r.Header.Set("Sec-Fetch-Site", fetchSite)
		return b.send(r)
	}
	for _, fetchSite := range []string{"cross-site", "same-site", "unknown"} {
		sendSignOut(fetchSite).requireError(http.StatusForbidden, "ERRFORBIDDEN")
		assert.NotNil(t, b.detail(), "still signed in after %s", fetchSite)
	}
	for _, fetchSite := range []string{"same-origin", "none"} {
		assert.Equal(t, http.StatusSeeOther, sendSignOut(fetchSite).Status, fetchSite)
		assert.Nil(t, b.detail(), "signed out by %s", fetchSite)
		b.signIn("ada@sunrise.example")
	}
	r := b.newRequest(http.MethodGet, "/vc-admin/auth/logout", nil)
	r.Header.Set("X-Requested-With", "XMLHttpRequest")
	assert.JSONEq(t, `{}`, string(b.send(r).Body), "scripts are not redirected")
}
