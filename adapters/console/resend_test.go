package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/console"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
)

// openResend opens the form of an organisation, and returns its page and the filled-in form without the choice of an email.
func openResend(t *testing.T, c *console.Console, organisationID string) (path, page string, form url.Values) {
	t.Helper()
	path = "/console/organisations/" + organisationID + "/resend"
	w := get(c, path, "sue")
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	token := tokenPattern.FindStringSubmatch(w.Body.String())
	require.NotNil(t, token)
	return path, w.Body.String(), url.Values{"token": {token[1]}, "reason": {"customer_request"}, "ticket": {"T-1"}}
}

// choice returns the value of the first option whose text begins with the prefix.
func choice(t *testing.T, page, prefix string) string {
	t.Helper()
	match := regexp.MustCompile(`<option value="([^"]+)"[^>]*>` + prefix).FindStringSubmatch(page)
	require.NotNil(t, match, page)
	return match[1]
}

// deliveredTo delivers the emails and returns the number of those to the address whose subject contains the text.
func deliveredTo(env *apptest.Env, address, subject string) (count int) {
	env.DeliverEmails(env.App)
	for _, message := range env.Mailbox.Emails() {
		if message.To == address && strings.Contains(message.Subject, subject) {
			count++
		}
	}
	return count
}

func TestResend_SendsALinkAnewOnce(t *testing.T) {
	for name, tt := range map[string]struct {
		address, choice, subject, notice string
		earlier                          int // emails with the subject
	}{
		"new password": {"ann@example.com", "Link for a new password, to Ann Lee", "Choose a new password", "password_reset", 0},
		"invitation":   {"bob@example.com", "Invitation, to bob@example.com", "invite", "invitation", 1},
		"confirmation": {"cleo@example.com", "Link to confirm the address, to Ann Lee", "Confirm your email", "verification", 1},
	} {
		t.Run(name, func(t *testing.T) {
			env := apptest.New(t)
			c, owner := newConsole(t, env, nil), env.SignUp("ann")
			require.NoError(t, env.App.InviteMember.Do(t.Context(), owner.Identity, "bob@example.com", account.BillingMember))
			org := owner.OrganisationID
			if tt.notice == "verification" {
				user, err := env.App.SignUp.Do(t.Context(), apptest.Registration("cleo"), nil)
				require.NoError(t, err)
				org = user.OrganisationID
			}
			require.Equal(t, tt.earlier, deliveredTo(env, tt.address, tt.subject))
			path, page, form := openResend(t, c, org)
			form.Set("email", choice(t, page, tt.choice))

			var clicks sync.WaitGroup
			for range 2 { // a double click
				clicks.Go(func() {
					w := send(c, request(http.MethodPost, path, "sue", form))
					assert.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
				})
			}
			clicks.Wait()
			w := send(c, request(http.MethodPost, path, "sue", form))
			assert.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())

			assert.Equal(t, tt.earlier+1, deliveredTo(env, tt.address, tt.subject))
			entries := entriesOf(t, env, org, audit.OperatorResentEmail)
			require.Len(t, entries, 1)
			assert.Equal(t, audit.Operator("sue"), entries[0].Actor)
			assert.Equal(t, audit.Data{"reason": "customer_request", "ticket": "T-1", "notice": tt.notice}, entries[0].Data)
			timeline := get(c, "/console/organisations/"+org, "sue").Body.String()
			assert.Contains(t, timeline, "Email sent again")
			assert.Contains(t, timeline, "accepted by the mail server")
		})
	}
}

func TestResend_SendsAStoredEmailAgainToItsAddress(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly)
	env.DeliverEvents()
	require.Equal(t, 1, deliveredTo(env, "ann@example.com", "Payment received"))
	path, page, form := openResend(t, c, user.OrganisationID)
	assert.NotContains(t, page, "<table", "the form shows no content of emails")
	form.Set("email", choice(t, page, `1 March 12:00 UTC, Payment received[^<]*, to ann@example.com`))

	for range 2 {
		w := send(c, request(http.MethodPost, path, "sue", form))
		assert.Equal(t, http.StatusSeeOther, w.Code, w.Body.String())
	}

	assert.Equal(t, 2, deliveredTo(env, "ann@example.com", "Payment received"))
	entries := entriesOf(t, env, user.OrganisationID, audit.OperatorResentEmail)
	require.Len(t, entries, 1)
	assert.Equal(t, "payment_received", entries[0].Data["notice"])
	finished := entriesOf(t, env, user.OrganisationID, audit.EmailFinished)
	assert.Equal(t, "payment_received", finished[len(finished)-1].Data["notice"])

	env.Advance(31 * 24 * time.Hour)
	require.NoError(t, env.App.Sweep.Do(t.Context()))
	_, page, form = openResend(t, c, user.OrganisationID)
	assert.NotContains(t, page, "Payment received", "the email was deleted")
	form.Set("email", "email:"+entries[0].Subject)
	assert.Equal(t, http.StatusBadRequest, send(c, request(http.MethodPost, path, "sue", form)).Code)
}

func TestResend_IsRefusedForAddressesThatAreNotStoredOrUnreachable(t *testing.T) {
	env := apptest.New(t)
	c, user := newConsole(t, env, nil), env.SignUp("ann")
	other := env.SignUp("bob")
	path, page, form := openResend(t, c, user.OrganisationID)
	chosen := choice(t, page, "Link for a new password")
	for _, id := range []string{"", "link:" + other.UserID, "email:1", "mallory@example.com"} {
		form.Set("email", id)
		w := send(c, request(http.MethodPost, path, "sue", form))
		assert.Equal(t, http.StatusBadRequest, w.Code, id)
		assert.Contains(t, w.Body.String(), "Choose an email that is stored.")
	}
	require.NoError(t, env.Store.MarkUnreachable(t.Context(), user.OrganisationID, "ann@example.com", env.Clock.Now()))
	form.Set("email", chosen)
	for _, r := range []*http.Request{request(http.MethodPost, path, "sue", form), request(http.MethodGet, path, "sue", nil)} {
		w := send(c, r)
		assert.Equal(t, http.StatusConflict, w.Code)
		assert.Contains(t, w.Body.String(), "The mail server of the address refuses emails.")
	}
	assert.Contains(t, actionList(t, c, user.OrganisationID, "sue"), "The mail server of the address refuses emails.")
	assert.Empty(t, entriesOf(t, env, user.OrganisationID, audit.OperatorResentEmail))
}
