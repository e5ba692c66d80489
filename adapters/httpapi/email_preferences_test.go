package httpapi_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
)

// preferenceToken returns the token of a link in an email about an expiring card.
func preferenceToken(org, email string) string {
	mac := hmac.New(sha256.New, preferenceKey)
	mac.Write([]byte("email preferences\x00card_expires\x00" + org + "\x00" + email))
	return "card_expires." + org + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// sendUnsubscribeRequest sends the request of a mail program when its user unsubscribes.
func (b *browser) sendUnsubscribeRequest(token, contentType, body string) response {
	b.t.Helper()
	url := b.server.server.URL + "/vc-admin/auth/emails?token=" + token
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", contentType)
	return b.send(r)
}

const unsubscribeForm = "List-Unsubscribe=One-Click"

type emailPreferences struct {
	Org     string
	Email   string
	Notices []struct {
		Kind     string
		Declined bool
	}
}

func TestUnsubscribe_OneClickRequestTurnsNoticesOffWithoutSession(t *testing.T) {
	var multipartForm bytes.Buffer
	w := multipart.NewWriter(&multipartForm)
	require.NoError(t, w.WriteField("List-Unsubscribe", "One-Click"))
	require.NoError(t, w.Close())
	for contentType, body := range map[string]string{
		"application/x-www-form-urlencoded": unsubscribeForm,
		w.FormDataContentType():             multipartForm.String(),
	} {
		s, member := newServerWithUser(t)
		token := preferenceToken(member.detail().OrgID, member.detail().Email)
		mailProgram := s.newBrowser(t)
		showPreferences := func() emailPreferences {
			return decodeJSON[emailPreferences](s.newBrowser(t).post("/vc-admin/auth/emails/show", tokenBody(token)))
		}
		require.Equal(t, http.StatusOK, mailProgram.get("/vc-admin/auth/emails?token="+token).Status)
		require.False(t, showPreferences().Notices[0].Declined, "opening the link changes nothing")

		for range 2 {
			res := mailProgram.sendUnsubscribeRequest(token, contentType, body)
			require.Equal(t, http.StatusOK, res.Status, "%s: %s", contentType, res.Body)
			assert.Empty(t, res.Header.Values("Set-Cookie"), "the request needs no session")
		}
		preferences := showPreferences()
		assert.Equal(t, member.detail().Email, preferences.Email)
		assert.Equal(t, "card_expires", preferences.Notices[0].Kind)
		assert.True(t, preferences.Notices[0].Declined)
	}
}

func TestUnsubscribe_RefusesMalformedBodiesAndInvalidTokens(t *testing.T) {
	s, member := newServerWithUser(t)
	org, email := member.detail().OrgID, member.detail().Email
	b := s.newBrowser(t)
	const form = "application/x-www-form-urlencoded"
	token := preferenceToken(org, email)
	b.sendUnsubscribeRequest(token, form, "").requireError(http.StatusBadRequest, "ERRVALIDATION")
	b.sendUnsubscribeRequest(token, "application/json", `{"List-Unsubscribe":"One-Click"}`).
		requireError(http.StatusBadRequest, "ERRVALIDATION")
	foreignToken := preferenceToken(org, "other@harbour.example")
	for _, invalidToken := range []string{foreignToken, "%00", "card_expires.%00.AA", "card_expires.%ff.AA"} {
		b.sendUnsubscribeRequest(invalidToken, form, unsubscribeForm).requireError(http.StatusNotFound, "ERRNOTFOUND")
	}
}

func TestEditEmailPreferences_ReplacesDeclinedNotices(t *testing.T) {
	s, member := newServerWithUser(t)
	token := preferenceToken(member.detail().OrgID, member.detail().Email)
	b := s.newBrowser(t)
	edit := func(kinds ...string) response {
		return b.post("/vc-admin/auth/emails/edit", map[string]any{"token": token, "declined": append([]string{}, kinds...)})
	}
	isDeclined := func() bool {
		return decodeJSON[emailPreferences](b.post("/vc-admin/auth/emails/show", tokenBody(token))).Notices[0].Declined
	}

	require.Equal(t, http.StatusOK, edit("card_expires").Status)
	assert.True(t, isDeclined())
	require.Equal(t, http.StatusOK, edit().Status)
	assert.False(t, isDeclined())
	edit("plan_renews_soon").requireError(http.StatusBadRequest, "ERRVALIDATION")
}

func TestBillingDetails_ContainTheTokenOfTheUsersEmailPreferences(t *testing.T) {
	s, member := newServerWithUser(t)
	type details struct{ EmailPreferencesToken string }

	token := decodeJSON[details](member.get("/vc-admin/org/billing/details")).EmailPreferencesToken

	preferences := decodeJSON[emailPreferences](s.newBrowser(t).post("/vc-admin/auth/emails/show", tokenBody(token)))
	assert.Equal(t, member.detail().Email, preferences.Email)
	edited := decodeJSON[details](member.post("/vc-admin/org/billing/edit", map[string]any{"purchaseOrder": "PO 1"}))
	assert.Equal(t, token, edited.EmailPreferencesToken)
}

func TestUserDetail_ReportsEmailThatMailServerRefused(t *testing.T) {
	const address = "accounts@" + devmail.RefusedDomain
	s, member := newServerWithUser(t)
	unreachableEmails := func() []string {
		return decodeJSON[struct {
			Detail struct{ UnreachableEmails []string }
		}](member.get("/vc-admin/user/detail")).Detail.UnreachableEmails
	}
	require.Equal(t, http.StatusOK, member.post("/vc-admin/org/billing/edit", map[string]any{"billingEmail": address}).Status)
	assert.Empty(t, unreachableEmails())

	_, err := s.useCases.DeliverMail.Do(t.Context())
	require.NoError(t, err)

	assert.Equal(t, []string{address}, unreachableEmails())
	resend := func(email string) response {
		return member.post("/vc-admin/org/billing/email/resend", map[string]any{"email": email})
	}
	assert.Equal(t, http.StatusAccepted, resend(address).Status)
	resend("other@harbour.example").requireError(http.StatusConflict, "ERRCONFLICT")
}
