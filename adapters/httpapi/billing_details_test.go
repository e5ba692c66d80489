package httpapi_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	detailsPath     = "/vc-admin/org/billing/details"
	editDetailsPath = "/vc-admin/org/billing/edit"
)

func TestEditBillingDetails_ChangesOnlyTheGivenFields(t *testing.T) {
	_, b := newServerWithUser(t)
	initialDetails := decodeJSON[map[string]any](b.get(detailsPath))
	assert.Equal(t, "Sunrise Clinic", initialDetails["legalName"])
	assert.Nil(t, initialDetails["taxId"])
	assert.Equal(t, true, initialDetails["attachPdf"])

	details := decodeJSON[map[string]any](b.post(editDetailsPath, map[string]any{
		"purchaseOrder": "PO 1", "attachPdf": false, "taxId": map[string]any{"type": "au_abn", "value": "51 824 753 556"},
	}))
	want := map[string]any{"purchaseOrder": "PO 1", "attachPdf": false, "taxId": map[string]any{"type": "au_abn", "value": "51824753556"}}
	for field, value := range initialDetails {
		if _, ok := want[field]; !ok {
			want[field] = value
		}
	}
	assert.Equal(t, want, details)

	want["taxId"] = nil
	assert.Equal(t, want, decodeJSON[map[string]any](b.post(editDetailsPath, map[string]any{"taxId": nil})))
	assert.Equal(t, want, decodeJSON[map[string]any](b.get(detailsPath)))
}

func TestEditBillingDetails_ReportsErrorsByField(t *testing.T) {
	_, b := newServerWithUser(t)
	res := b.post(editDetailsPath, map[string]any{"legalName": " ", "taxId": map[string]any{"type": "au_abn", "value": "1"}})
	res.requireError(http.StatusBadRequest, "ERRVALIDATION")
	assert.Equal(t, map[string]string{"legalName": "Legal name is required", "taxId": "This is not a valid ABN"}, res.Fields)
}

var billingEmailLinkPattern = regexp.MustCompile(`/vc-admin/auth/billing-email\?token=(\w+)`)

func TestBillingEmail_CanBeConfirmedInAnyBrowser(t *testing.T) {
	s, b := newServerWithUser(t)
	details := decodeJSON[map[string]any](b.post(editDetailsPath, map[string]any{"billingEmail": "accounts@sunrise.example"}))
	assert.Equal(t, []any{"", "accounts@sunrise.example"}, []any{details["billingEmail"], details["unconfirmedEmail"]})
	link := billingEmailLinkPattern.FindStringSubmatch(s.deliverMail(t))
	require.NotNil(t, link)
	recipient := s.newBrowser(t)

	page := recipient.get(link[0])
	assert.Equal(t, http.StatusOK, page.Status)
	confirmation := recipient.post("/vc-admin/auth/billing-email/show", tokenBody(link[1]))
	assert.JSONEq(t, `{"org": "Sunrise Clinic", "email": "accounts@sunrise.example"}`, string(confirmation.Body))
	assert.Contains(t, string(b.get(detailsPath).Body), "unconfirmedEmail", "opening the link confirms nothing")

	for range 2 {
		assert.JSONEq(t, `{}`, string(recipient.post("/vc-admin/auth/billing-email/confirm", tokenBody(link[1])).Body))
		body := string(b.get(detailsPath).Body)
		assert.Contains(t, body, `"billingEmail":"accounts@sunrise.example"`)
		assert.NotContains(t, body, "unconfirmedEmail")
	}
	b.post("/vc-admin/org/billing/email/resend", nil).requireError(http.StatusConflict, "ERRCONFLICT")
	assert.Nil(t, recipient.detail(), "the link does not sign in")
}

// The limit counts only requests that send an email. A refused request changes nothing.
func TestBillingEmail_ConfirmationsAreRateLimited(t *testing.T) {
	s := newRateLimitedServer(t)
	b := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	b.address = "203.0.113.7"
	editEmail := func(email string) response { return b.post(editDetailsPath, map[string]any{"billingEmail": email}) }
	resend := func() response { return b.post("/vc-admin/org/billing/email/resend", nil) }
	require.Equal(t, http.StatusOK, editEmail("").Status)
	require.Equal(t, http.StatusOK, editEmail("ada@sunrise.example").Status, "the user's own address")
	editEmail("no address").requireError(http.StatusBadRequest, "ERRVALIDATION")
	require.Equal(t, http.StatusOK, editEmail("accounts@sunrise.example").Status)
	require.Equal(t, http.StatusOK, editEmail("accounts@sunrise.example").Status,
		"the address is already unconfirmed, so no email is sent")
	for range 2 {
		require.Equal(t, http.StatusAccepted, resend().Status)
	}
	resend().requireRateLimited("1200", "20 minutes")
	require.Equal(t, http.StatusOK, editEmail("other@sunrise.example").Status)
	editEmail("ACCOUNTS@sunrise.example").requireRateLimited("1200", "20 minutes")
	assert.Contains(t, string(b.get(detailsPath).Body), `"unconfirmedEmail":"other@sunrise.example"`)
	for i := range 16 {
		require.Equal(t, http.StatusOK, editEmail(fmt.Sprintf("accounts%d@sunrise.example", i)).Status)
	}
	editEmail("last@sunrise.example").requireRateLimited("180", "3 minutes")
}
