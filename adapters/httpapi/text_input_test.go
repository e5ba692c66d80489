package httpapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInternationalDomain_IsOneAccountInBothSpellings(t *testing.T) {
	s := newTestServer(t)
	s.signUp(t, "Sunrise Clinic", "Ada@München.de")

	assert.Equal(t, "ada@xn--mnchen-3ya.de", s.mailbox.Emails()[0].To, "emails are sent to the ASCII form")
	for _, spelling := range []string{"ada@xn--mnchen-3ya.de", "ada@mu\u0308nchen.de", "ADA@MÜNCHEN.DE"} {
		s.newBrowser(t).signIn(spelling)
		duplicate := s.newBrowser(t).post("/vc-admin/signup", registrationBody("Other Clinic", spelling))
		duplicate.requireError(http.StatusBadRequest, "ERRDUPLICATE")
		assert.NotEmpty(t, s.newBrowser(t).requestPasswordReset(spelling))
	}
}

func TestSignUp_AcceptsInternationalDomainsButNoInternationalLocalPart(t *testing.T) {
	s := newTestServer(t)
	for _, email := range []string{"a@пример.рф", "b@xn--e1afmkfd.xn--p1ai", "c@example.xn--fiqs8s"} {
		res := s.newBrowser(t).post("/vc-admin/signup", registrationBody("Clinic of "+email, email))
		assert.Equal(t, http.StatusCreated, res.Status, "%s: %s", email, res.Body)
	}
	for _, email := range []string{"ада@пример.рф", "a@localhost", "a..b@münchen.de", "a@münchen"} {
		res := s.newBrowser(t).post("/vc-admin/signup", registrationBody("Clinic of "+email, email))
		res.requireError(http.StatusBadRequest, "ERRVALIDATION")
		assert.Equal(t, map[string]string{"email": "Invalid email address!"}, res.Fields, email)
	}
}

// The address as it is pasted from an email program or a web page, in every call that accepts one.
func TestPastedEmail_IsTheAddressOfTheUser(t *testing.T) {
	s := newTestServer(t)
	const pasted = " <mailto:Ada@Sunrise.example>,\u200b "
	registration := registrationBody("“Sunrise Clinic”", pasted)
	registration["contact"] = "\u202a+61\u00a02\u20135550\u20130100\u202c"
	b := s.newBrowser(t)
	res := b.post("/vc-admin/signup", registration)
	require.Equal(t, http.StatusCreated, res.Status, "%s", res.Body)

	s.deliverMail(t)
	assert.Equal(t, "ada@sunrise.example", s.mailbox.Emails()[0].To)
	b.post("/vc-admin/auth/verify/resend", map[string]any{"email": pasted})
	link := verificationLinkPattern.FindStringSubmatch(s.deliverMail(t))
	require.NotNil(t, link)
	assert.Len(t, s.mailbox.Emails(), 2)
	assert.Equal(t, "/vc-admin/dash?verified=1", b.get(link[1]+".%20%E2%80%8B").Header.Get("Location"), "a pasted link")
	b.signIn(pasted)
	org := decodeJSON[map[string]any](b.get("/vc-admin/org/detail/" + b.detail().OrgID))
	assert.Equal(t, "Sunrise Clinic", org["name"])
	assert.Equal(t, "+61 2-5550-0100", org["phone"])

	token := b.requestPasswordReset(pasted)
	reset := b.post("/vc-admin/auth/password/reset", map[string]any{
		"token": " " + token + ".\r\n", "password": newPassword, "password_repeat": newPassword,
	})
	assert.JSONEq(t, `{"email": "ada@sunrise.example"}`, string(reset.Body))
}

func TestPastedBillingDetails_AreNormalised(t *testing.T) {
	s, b := newServerWithUser(t)
	res := b.post(editDetailsPath, map[string]any{
		"billingEmail": "„Konten@München.de“,", "phone": "tel:+49\u00a089\u20113456", "legalName": "«Sunrise GmbH»",
		"taxId": map[string]any{"type": "au_abn", "value": "\u200e５１\u00a0824–753–556\u200e"},
		"address": map[string]any{
			"line1": "1 High Street,", "line2": "", "country": "AU", "state": "New South Wales", "city": "Sydney", "postal_code": "“２０００”",
		},
	})
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)

	details := decodeJSON[map[string]any](b.get(detailsPath))
	assert.Equal(t, "konten@xn--mnchen-3ya.de", details["unconfirmedEmail"])
	assert.Equal(t, []any{"+49 89-3456", "Sunrise GmbH"}, []any{details["phone"], details["legalName"]})
	assert.Equal(t, map[string]any{"type": "au_abn", "value": "51824753556"}, details["taxId"])
	address, _ := details["address"].(map[string]any)
	assert.Equal(t, []any{"1 High Street", "2000"}, []any{address["line1"], address["postal_code"]})
	link := billingEmailLinkPattern.FindStringSubmatch(s.deliverMail(t))
	require.NotNil(t, link)
	b.post("/vc-admin/org/billing/email/resend", map[string]any{"email": "konten@MÜNCHEN.de"})
	resent := billingEmailLinkPattern.FindStringSubmatch(s.deliverMail(t))
	require.NotNil(t, resent)
	for _, path := range []string{"show", "confirm"} {
		confirmation := b.post("/vc-admin/auth/billing-email/"+path, tokenBody("<"+strings.ToUpper(resent[1])+">"))
		assert.Equal(t, http.StatusOK, confirmation.Status, "%s", confirmation.Body)
	}
	assert.Equal(t, "konten@xn--mnchen-3ya.de", decodeJSON[map[string]any](b.get(detailsPath))["billingEmail"])
}
