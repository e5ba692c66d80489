package httpapi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/httpapi"
)

const newPassword = "Another2horse"

var resetLink = regexp.MustCompile(`http://diy\.test/vc-admin/auth/reset\?token=(\S+)`)

// forgot asks for a password reset email and returns its token.
func (b *browser) forgot(email string) (token string) {
	b.t.Helper()
	a := b.post("/vc-admin/auth/password/forgot", map[string]any{"email": email})
	require.Equal(b.t, http.StatusAccepted, a.Status, "%s", a.Body)
	found := resetLink.FindStringSubmatch(b.house.deliverMail(b.t))
	require.NotNil(b.t, found, "the email has no link")
	return found[1]
}

func (b *browser) reset(token, password string) answer {
	b.t.Helper()
	return b.post("/vc-admin/auth/password/reset", map[string]any{
		"token": token, "password": password, "password_repeat": password,
	})
}

func TestPasswordReset_ReplacesThePasswordAndEndsAllSessions(t *testing.T) {
	h := foundations(t, nil)
	h.keepsSessions = true
	h.serve(t, httpapi.Site{Payments: fakePage})
	laptop := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	phone, thief, bob := h.browser(t), h.browser(t), h.member(t, "Harbour Clinic", "bob@harbour.example")
	phone.signIn("ada@sunrise.example")
	thief.signIn("ada@sunrise.example")

	a := phone.reset(phone.forgot("Ada@Sunrise.example"), newPassword)

	require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
	assert.JSONEq(t, `{"email": "ada@sunrise.example"}`, string(a.Body))
	assert.Contains(t, h.deliverMail(t), "password of your Vision account was changed")
	for _, b := range []*browser{laptop, phone, thief} {
		assert.Nil(t, b.detail().Detail)
	}
	assert.NotNil(t, bob.detail().Detail, "sessions of other users go on")
	laptop.get("/vc-admin/diy/config.json")
	laptop.attempt("ada@sunrise.example", password).refused(http.StatusUnauthorized, "ERRCREDENTIALS")
	a = phone.attempt("ada@sunrise.example", newPassword)
	assert.Equal(t, http.StatusOK, a.Status, "with the token against other sites that came with the reset: %s", a.Body)
}

func TestPasswordReset_LinksAreUsedOnceAndWithinAnHour(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	first, second := b.forgot("ada@sunrise.example"), b.forgot("ada@sunrise.example")
	require.Equal(t, http.StatusOK, b.reset(second, newPassword).Status)
	for _, used := range []string{first, second, "guess", ""} {
		b.reset(used, "Yet3another").refused(http.StatusNotFound, "ERRNOTFOUND")
	}
	late := b.forgot("ada@sunrise.example")
	h.advance(t, time.Hour)
	b.reset(late, "Yet3another").refused(http.StatusNotFound, "ERRNOTFOUND")
	b.get("/vc-admin/diy/config.json")
	assert.Equal(t, http.StatusOK, b.attempt("ada@sunrise.example", newPassword).Status)
}

func TestPasswordReset_OfTwoWithOneTokenOneWins(t *testing.T) {
	h := newHouse(t)
	token := h.member(t, "Sunrise Clinic", "ada@sunrise.example").forgot("ada@sunrise.example")
	var all sync.WaitGroup
	statuses := make([]int, 6)
	for i := range statuses {
		b := h.browser(t)
		b.token()
		all.Go(func() { statuses[i] = b.reset(token, fmt.Sprintf("Another%dhorse", i)).Status })
	}
	all.Wait()

	won := 0
	for i, status := range statuses {
		if status != http.StatusOK {
			assert.Equal(t, http.StatusNotFound, status)
			continue
		}
		won++
		assert.Equal(t, http.StatusOK, h.browser(t).attempt("ada@sunrise.example", fmt.Sprintf("Another%dhorse", i)).Status)
	}
	assert.Equal(t, 1, won)
}

func TestPasswordReset_VerifiesAnUnverifiedAddress(t *testing.T) {
	h := newHouse(t)
	h.hijack(t)
	ada := h.browser(t)

	require.Equal(t, http.StatusOK, ada.reset(ada.forgot("ada@sunrise.example"), newPassword).Status)

	ada.attempt("ada@sunrise.example", password).refused(http.StatusUnauthorized, "ERRCREDENTIALS")
	assert.Equal(t, http.StatusOK, ada.attempt("ada@sunrise.example", newPassword).Status)
}

func TestPasswordReset_RefusesWeakPasswordsByField(t *testing.T) {
	h := newHouse(t)
	b := h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	token := b.forgot("ada@sunrise.example")
	for _, weak := range []string{"short", "Password1"} {
		a := b.post("/vc-admin/auth/password/reset", map[string]any{"token": token, "password": weak, "password_repeat": "other"})
		a.refused(http.StatusBadRequest, "ERRVALIDATION")
		assert.Contains(t, a.Fields, "password")
		assert.Equal(t, "Passwords did not match", a.Fields["password_repeat"])
	}
	assert.Equal(t, http.StatusOK, b.reset(token, newPassword).Status, "the link is still good")
}

func TestForgotPassword_DoesNotTellWhoHasAnAccount(t *testing.T) {
	h := newHouse(t)
	h.member(t, "Sunrise Clinic", "ada@sunrise.example")
	h.browser(t).register("Harbour Clinic", "unverified@harbour.example")
	ask := func(email string) answer {
		return h.browser(t).post("/vc-admin/auth/password/forgot", map[string]any{"email": email})
	}
	for _, known := range []string{"ada@sunrise.example", "unverified@harbour.example", "no address"} {
		alike(t, ask("nobody@sunrise.example"), ask(known))
	}
	letters := len(h.mailbox.Emails())
	h.deliverMail(t)
	assert.Len(t, h.mailbox.Emails(), letters+2, "to those who have one")
}

func TestForgotPassword_IsLimited(t *testing.T) {
	h := newStrictHouse(t)
	forgot := func(b *browser, email string) answer {
		return b.post("/vc-admin/auth/password/forgot", map[string]any{"email": email})
	}
	b := h.at(t, "203.0.113.7")
	for range 3 {
		assert.Equal(t, http.StatusAccepted, forgot(b, "ada@sunrise.example").Status)
	}
	forgot(h.at(t, "203.0.113.8"), "ADA@sunrise.example").tooOften("1200", "20 minutes")
	for i := range 17 {
		assert.Equal(t, http.StatusAccepted, forgot(b, fmt.Sprintf("person%d@example.com", i)).Status)
	}
	forgot(b, "somebody@example.com").tooOften("180", "3 minutes")
}

func TestPasswordReset_TokensAreLimited(t *testing.T) {
	h := newStrictHouse(t)
	b := h.at(t, "203.0.113.7")
	for i := range 20 {
		b.reset(fmt.Sprint("guess ", i), newPassword).refused(http.StatusNotFound, "ERRNOTFOUND")
	}
	b.reset("guess", newPassword).tooOften("180", "3 minutes")
}
