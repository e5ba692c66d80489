package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// hijack registers another person's email address with the attacker's password, and returns the token
// in the e-mail that its owner gets.
func (h *house) hijack(t *testing.T) (token string) {
	t.Helper()
	link := h.browser(t).register("Sunrise Clinic", "ada@sunrise.example")
	_, token, found := strings.Cut(link, "token=")
	require.True(t, found)
	return token
}

func withToken(token string) map[string]any { return map[string]any{"token": token} }

func confirming(token, password string) map[string]any {
	return map[string]any{"token": token, "password": password}
}

func TestPreHijacking_OpeningTheLinkGivesTheAttackerNothing(t *testing.T) {
	h := newHouse(t)
	token := h.hijack(t)
	ada := h.browser(t)

	a := ada.get("/vc-admin/auth/verify?token=" + token)

	assert.Equal(t, http.StatusSeeOther, a.Status)
	assert.Equal(t, "/vc-admin/auth/confirm?token="+token, a.Header.Get("Location"))
	assert.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"))
	page := ada.get(a.Header.Get("Location"))
	assert.Equal(t, http.StatusOK, page.Status)
	assert.Equal(t, "no-referrer", page.Header.Get("Referrer-Policy"))
	h.browser(t).post("/auth/login", map[string]any{"username": "ada@sunrise.example", "password": password}).
		refused(http.StatusForbidden, "ERRUNVERIFIED")
	user, err := h.store.UserByEmail(t.Context(), "ada@sunrise.example")
	require.NoError(t, err)
	_, err = h.provider.CustomerOf(t.Context(), payment.Owner{OrganisationID: user.OrganisationID, Email: user.Email})
	assert.Equal(t, fault.NotFound, fault.CodeOf(err), "the payment provider hears of it after the verification")
}

func TestPreHijacking_TheOwnerDeletesTheRegistrationAndRegisters(t *testing.T) {
	h := newHouse(t)
	token := h.hijack(t)
	ada := h.browser(t)

	shown := into[struct{ Org, Email string }](ada.post("/vc-admin/auth/verify/show", withToken(token)))
	assert.Equal(t, "Sunrise Clinic", shown.Org)
	assert.Equal(t, "ada@sunrise.example", shown.Email)
	assert.Equal(t, http.StatusOK, ada.post("/vc-admin/auth/verify/reject", withToken(token)).Status)

	ada.post("/vc-admin/auth/verify/reject", withToken(token)).refused(http.StatusNotFound, "ERRNOTFOUND")
	ada.post("/vc-admin/auth/verify/show", withToken(token)).refused(http.StatusNotFound, "ERRNOTFOUND")
	h.browser(t).post("/auth/login", map[string]any{"username": "ada@sunrise.example", "password": password}).
		refused(http.StatusUnauthorized, "ERRCREDENTIALS")
	ada.get(ada.register("Sunrise Clinic", "ada@sunrise.example"))
	ada.signIn("ada@sunrise.example")
}

func TestPreHijacking_TheBrowserOfAnEarlierRegistrationIsNotTheAttackers(t *testing.T) {
	h := newHouse(t)
	ada := h.browser(t)
	_, first, _ := strings.Cut(ada.register("Sunrise Clinic", "ada@sunrise.example"), "token=")
	ada.post("/vc-admin/auth/verify/reject", withToken(first))

	a := ada.get("/vc-admin/auth/verify?token=" + h.hijack(t))

	assert.Contains(t, a.Header.Get("Location"), "/vc-admin/auth/confirm")
}

func TestConfirmRegistration_InAnotherBrowserVerifiesAndSignsIn(t *testing.T) {
	h := newHouse(t)
	token := h.hijack(t)
	phone := h.browser(t)

	a := phone.post("/vc-admin/auth/verify/confirm", confirming(token, password))

	require.Equal(t, http.StatusOK, a.Status, "%s", a.Body)
	person := phone.detail().Detail
	require.NotNil(t, person)
	assert.Equal(t, "ada@sunrise.example", person.Email)
	org, err := h.store.Organisation(t.Context(), person.OrgID)
	require.NoError(t, err)
	assert.NotEmpty(t, org.Billing.CustomerID, "the customer is made after the verification")
	phone.post("/vc-admin/auth/verify/reject", withToken(token)).refused(http.StatusConflict, "ERRCONFLICT")
	other := h.browser(t)
	assert.Equal(t, "/vc-admin/dash?verified=1", other.get("/vc-admin/auth/verify?token="+token).Header.Get("Location"))
	other.signIn("ada@sunrise.example")
}

func TestConfirmRegistration_WrongPasswordsCountAsThoseOfSignIns(t *testing.T) {
	h := newStrictHouse(t)
	token := h.hijack(t)
	b := h.at(t, "203.0.113.7")
	for range 9 {
		b.post("/vc-admin/auth/verify/confirm", confirming(token, "Wrong1horse")).refused(http.StatusUnauthorized, "ERRCREDENTIALS")
	}
	b.guess("ada@sunrise.example", 1)
	b.post("/vc-admin/auth/verify/confirm", confirming(token, password)).tooOften("360", "6 minutes")
	h.at(t, "203.0.113.8").post("/vc-admin/auth/verify/confirm", confirming(token, password)).tooOften("360", "6 minutes")
}

func TestRegistrationsThatWereNeverVerifiedExpire(t *testing.T) {
	h := newHouse(t)
	token := h.hijack(t)
	user, err := h.store.UserByEmail(t.Context(), "ada@sunrise.example")
	require.NoError(t, err)
	h.advance(t, 47*time.Hour)
	h.browser(t).post("/vc-admin/signup", registration("Sunrise Clinic", "bob@sunrise.example")).
		refused(http.StatusBadRequest, "ERRDUPLICATE")
	resent := h.browser(t)
	resent.post("/vc-admin/auth/verify/resend", map[string]any{"email": "ada@sunrise.example"})
	again := verifyLink.FindStringSubmatch(h.deliverMail(t))[1]
	h.advance(t, time.Hour+time.Second)

	ada := h.browser(t)
	for _, link := range []string{"/vc-admin/auth/verify?token=" + token, again} {
		assert.Equal(t, "/vc-admin/dash?verified=0", ada.get(link).Header.Get("Location"), "sending it again prolongs nothing")
	}
	ada.get(ada.register("SUNRISE clinic", "Ada@Sunrise.example"))
	ada.signIn("ada@sunrise.example")
	_, err = h.store.User(t.Context(), user.ID)
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
}

func TestExpiredRegistrationsAreSwept(t *testing.T) {
	h := newHouse(t)
	h.member(t, "Harbour Clinic", "bob@harbour.example")
	h.hijack(t)
	h.advance(t, 48*time.Hour+time.Second)

	require.NoError(t, h.useCases.Sweep.Do(t.Context()))

	_, err := h.store.UserByEmail(t.Context(), "ada@sunrise.example")
	assert.Equal(t, fault.NotFound, fault.CodeOf(err))
	h.browser(t).signIn("bob@harbour.example")
}
