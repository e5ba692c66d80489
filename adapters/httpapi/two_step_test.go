package httpapi_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/onetimecodes"
	"github.com/vc-admin/diy/domain/account"
)

type twoStepSetup struct {
	Secret string
	QR     []string
	Codes  []string
	State  string
}

// code returns the code that an authenticator app shows.
func (s twoStepSetup) code(t testing.TB, at time.Time) string {
	t.Helper()
	code, err := onetimecodes.Codes{}.CodeAt(s.Secret, at.Unix()/30)
	require.NoError(t, err)
	return code
}

func (b *browser) startTwoStep() twoStepSetup {
	b.t.Helper()
	res := b.post("/vc-admin/user/two-step/start", map[string]any{})
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[twoStepSetup](res)
}

// startRecoveryCodes starts to replace the recovery codes or, if two-step verification is off, to turn it on without an app.
func (b *browser) startRecoveryCodes() twoStepSetup {
	b.t.Helper()
	res := b.post("/vc-admin/user/two-step/start", map[string]any{"withoutApp": true})
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return decodeJSON[twoStepSetup](res)
}

// turnOnTwoStep turns two-step verification on, and moves the clock to the next code.
func (b *browser) turnOnTwoStep() twoStepSetup {
	b.t.Helper()
	setup := b.startTwoStep()
	body := map[string]any{"state": setup.State, "code": setup.code(b.t, b.server.clock.Now())}
	res := b.post("/vc-admin/user/two-step/confirm", body)
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	b.server.advance(b.t, account.CodeStep)
	return setup
}

func (b *browser) trySignInWithCode(email, password, code string) response {
	b.t.Helper()
	return b.post("/auth/login", map[string]any{"username": email, "password": password, "code": code})
}

func (b *browser) requireSignedIn(want bool) {
	b.t.Helper()
	require.Equal(b.t, want, b.get("/vc-admin/org/customer/cards").Status == http.StatusOK)
}

const twoStepEmail = "ada@sunrise.example"

// newTwoStepServer returns a server whose user has turned two-step verification on, and the user's browser.
func newTwoStepServer(t *testing.T) (*testServer, *browser, twoStepSetup) {
	t.Helper()
	s, b := newServerWithUser(t)
	return s, b, b.turnOnTwoStep()
}

func TestTwoStep_PasswordNeedsACode(t *testing.T) {
	s, _, setup := newTwoStepServer(t)
	b := s.newBrowser(t)
	b.trySignIn(twoStepEmail, testPassword).requireError(http.StatusUnauthorized, "ERRSECONDFACTOR")
	b.requireSignedIn(false)
	b.trySignInWithCode(twoStepEmail, testPassword, "000000").requireError(http.StatusUnauthorized, "ERRCODE")
	b.requireSignedIn(false)

	require.Equal(t, http.StatusOK, b.trySignInWithCode(twoStepEmail, testPassword, setup.code(t, s.clock.Now())).Status)
	b.requireSignedIn(true)
}

func TestTwoStep_CodeIsAcceptedOnce(t *testing.T) {
	s, _, setup := newTwoStepServer(t)
	code := setup.code(t, s.clock.Now())
	require.Equal(t, http.StatusOK, s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, code).Status)
	s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, code).requireError(http.StatusUnauthorized, "ERRCODE")
}

func TestTwoStep_OfConcurrentSignInsWithOneCodeOneSucceeds(t *testing.T) {
	for name, code := range map[string]func(*testServer, twoStepSetup) string{
		"authenticator app": func(s *testServer, setup twoStepSetup) string { return setup.code(t, s.clock.Now()) },
		"recovery code":     func(_ *testServer, setup twoStepSetup) string { return setup.Codes[0] },
	} {
		t.Run(name, func(t *testing.T) {
			s, _, setup := newTwoStepServer(t)
			statuses := make([]int, 8)
			var wg sync.WaitGroup
			for i := range statuses {
				b := s.newBrowser(t)
				b.xsrfToken()
				wg.Go(func() { statuses[i] = b.trySignInWithCode(twoStepEmail, testPassword, code(s, setup)).Status })
			}
			wg.Wait()
			counts := map[int]int{}
			for _, status := range statuses {
				counts[status]++
			}
			assert.Equal(t, map[int]int{http.StatusOK: 1, http.StatusUnauthorized: len(statuses) - 1}, counts)
		})
	}
}

