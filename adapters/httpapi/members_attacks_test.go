package httpapi_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

var invitationLinkPattern = regexp.MustCompile(`http://diy\.test/vc-admin/auth/invitation\?token=(\S+)`)

func (b *browser) tryInvite(email string, role account.Role) response {
	b.t.Helper()
	return b.post("/vc-admin/org/members/invite", map[string]any{"email": email, "role": role})
}

// invite invites a person and returns the token of the link in the email.
func (b *browser) invite(email string, role account.Role) (token string) {
	b.t.Helper()
	res := b.tryInvite(email, role)
	require.Equal(b.t, http.StatusAccepted, res.Status, "%s", res.Body)
	return b.server.invitationToken(b.t, email)
}

// invitationToken returns the token of the newest invitation to the address.
func (s *testServer) invitationToken(t testing.TB, email string) string {
	t.Helper()
	s.deliverMail(t)
	for _, message := range s.mailbox.Emails() {
		if match := invitationLinkPattern.FindStringSubmatch(message.Text); message.To == email && match != nil {
			return match[1]
		}
	}
	require.Fail(t, "no email with an invitation", email)
	return ""
}

// acceptanceBody returns the request with which a new person joins.
func acceptanceBody(token string) map[string]any {
	return map[string]any{"token": token, "firstName": "Sam", "lastName": "Roe", "password": testPassword}
}

func (b *browser) tryAccept(body map[string]any) response {
	b.t.Helper()
	return b.send(b.newRequest(http.MethodPost, "/vc-admin/auth/invitation/accept", body))
}

// addMember returns the browser of a new person who has joined the owner's organisation.
func (b *browser) addMember(email string, role account.Role) *browser {
	b.t.Helper()
	member := b.server.newBrowser(b.t)
	res := member.tryAccept(acceptanceBody(b.invite(email, role)))
	require.Equal(b.t, http.StatusOK, res.Status, "%s", res.Body)
	return member
}

func TestUserDetail_NamesTheOwnersToOtherMembers(t *testing.T) {
	s, owner := newServerWithUser(t)
	owners := func(b *browser) []string {
		return decodeJSON[struct{ Detail struct{ Owners []string } }](b.get("/vc-admin/user/detail")).Detail.Owners
	}
	member := owner.addMember("sam@sunrise.example", account.ReadingMember)
	assert.Equal(t, []string{"Ada Lovelace"}, owners(member))
	assert.Nil(t, owners(owner))

	s.advance(t, time.Minute)
	owner.addMember("second@sunrise.example", account.Owner)
	assert.Equal(t, []string{"Ada Lovelace", "Sam Roe"}, owners(member))
	assert.Equal(t, []string{"Ada Lovelace", "Sam Roe"}, owners(owner.addMember("pay@sunrise.example", account.BillingMember)))
}
