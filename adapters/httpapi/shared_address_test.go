package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// registerSharedAddress registers Ada's address in Ada's browser, and a second later in a stranger's browser.
// It returns Ada's browser.
func (s *testServer) registerSharedAddress(t *testing.T) *browser {
	t.Helper()
	ada := s.newBrowser(t)
	ada.register("Sunrise Clinic", "ada@sunrise.example")
	s.advance(t, time.Second)
	s.newBrowser(t).register("Strange Clinic", "ada@sunrise.example")
	return ada
}

// organisationName returns the name of the signed-in user's organisation.
func (b *browser) organisationName() string {
	b.t.Helper()
	require.NotNil(b.t, b.detail())
	org, err := b.server.store.Organisation(b.t.Context(), b.detail().OrgID)
	require.NoError(b.t, err)
	return org.Name
}

func TestSharedAddress_ResendIsForTheRegistrationOfTheBrowser(t *testing.T) {
	s := newTestServer(t)
	ada := s.registerSharedAddress(t)

	ada.post("/vc-admin/auth/verify/resend", map[string]any{"email": "ada@sunrise.example"})

	link := verificationLinkPattern.FindStringSubmatch(s.deliverMail(t))
	require.NotNil(t, link)
	assert.Equal(t, "/vc-admin/dash?verified=1", ada.get(link[1]).Header.Get("Location"))
	ada.signIn("ada@sunrise.example")
	assert.Equal(t, "Sunrise Clinic", ada.organisationName())
}

func TestSharedAddress_PasswordResetIsForTheRegistrationOfTheBrowser(t *testing.T) {
	s := newTestServer(t)
	ada := s.registerSharedAddress(t)

	res := ada.resetPassword(ada.requestPasswordReset("ada@sunrise.example"))

	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	require.Equal(t, http.StatusOK, ada.trySignIn("ada@sunrise.example", newPassword).Status)
	assert.Equal(t, "Sunrise Clinic", ada.organisationName())
}

func TestSharedAddress_SignInUsesTheRegistrationOfTheBrowser(t *testing.T) {
	s := newTestServer(t)
	ada := s.newBrowser(t)
	ada.register("Sunrise Clinic", "ada@sunrise.example")
	s.advance(t, time.Second)
	body := registrationBody("Strange Clinic", "ada@sunrise.example")
	body["password"] = newPassword
	require.Equal(t, http.StatusCreated, s.newBrowser(t).post("/vc-admin/signup", body).Status)

	ada.trySignIn("ada@sunrise.example", testPassword).requireError(http.StatusForbidden, "ERRUNVERIFIED")
	s.newBrowser(t).trySignIn("ada@sunrise.example", testPassword).
		requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
}

// In a browser that registered neither, a password reset would verify the stranger's registration as Ada's account.
func TestSharedAddress_OtherBrowsersGetTheVerificationInsteadOfAPasswordReset(t *testing.T) {
	s := newTestServer(t)
	s.registerSharedAddress(t)
	phone := s.newBrowser(t)

	phone.forgotPassword("ada@sunrise.example")

	link := verificationLinkPattern.FindStringSubmatch(s.deliverMail(t))
	require.NotNil(t, link, "the verification email is sent")
	_, token, _ := strings.Cut(link[1], "token=")
	assert.Contains(t, string(phone.post("/vc-admin/auth/verify/show", tokenBody(token)).Body), "Strange Clinic")
	require.Equal(t, http.StatusOK, phone.post("/vc-admin/auth/verify/reject", tokenBody(token)).Status)

	// Ada's registration is the only one now.
	res := phone.resetPassword(phone.requestPasswordReset("ada@sunrise.example"))
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	require.Equal(t, http.StatusOK, phone.trySignIn("ada@sunrise.example", newPassword).Status)
	assert.Equal(t, "Sunrise Clinic", phone.organisationName())
}

func TestPasswordReset_NamesWhatAnotherRegistrationHasTaken(t *testing.T) {
	tests := []struct {
		name        string
		org, email  string
		wantMessage string
	}{
		{"address", "Sunset Clinic", "ada@sunrise.example", "with this email address was verified first"},
		{"organisation's name", "Sunrise Clinic", "bob@sunrise.example", "with this organisation name was verified first"},
		{"both", "Sunrise Clinic", "ada@sunrise.example", "with this email address was verified first"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newTestServer(t)
			ada, winner := s.newBrowser(t), s.newBrowser(t)
			ada.register("Sunrise Clinic", "ada@sunrise.example")
			token := ada.requestPasswordReset("ada@sunrise.example")
			winner.get(winner.register(tt.org, tt.email))

			res := ada.resetPassword(token)

			res.requireError(http.StatusConflict, "ERRCONFLICT")
			assert.Contains(t, string(res.Body), tt.wantMessage)
		})
	}
}