func TestTwoStep_RecoveryCodeIsAcceptedOnceAndReported(t *testing.T) {
	s, _, setup := newTwoStepServer(t)
	require.Len(t, setup.Codes, account.RecoveryCodeCount)
	code := strings.ToLower(setup.Codes[0][:6] + "-" + setup.Codes[0][6:])
	require.Equal(t, http.StatusOK, s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, code).Status)
	s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, setup.Codes[0]).requireError(http.StatusUnauthorized, "ERRCODE")
	s.deliverMail(t)
	text := ""
	for _, email := range s.mailbox.Emails() {
		text += email.Subject + "\n" + email.Text
	}
	assert.Contains(t, text, "A recovery code of your Vision account was used")
	assert.Contains(t, text, "You have 9 unused codes left.")
	assert.Contains(t, text, "Your Vision password was used with a wrong code")
}

// TestTwoStep_IsNotRevealedWithoutThePassword also sends the correct code with a wrong password.
func TestTwoStep_IsNotRevealedWithoutThePassword(t *testing.T) {
	s, _, setup := newTwoStepServer(t)
	s.signUp(t, "Harbour Clinic", "plain@harbour.example")
	code := setup.code(t, s.clock.Now())
	var bodies []string
	for _, email := range []string{twoStepEmail, "plain@harbour.example", "unknown@harbour.example"} {
		for _, code := range []string{"", "000000", code} {
			res := s.newBrowser(t).trySignInWithCode(email, "Wrong1horse", code)
			res.requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
			bodies = append(bodies, string(res.Body))
		}
	}
	for _, body := range bodies {
		assert.Equal(t, bodies[0], body)
	}
	require.Equal(t, http.StatusOK, s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, code).Status, "the code is unused")
}

func TestTwoStep_WrongCodesAreLimitedPerUser(t *testing.T) {
	s := newRateLimitedServer(t)
	setup := s.signUp(t, "Sunrise Clinic", twoStepEmail).turnOnTwoStep()
	for range 10 {
		s.newBrowserWithIP(t, "192.0.2.1").trySignInWithCode(twoStepEmail, testPassword, "000000").
			requireError(http.StatusUnauthorized, "ERRCODE")
	}
	b := s.newBrowserWithIP(t, "192.0.2.2")
	b.trySignInWithCode(twoStepEmail, testPassword, setup.code(t, s.clock.Now())).requireError(http.StatusTooManyRequests, "ERRRATE")
}

func TestTwoStep_FiftyWrongCodesRequireANewPassword(t *testing.T) {
	s, known, setup := newTwoStepServer(t)
	for range account.MaxWrongCodes {
		s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, "000000").requireError(http.StatusUnauthorized, "ERRCODE")
	}
	res := s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, setup.code(t, s.clock.Now()))
	res.requireError(http.StatusUnauthorized, "ERRCODE")
	assert.Contains(t, res.Message, "Please choose a new password first.")
	require.Equal(t, http.StatusOK, known.trySignInWithCode(twoStepEmail, testPassword, setup.code(t, s.clock.Now())).Status,
		"the user's own browser has its own counter")

	reset := s.newBrowser(t)
	require.Equal(t, http.StatusOK, reset.resetPassword(reset.requestPasswordReset(twoStepEmail)).Status)
	s.advance(t, account.CodeStep)
	b := s.newBrowser(t)
	b.trySignIn(twoStepEmail, newPassword).requireError(http.StatusUnauthorized, "ERRSECONDFACTOR")
	require.Equal(t, http.StatusOK, b.trySignInWithCode(twoStepEmail, newPassword, setup.code(t, s.clock.Now())).Status)
}

// TestTwoStep_ResetDoesNotMakeTheBrowserKnown compares the emails about sign-ins after the reset.
func TestTwoStep_ResetDoesNotMakeTheBrowserKnown(t *testing.T) {
	s, _, setup := newTwoStepServer(t)
	b := s.newBrowser(t)
	require.Equal(t, http.StatusOK, b.resetPassword(b.requestPasswordReset(twoStepEmail)).Status)
	s.deliverMail(t)
	count := len(s.mailbox.Emails())
	require.Equal(t, http.StatusOK, b.trySignInWithCode(twoStepEmail, newPassword, setup.code(t, s.clock.Now())).Status)
	s.deliverMail(t)
	assert.Len(t, s.mailbox.Emails(), count+1, "the sign-in from an unknown browser is reported")
}

func TestTwoStep_ChangesEndOtherSessionsAndKeepTheBrowserKnown(t *testing.T) {
	s, b := newServerWithUser(t)
	other := s.newBrowser(t)
	other.signIn(twoStepEmail)
	other.requireSignedIn(true)

	setup := b.turnOnTwoStep()

	b.requireSignedIn(true)
	other.requireSignedIn(false)
	s.deliverMail(t)
	emailCount := len(s.mailbox.Emails())
	require.Equal(t, http.StatusOK, b.trySignInWithCode(twoStepEmail, testPassword, setup.code(t, s.clock.Now())).Status)
	s.deliverMail(t)
	assert.Len(t, s.mailbox.Emails(), emailCount, "the browser is known")
}

