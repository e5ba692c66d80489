package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSignUp_ReportsInvalidFields(t *testing.T) {
	b := newTestServer(t).newBrowser(t)

	res := b.post("/vc-admin/signup", map[string]any{
		"firstName": "R2D2", "lastName": "", "org": " ", "email": "nobody", "password": "short", "contact": "12",
		"billing_address": map[string]any{"line1": "", "country": "", "state": "", "postal_code": " ", "city": ""},
	})

	res.requireError(http.StatusBadRequest, "ERRVALIDATION")
	assert.Equal(t, "Invalid first name", res.Message)
	for field, message := range map[string]string{
		"firstName": "Invalid first name", "lastName": "Last name is required", "org": "Org name is required",
		"email": "Invalid email address!", "country": "Country is required", "state": "state is required",
		"line1": "Billing address line 1 is required", "district": "City is required",
		"pincode": "Invalid zipcode", "contact": "Invalid contact details",
	} {
		assert.Equal(t, message, res.Fields[field], field)
	}
	assert.Contains(t, res.Fields["password"], "Password policy not followed")
}

func TestSignUp_ReportsDuplicateOfAVerifiedOrganisationAndEmail(t *testing.T) {
	s := newTestServer(t)
	s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	b := s.newBrowser(t)
	b.get("/vc-admin/diy/config.json")

	sameOrg := b.post("/vc-admin/signup", registrationBody(" sunrise CLINIC ", "bob@sunrise.example"))
	sameOrg.requireError(http.StatusBadRequest, "ERRDUPLICATE")
	assert.Contains(t, strings.ToLower(sameOrg.Message), "org")

	sameEmail := b.post("/vc-admin/user-diy/new-user?debug=true", registrationBody("Other Clinic", "ADA@sunrise.example"))
	sameEmail.requireError(http.StatusBadRequest, "ERRDUPLICATE")
	assert.Contains(t, strings.ToLower(sameEmail.Message), "email")
}

func TestSignUp_UnverifiedRegistrationReservesNothing(t *testing.T) {
	s := newTestServer(t)
	s.newBrowser(t).register("Sunrise Clinic", "ada@sunrise.example")
	for _, body := range []map[string]any{
		registrationBody("sunrise clinic", "bob@sunrise.example"),
		registrationBody("Other Clinic", "ADA@sunrise.example"),
		registrationBody("Sunrise Clinic", "ada@sunrise.example"),
	} {
		res := s.newBrowser(t).post("/vc-admin/signup", body)
		assert.Equal(t, http.StatusCreated, res.Status, "%s", res.Body)
	}
}

func TestSignUp_CorrectionInTheSameBrowserReplacesTheRegistration(t *testing.T) {
	s := newTestServer(t)
	b := s.newBrowser(t)
	oldLink := b.register("Sunrise Clinic", "ada@sunrise.exmaple")
	link := b.register("Sunrise Clinic", "ada@sunrise.example")

	oldRes := b.get(oldLink)

	_, token, _ := strings.Cut(oldLink, "token=")
	assert.Equal(t, "/vc-admin/auth/confirm?token="+token, oldRes.Header.Get("Location"))
	assert.JSONEq(t, `{"org": "Sunrise Clinic", "email": "ada@sunrise.exmaple", "replaced": true}`,
		string(b.post("/vc-admin/auth/verify/show", tokenBody(token)).Body))
	b.post("/vc-admin/auth/verify/confirm", confirmBody(token, testPassword)).requireError(http.StatusNotFound, "ERRNOTFOUND")
	assert.Equal(t, "/vc-admin/dash?verified=1", b.get(link).Header.Get("Location"))
	b.signIn("ada@sunrise.example")
}

func TestVerifyEmail_SecondRegistrationWithTheNameChoosesAnother(t *testing.T) {
	s := newTestServer(t)
	winner, loser := s.newBrowser(t), s.newBrowser(t)
	loserLink := loser.register("Sunrise Clinic", "bob@sunrise.example")
	winner.get(winner.register("Sunrise Clinic", "ada@sunrise.example"))

	res := loser.get(loserLink)

	_, token, _ := strings.Cut(loserLink, "token=")
	assert.Equal(t, "/vc-admin/auth/confirm?token="+token, res.Header.Get("Location"), "the page gives the reason")
	assert.JSONEq(t, `{"org": "Sunrise Clinic", "email": "bob@sunrise.example", "taken": ["org"]}`,
		string(loser.post("/vc-admin/auth/verify/show", tokenBody(token)).Body))
	loser.post("/vc-admin/auth/verify/confirm", confirmBody(token, testPassword)).
		requireError(http.StatusBadRequest, "ERRDUPLICATE")
	body := confirmBody(token, testPassword)
	body["org"] = "Sunset Clinic"
	res = loser.post("/vc-admin/auth/verify/confirm", body)
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	require.NotNil(t, loser.detail())
	org, err := s.store.Organisation(t.Context(), loser.detail().OrgID)
	require.NoError(t, err)
	assert.Equal(t, "Sunset Clinic", org.Name)
}

