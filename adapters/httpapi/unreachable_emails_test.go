package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/devmail"
)

func TestUnreachableEmails_AreReportedAfterSigningIn(t *testing.T) {
	const address = "accounts@" + devmail.RefusedDomain
	s, member := signUp(t)
	unreachable := func() []string {
		return decodeJSON[struct {
			Detail struct{ UnreachableEmails []string }
		}](member.get("/vc-admin/user/detail")).Detail.UnreachableEmails
	}
	require.Equal(t, http.StatusOK, member.post("/vc-admin/org/billing/edit", map[string]any{"billingEmail": address}).Status)
	assert.Empty(t, unreachable())

	_, err := s.useCases.DeliverMail.Do(t.Context())
	require.NoError(t, err)

	assert.Equal(t, []string{address}, unreachable())
	resend := func(email string) response {
		return member.post("/vc-admin/org/billing/email/resend", map[string]any{"email": email})
	}
	assert.Equal(t, http.StatusAccepted, resend(address).Status)
	resend("other@harbour.example").requireError(http.StatusConflict, "ERRCONFLICT")
}