func TestTwoStep_StateIsAcceptedOnceByItsUserInTime(t *testing.T) {
	s, b := newServerWithUser(t)
	setup := b.startTwoStep()
	confirm := func(b *browser, code string) response {
		return b.post("/vc-admin/user/two-step/confirm", map[string]any{"state": setup.State, "code": code})
	}
	res := confirm(b, "000000")
	res.requireError(http.StatusBadRequest, "ERRVALIDATION")
	assert.Contains(t, res.Fields["code"], "The code is not right.")
	other := s.signUp(t, "Harbour Clinic", "other@harbour.example")
	confirm(other, setup.code(t, s.clock.Now())).requireError(http.StatusNotFound, "ERRNOTFOUND")
	require.Equal(t, http.StatusOK, confirm(b, setup.code(t, s.clock.Now())).Status)
	confirm(b, setup.code(t, s.clock.Now())).requireError(http.StatusNotFound, "ERRNOTFOUND")

	setup = other.startTwoStep()
	s.advance(t, 10*time.Minute)
	confirm(other, setup.code(t, s.clock.Now())).requireError(http.StatusNotFound, "ERRNOTFOUND")
}

func TestTwoStep_RenewedRecoveryCodesReplaceThePreviousOnes(t *testing.T) {
	s, b, setup := newTwoStepServer(t)
	renewed := b.startRecoveryCodes()
	assert.Empty(t, renewed.Secret)
	assert.Empty(t, renewed.QR)
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/two-step/confirm", map[string]any{"state": renewed.State}).Status)
	s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, setup.Codes[1]).requireError(http.StatusUnauthorized, "ERRCODE")
	require.Equal(t, http.StatusOK, s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, renewed.Codes[1]).Status)
}

func TestTwoStep_OffRemovesTheSecondFactor(t *testing.T) {
	s, b, _ := newTwoStepServer(t)
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/two-step/off", nil).Status)
	s.newBrowser(t).signIn(twoStepEmail)
	assert.Contains(t, s.deliverMail(t), "account")
	var subjects []string
	for _, email := range s.mailbox.Emails() {
		subjects = append(subjects, email.Subject)
	}
	assert.Contains(t, subjects, "Two-step verification is on for your Vision account")
	assert.Contains(t, subjects, "Two-step verification is off for your Vision account")
}

func TestTwoStep_WithoutAnAppNeedsAPasskeyAndRecoveryCodes(t *testing.T) {
	s, b := newServerWithUser(t)
	start := func() response { return b.post("/vc-admin/user/two-step/start", map[string]any{"withoutApp": true}) }
	start().requireError(http.StatusConflict, "ERRCONFLICT")
	authenticator := b.addPasskey()
	setup := decodeJSON[twoStepSetup](start())
	assert.Empty(t, setup.Secret)
	require.Len(t, setup.Codes, account.RecoveryCodeCount)

	res := b.post("/vc-admin/user/two-step/confirm", map[string]any{"state": setup.State})
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)

	accountNow := decodeJSON[struct {
		TwoStep  struct{ WithoutApp bool }
		Passkeys []struct{ ID string }
	}](b.get("/vc-admin/user/account"))
	assert.True(t, accountNow.TwoStep.WithoutApp)
	assert.Contains(t, s.newestEmail(t, twoStepEmail), "You sign in with your passkey, and your password now needs a recovery code.")
	id := accountNow.Passkeys[0].ID
	b.post("/vc-admin/user/passkeys/del", map[string]any{"id": id}).requireError(http.StatusConflict, "ERRCONFLICT")
	visitor := s.newBrowser(t)
	visitor.trySignIn(twoStepEmail, testPassword).requireError(http.StatusUnauthorized, "ERRSECONDFACTOR")
	visitor.trySignInWithCode(twoStepEmail, testPassword, "123456").requireError(http.StatusUnauthorized, "ERRCODE")
	assert.Equal(t, http.StatusOK, visitor.trySignInWithCode(twoStepEmail, testPassword, setup.Codes[0]).Status)
	assert.Equal(t, http.StatusOK, s.newBrowser(t).trySignInWithPasskey(authenticator).Status)

	renewed := b.startRecoveryCodes()
	assert.Empty(t, renewed.Secret)
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/two-step/confirm", map[string]any{"state": renewed.State}).Status)
	s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, setup.Codes[1]).requireError(http.StatusUnauthorized, "ERRCODE")
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/two-step/off", nil).Status)
	assert.Equal(t, http.StatusOK, s.newBrowser(t).trySignIn(twoStepEmail, testPassword).Status)
	require.Equal(t, http.StatusOK, b.post("/vc-admin/user/passkeys/del", map[string]any{"id": id}).Status)
}