func TestVerifyEmail_SecondRegistrationOfTheAddressCanSignIn(t *testing.T) {
	s := newTestServer(t)
	first, second := s.newBrowser(t), s.newBrowser(t)
	secondLink := second.register("Sunset Clinic", "ada@sunrise.example")
	first.get(first.register("Sunrise Clinic", "ada@sunrise.example"))

	second.get(secondLink)

	_, token, _ := strings.Cut(secondLink, "token=")
	assert.JSONEq(t, `{"org": "Sunset Clinic", "email": "ada@sunrise.example", "taken": ["email"]}`,
		string(second.post("/vc-admin/auth/verify/show", tokenBody(token)).Body))
	second.signIn("ada@sunrise.example")
}

func TestSignUp_EmailsToAnAddressAreRateLimited(t *testing.T) {
	s := newRateLimitedServer(t)
	for i := range 10 {
		b := s.newBrowserWithIP(t, fmt.Sprintf("203.0.113.%d", i))
		b.get("/vc-admin/diy/config.json")
		res := b.post("/vc-admin/signup", registrationBody(fmt.Sprintf("Clinic %d", i), "ada@sunrise.example"))
		require.Equal(t, http.StatusCreated, res.Status, "%s", res.Body)
	}
	b := s.newBrowserWithIP(t, "203.0.113.100")
	b.get("/vc-admin/diy/config.json")
	b.post("/vc-admin/signup", registrationBody("Clinic", " ADA@sunrise.example")).requireRateLimited("360", "6 minutes")
}

// registerForeignEmail registers ada@sunrise.example as an attacker, who knows the password, and returns the token in the
// email that Ada receives.
func (s *testServer) registerForeignEmail(t *testing.T) (token string) {
	t.Helper()
	link := s.newBrowser(t).register("Sunrise Clinic", "ada@sunrise.example")
	_, token, found := strings.Cut(link, "token=")
	require.True(t, found)
	return token
}

func tokenBody(token string) map[string]any { return map[string]any{"token": token} }

func confirmBody(token, password string) map[string]any {
	return map[string]any{"token": token, "password": password}
}

func TestPreHijacking_OpeningTheLinkDoesNotVerify(t *testing.T) {
	s := newTestServer(t)
	token := s.registerForeignEmail(t)
	ada := s.newBrowser(t)

	res := ada.get("/vc-admin/auth/verify?token=" + token)

	assert.Equal(t, http.StatusSeeOther, res.Status)
	assert.Equal(t, "/vc-admin/auth/confirm?token="+token, res.Header.Get("Location"))
	assert.Equal(t, "no-referrer", res.Header.Get("Referrer-Policy"))
	page := ada.get(res.Header.Get("Location"))
	assert.Equal(t, http.StatusOK, page.Status)
	assert.Equal(t, "no-referrer", page.Header.Get("Referrer-Policy"))
	s.newBrowser(t).trySignIn("ada@sunrise.example", testPassword).
		requireError(http.StatusForbidden, "ERRUNVERIFIED")
	user, err := s.store.UserByEmail(t.Context(), "ada@sunrise.example")
	require.NoError(t, err)
	_, err = s.provider.CustomerOf(t.Context(), payment.Owner{OrganisationID: user.OrganisationID, Email: user.Email})
	assert.Equal(t, fault.NotFound, fault.CodeOf(err), "the customer is created after the verification")
}

func TestPreHijacking_OwnerRejectsTheRegistrationAndRegisters(t *testing.T) {
	s := newTestServer(t)
	token := s.registerForeignEmail(t)
	ada := s.newBrowser(t)

	confirmation := decodeJSON[struct{ Org, Email string }](ada.post("/vc-admin/auth/verify/show", tokenBody(token)))
	assert.Equal(t, "Sunrise Clinic", confirmation.Org)
	assert.Equal(t, "ada@sunrise.example", confirmation.Email)
	assert.Equal(t, http.StatusOK, ada.post("/vc-admin/auth/verify/reject", tokenBody(token)).Status)

	ada.post("/vc-admin/auth/verify/reject", tokenBody(token)).requireError(http.StatusNotFound, "ERRNOTFOUND")
	ada.post("/vc-admin/auth/verify/show", tokenBody(token)).requireError(http.StatusNotFound, "ERRNOTFOUND")
	s.newBrowser(t).trySignIn("ada@sunrise.example", testPassword).
		requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	ada.get(ada.register("Sunrise Clinic", "ada@sunrise.example"))
	ada.signIn("ada@sunrise.example")
}

