package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
)

var callerCodePattern = regexp.MustCompile(`asks for this code: (\d{6})\.`)

// tokenOf returns the token of the form at the path.
func tokenOf(t *testing.T, c *console.Console, path string) string {
	t.Helper()
	page := get(c, path, "sue").Body.String()
	match := tokenPattern.FindStringSubmatch(page)
	require.NotNil(t, match, page)
	return match[1]
}

// sendCallerCode sends a code to the user on the console, and returns the code of the email.
func sendCallerCode(t *testing.T, env *apptest.Env, c *console.Console, user *apptest.User) string {
	t.Helper()
	organisation := "/console/organisations/" + user.OrganisationID
	form := url.Values{
		"token": {tokenOf(t, c, organisation+"/verify-caller")}, "user": {user.UserID}, "reason": {"customer_request"}, "ticket": {"T-1"},
	}
	for range 2 { // a second click
		w := send(c, request(http.MethodPost, organisation+"/verify-caller", "sue", form))
		require.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
		require.Equal(t, organisation+"/caller-code", w.Header().Get("Location"))
	}
	env.DeliverEmails(env.App)
	message := env.Mailbox.Emails()[0]
	require.Equal(t, "ann@example.com", message.To)
	match := callerCodePattern.FindStringSubmatch(message.Text)
	require.NotNil(t, match, message.Text)
	return match[1]
}

// enterCallerCode enters the code in a new form.
func enterCallerCode(t *testing.T, c *console.Console, user *apptest.User, code string) (status int, body string) {
	t.Helper()
	path := "/console/organisations/" + user.OrganisationID + "/caller-code"
	w := send(c, request(http.MethodPost, path, "sue", url.Values{"token": {tokenOf(t, c, path)}, "code": {code}}))
	return w.Code, w.Body.String()
}

// otherCode returns a code that differs from the given one.
func otherCode(code string) string {
	if code == "000000" {
		return "000001"
	}
	return "000000"
}

func TestVerifyCaller_RightCodeIsOnTheTimelineAndWorksOnce(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	organisation := "/console/organisations/" + user.OrganisationID
	assert.Contains(t, actionList(t, c, user.OrganisationID, "sue"), "No code was sent that can be entered.")
	code := sendCallerCode(t, env, c, user)
	assert.NotContains(t, get(c, organisation+"/caller-code", "sue").Body.String(), code)
	status, body := enterCallerCode(t, c, user, otherCode(code))
	assert.Equal(t, http.StatusBadRequest, status)
	assert.Contains(t, body, "The code is wrong. Tries left: 2.")

	form := url.Values{"token": {tokenOf(t, c, organisation+"/caller-code")}, "code": {code[:3] + " " + code[3:]}}
	for range 2 { // a second click
		w := send(c, request(http.MethodPost, organisation+"/caller-code", "sue", form))
		assert.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
		assert.Equal(t, organisation+"#timeline", w.Header().Get("Location"))
	}

	entries := entriesOf(t, env, user.OrganisationID, audit.OperatorCheckedCaller)
	require.Len(t, entries, 2)
	assert.Equal(t, audit.Refused, entries[0].Outcome)
	assert.Equal(t, audit.Data{"reason": "customer_request", "ticket": "T-1", "tries_left": "2"}, entries[0].Data)
	assert.Equal(t, audit.Done, entries[1].Outcome)
	assert.Equal(t, user.UserID, entries[1].Subject)
	assert.Len(t, entriesOf(t, env, user.OrganisationID, audit.OperatorSentCode), 1)
	timeline := get(c, organisation, "sue").Body.String()
	for _, text := range []string{"Code for the caller sent", "Caller not verified: wrong code", "Caller verified", "accepted by the mail server"} {
		assert.Contains(t, timeline, text)
	}
	w := get(c, organisation+"/caller-code", "sue")
	assert.Equal(t, http.StatusConflict, w.Code, "used before")
	check, err := env.Store.CallerCheck(t.Context(), user.OrganisationID)
	require.NoError(t, err)
	assert.Empty(t, check.CodeHash)
}

func TestVerifyCaller_EndsAfterThreeWrongCodes(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	code := sendCallerCode(t, env, c, user)
	path := "/console/organisations/" + user.OrganisationID + "/caller-code"
	late := url.Values{"token": {tokenOf(t, c, path)}, "code": {code}}
	for _, noCode := range []string{"", "12345", "1234567", "abcdef"} {
		status, body := enterCallerCode(t, c, user, noCode)
		assert.Equal(t, http.StatusBadRequest, status)
		assert.Contains(t, body, "Enter the 6 digits of the code.", "not a try")
	}
	for _, want := range []int{http.StatusBadRequest, http.StatusBadRequest, http.StatusConflict} {
		status, body := enterCallerCode(t, c, user, otherCode(code))
		assert.Equal(t, want, status, body)
	}
	assert.Equal(t, http.StatusConflict, send(c, request(http.MethodPost, path, "sue", late)).Code)
	for _, e := range entriesOf(t, env, user.OrganisationID, audit.OperatorCheckedCaller) {
		assert.Equal(t, audit.Refused, e.Outcome)
	}
}

func TestVerifyCaller_CodeExpiresAndIsReplaced(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	path := "/console/organisations/" + user.OrganisationID + "/caller-code"
	first := sendCallerCode(t, env, c, user)
	late := url.Values{"token": {tokenOf(t, c, path)}, "code": {first}}
	env.Advance(account.CallerCodeLifetime)
	w := send(c, request(http.MethodPost, path, "sue", late))
	assert.Equal(t, http.StatusConflict, w.Code)
	assert.Contains(t, w.Body.String(), "The code has expired.")

	second := sendCallerCode(t, env, c, user)
	if first != second {
		status, _ := enterCallerCode(t, c, user, first)
		assert.Equal(t, http.StatusBadRequest, status, "an earlier code")
	}
	status, body := enterCallerCode(t, c, user, second)
	assert.Equal(t, http.StatusSeeOther, status, body)
}

func TestVerifyCaller_LimitsTheCodesOfAnOrganisation(t *testing.T) {
	env := apptest.New(t)
	c, user, other := newConsole(t, env, nil), env.SignUp("ann"), env.SignUp("bob")
	for range account.MaxCallerCodes {
		sendCallerCode(t, env, c, user)
	}
	path := "/console/organisations/" + user.OrganisationID + "/verify-caller"
	form := url.Values{"token": {tokenOf(t, c, path)}, "user": {user.UserID}, "reason": {"customer_request"}, "ticket": {"T-1"}}
	assert.Equal(t, http.StatusTooManyRequests, send(c, request(http.MethodPost, path, "sue", form)).Code)
	assert.Len(t, entriesOf(t, env, user.OrganisationID, audit.OperatorSentCode), account.MaxCallerCodes)
	env.Advance(time.Hour)
	form.Set("token", tokenOf(t, c, path))
	form.Set("user", other.UserID)
	assert.Equal(t, http.StatusNotFound, send(c, request(http.MethodPost, path, "sue", form)).Code, "a member of another organisation")
	form.Set("user", user.UserID)
	assert.Equal(t, http.StatusSeeOther, send(c, request(http.MethodPost, path, "sue", form)).Code)
}