func TestTwoStep_AppIsAddedToOneWithoutAndKeepsTheRecoveryCodes(t *testing.T) {
	s, b := newServerWithUser(t)
	b.addPasskey()
	codes := b.startRecoveryCodes()
	confirm := func(setup twoStepSetup, code string) response {
		return b.post("/vc-admin/user/two-step/confirm", map[string]any{"state": setup.State, "code": code})
	}
	require.Equal(t, http.StatusOK, confirm(codes, "").Status)
	other := s.newBrowser(t)
	require.Equal(t, http.StatusOK, other.trySignInWithCode(twoStepEmail, testPassword, codes.Codes[0]).Status)

	app := b.startTwoStep()
	assert.NotEmpty(t, app.QR)
	assert.Empty(t, app.Codes)
	ofOtherTab := b.startTwoStep()
	wrong := confirm(app, "000000")
	wrong.requireError(http.StatusBadRequest, "ERRVALIDATION")
	require.Equal(t, http.StatusOK, confirm(app, app.code(t, s.clock.Now())).Status)
	confirm(ofOtherTab, ofOtherTab.code(t, s.clock.Now())).requireError(http.StatusNotFound, "ERRNOTFOUND")

	b.requireSignedIn(true)
	other.requireSignedIn(false)
	assert.Contains(t, s.newestEmail(t, twoStepEmail), "An authenticator app was added to your Vision account on")
	twoStep := decodeJSON[struct {
		TwoStep struct {
			WithoutApp    bool
			RecoveryCodes int
		}
	}](b.get("/vc-admin/user/account")).TwoStep
	assert.False(t, twoStep.WithoutApp)
	assert.Equal(t, account.RecoveryCodeCount-1, twoStep.RecoveryCodes)
	s.advance(t, account.CodeStep)
	visitor := s.newBrowser(t)
	require.Equal(t, http.StatusOK, visitor.trySignInWithCode(twoStepEmail, testPassword, app.code(t, s.clock.Now())).Status)
	require.Equal(t, http.StatusOK, s.newBrowser(t).trySignInWithCode(twoStepEmail, testPassword, codes.Codes[1]).Status)
	b.post("/vc-admin/user/two-step/start", map[string]any{}).requireError(http.StatusConflict, "ERRCONFLICT")
}

// factorCalls contains a body for each call about the user's factors.
var factorCalls = map[string]map[string]any{
	"two-step/start": {}, "two-step/confirm": {"state": "x"}, "two-step/off": nil,
	"passkeys/options": nil, "passkeys/add": {"state": "x", "name": "x", "credential": map[string]any{}},
	"passkeys/edit": {"id": "x", "name": "x"}, "passkeys/del": {"id": "x"},
}

func TestFactors_ShareOneRateLimit(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.signUp(t, "Sunrise Clinic", twoStepEmail)
	for range 30 {
		require.Equal(t, http.StatusOK, b.post("/vc-admin/user/two-step/start", map[string]any{}).Status)
	}
	for path, body := range factorCalls {
		b.post("/vc-admin/user/"+path, body).requireRateLimited("120", "2 minutes")
	}
}

func TestFactors_NeedARecentSignIn(t *testing.T) {
	s, b := newServerWithUser(t)
	s.advance(t, account.FreshFor)
	for path, body := range factorCalls {
		b.post("/vc-admin/user/"+path, body).requireError(http.StatusForbidden, "ERRREAUTHENTICATE")
	}
}

// TestConfirmRegistration_NeedsTheSecondFactor opens the link of the verification email again.
func TestConfirmRegistration_NeedsTheSecondFactor(t *testing.T) {
	s := newTestServer(t)
	b := s.newBrowser(t)
	link := b.register("Sunrise Clinic", twoStepEmail)
	require.Equal(t, http.StatusSeeOther, b.get(link).Status)
	b.signIn(twoStepEmail)
	b.turnOnTwoStep()
	_, token, _ := strings.Cut(link, "token=")
	attacker := s.newBrowser(t)
	attacker.post("/vc-admin/auth/verify/confirm", map[string]any{"token": token, "password": testPassword}).
		requireError(http.StatusUnauthorized, "ERRSECONDFACTOR")
	attacker.requireSignedIn(false)
}