func TestPreHijacking_BrowserOfRejectedRegistrationMustConfirmNextRegistration(t *testing.T) {
	s := newTestServer(t)
	ada := s.newBrowser(t)
	_, token, _ := strings.Cut(ada.register("Sunrise Clinic", "ada@sunrise.example"), "token=")
	ada.post("/vc-admin/auth/verify/reject", tokenBody(token))

	res := ada.get("/vc-admin/auth/verify?token=" + s.registerForeignEmail(t))

	assert.Contains(t, res.Header.Get("Location"), "/vc-admin/auth/confirm")
}

func TestConfirmRegistration_InAnotherBrowserVerifiesAndSignsIn(t *testing.T) {
	s := newTestServer(t)
	token := s.registerForeignEmail(t)
	phone := s.newBrowser(t)

	res := phone.post("/vc-admin/auth/verify/confirm", confirmBody(token, testPassword))

	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	user := phone.detail()
	require.NotNil(t, user)
	assert.Equal(t, "ada@sunrise.example", user.Email)
	org, err := s.store.Organisation(t.Context(), user.OrgID)
	require.NoError(t, err)
	assert.NotEmpty(t, org.Billing.CustomerID, "the verification creates the customer")
	phone.post("/vc-admin/auth/verify/reject", tokenBody(token)).requireError(http.StatusConflict, "ERRCONFLICT")
	laptop := s.newBrowser(t)
	assert.Equal(t, "/vc-admin/dash?verified=1", laptop.get("/vc-admin/auth/verify?token="+token).Header.Get("Location"))
	laptop.signIn("ada@sunrise.example")
}

func TestConfirmRegistration_SharesTheRateLimitOfSignIns(t *testing.T) {
	s := newRateLimitedServer(t)
	token := s.registerForeignEmail(t)
	b := s.newBrowserWithIP(t, "203.0.113.7")
	for range 9 {
		b.post("/vc-admin/auth/verify/confirm", confirmBody(token, "Wrong1horse")).
			requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
	}
	b.guessPasswords("ada@sunrise.example", 1)
	b.post("/vc-admin/auth/verify/confirm", confirmBody(token, testPassword)).requireRateLimited("360", "6 minutes")
	s.newBrowserWithIP(t, "203.0.113.8").post("/vc-admin/auth/verify/confirm", confirmBody(token, testPassword)).
		requireRateLimited("360", "6 minutes")
}

func TestVerifyEmail_RedirectsToDashboardWithOutcome(t *testing.T) {
	s := newTestServer(t)
	b := s.newBrowser(t)
	const failureURL = "/vc-admin/dash?verified=0"

	assert.Equal(t, failureURL, b.get("/vc-admin/auth/verify").Header.Get("Location"))
	assert.Equal(t, failureURL, b.get("/vc-admin/auth/verify?token=guess").Header.Get("Location"))

	link := b.register("Sunrise Clinic", "ada@sunrise.example")
	for range 2 {
		res := b.get(link)
		assert.Equal(t, "/vc-admin/dash?verified=1", res.Header.Get("Location"), "opening the link again has no effect")
		assert.Equal(t, "no-referrer", res.Header.Get("Referrer-Policy"))
	}

	expiredLink := b.register("Sunset Clinic", "bob@sunset.example")
	s.advance(t, 49*time.Hour)
	assert.Equal(t, failureURL, b.get(expiredLink).Header.Get("Location"))
}

func TestNewUser_IsAnAliasOfSignUp(t *testing.T) {
	b := newTestServer(t).newBrowser(t)

	res := b.post("/vc-admin/user-diy/new-user?debug=true", registrationBody("Sunrise Clinic", "ada@sunrise.example"))

	assert.Equal(t, http.StatusCreated, res.Status)
	body := decodeJSON[struct {
		User struct{ ID, Email string }
		Org  struct{ ID string }
	}](res)
	assert.Equal(t, "ada@sunrise.example", body.User.Email)
	assert.NotEmpty(t, body.User.ID)
	assert.NotEmpty(t, body.Org.ID)
}

func TestResendVerification_DoesNotRevealAccounts(t *testing.T) {
	s := newTestServer(t)
	s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	s.newBrowser(t).register("Harbour Clinic", "unverified@harbour.example")
	emailCount := len(s.mailbox.Emails())
	resend := func(email string) response {
		return s.newBrowser(t).post("/vc-admin/auth/verify/resend", map[string]any{"email": email})
	}
	for _, email := range []string{"ada@sunrise.example", "unverified@harbour.example"} {
		requireSameResponse(t, resend("unknown@sunrise.example"), resend(email))
	}
	s.deliverMail(t)
	assert.Len(t, s.mailbox.Emails(), emailCount+1, "only unverified users receive an email")
}
