package httpapi_test

import (
	"net/http"
	"regexp"
	"strconv"
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

func (b *browser) role() account.Role {
	b.t.Helper()
	return decodeJSON[struct{ Detail struct{ Role account.Role } }](b.get("/vc-admin/user/detail")).Detail.Role
}

func (b *browser) userID() string { return b.detail().ID }

// selectOrganisation switches the session to the organisation.
func (b *browser) selectOrganisation(id string) response {
	b.t.Helper()
	return b.post("/vc-admin/user/organisation", map[string]any{"id": id})
}

// postFromPageOf sends a request of a page that shows the organisation.
func (b *browser) postFromPageOf(organisationID, path string, body any) response {
	b.t.Helper()
	r := b.newRequest(http.MethodPost, path, body)
	r.Header.Set("X-Organisation-Id", organisationID)
	return b.send(r)
}

// joinSecondOrganisation returns the browser of an owner who is also a billing member of another organisation, which is
// selected.
func joinSecondOrganisation(t *testing.T, s *testServer) (b *browser, own, joined string) {
	t.Helper()
	other := s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	b = s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	own, joined = b.detail().OrgID, other.detail().OrgID
	token := other.invite("ada@sunrise.example", account.BillingMember)
	require.Equal(t, http.StatusOK, b.tryAccept(map[string]any{"token": token}).Status)
	require.Equal(t, joined, b.detail().OrgID, "joining selects the organisation")
	return b, own, joined
}

func TestOrganisationHeader_RefusesAPaymentOfATabOfAnotherOrganisation(t *testing.T) {
	s := newTestServer(t)
	b, own, joined := joinSecondOrganisation(t, s)
	require.Equal(t, http.StatusOK, b.selectOrganisation(own).Status)
	card := b.createCard("4242424242424242")
	require.Equal(t, http.StatusOK, b.selectOrganisation(joined).Status, "in another tab")

	for path, body := range map[string]any{
		"/vc-admin/user-diy/subscribe":       disableTrial(subscribeBody(card)),
		"/vc-admin/org/customer/cards/add":   map[string]any{"paymentMethodId": card, "set_default": true},
		"/vc-admin/org/subscription/pay":     map[string]any{"invoiceId": "in_unknown", "amount": 1},
		"/vc-admin/org/billing/edit":         map[string]any{"email": "pay@sunrise.example"},
		"/vc-admin/org/members/leave":        nil,
		"/vc-admin/org/subscription/cancel":  nil,
		"/vc-admin/user/password":            nil,
		"/vc-admin/org/subscription/quote":   priceBody("professional_yearly", "yearly"),
		"/vc-admin/org/customer/cards/page":  nil,
		"/vc-admin/user-diy/new-customer":    nil,
		"/vc-admin/org/invoices/x/transfer":  nil,
		"/vc-admin/org/billing/email/resend": nil,
		"/vc-admin/org/subscription/update":  priceBody("professional_yearly", "yearly"),
		"/vc-admin/org/customer/edit":        nil,
		"/vc-admin/org/members/invite":       map[string]any{"email": "sam@sunrise.example", "role": "owner"},
		"/vc-admin/org/subscription/resume":  nil,
		"/vc-admin/org/customer/cards/del":   map[string]any{"paymentMethodId": card},
		"/vc-admin/org/members/del":          map[string]any{"userId": "usr_unknown"},
		"/vc-admin/org/members/edit":         map[string]any{"userId": "usr_unknown", "role": "owner"},
		"/vc-admin/org/subscription/list":    nil,
		"/vc-admin/org/invoices/list":        nil,
		"/vc-admin/org/customer":             nil,
		"/vc-admin/org/members/revoke":       map[string]any{"email": "sam@sunrise.example"},
		"/vc-admin/org/members/resend":       map[string]any{"email": "sam@sunrise.example"},
		"/vc-admin/user/sessions/end":        map[string]any{"others": true},
		"/vc-admin/user/two-step/start":      map[string]any{},
		"/vc-admin/user/edit":                nil,
		"/vc-admin/user/email":               map[string]any{"email": "new@sunrise.example"},
	} {
		res := b.postFromPageOf(own, path, body)
		require.Equal(t, http.StatusConflict, res.Status, "%s: %s", path, res.Body)
		assert.Equal(t, "ERRORGANISATION", res.Name, path)
		assert.Equal(t, "You switched to Harbour Clinic.", res.Message, path)
	}

	assert.JSONEq(t, `{"data": []}`, string(b.get("/vc-admin/org/customer/cards").Body))
	assert.Nil(t, b.detail().License)
	require.Equal(t, http.StatusOK, b.selectOrganisation(own).Status)
	assert.Nil(t, b.detail().License)
	res := b.postFromPageOf(own, "/vc-admin/user-diy/subscribe?debug=true", disableTrial(subscribeBody(card)))
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	assert.NotNil(t, b.detail().License, "the page's organisation pays after switching back")
	require.Equal(t, http.StatusOK, b.selectOrganisation(joined).Status)
	assert.Nil(t, b.detail().License)
}

func TestOrganisationHeader_NeverSelectsAnOrganisation(t *testing.T) {
	s := newTestServer(t)
	stranger := s.signUp(t, "Stranger Clinic", "eve@stranger.example").detail().OrgID
	b, own, joined := joinSecondOrganisation(t, s)
	for _, id := range []string{own, stranger, "org_unknown"} {
		b.postFromPageOf(id, "/vc-admin/org/invoices/list", nil).requireError(http.StatusConflict, "ERRORGANISATION")
		assert.Equal(t, joined, b.detail().OrgID)
	}
	requireSameResponse(t, b.selectOrganisation("org_unknown"), b.selectOrganisation(stranger))
	assert.Equal(t, joined, b.detail().OrgID)

	res := b.post("/auth/login", map[string]any{
		"username": "ada@sunrise.example", "password": testPassword, "organisation": stranger,
	})
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	assert.Contains(t, []string{own, joined}, b.detail().OrgID, "an organisation of others is ignored at sign-in")
}

func TestRole_CannotBeAssignedByOtherFields(t *testing.T) {
	s, owner := newServerWithUser(t)
	count := 0
	for name, value := range map[string]any{
		"role": "owner", "Role": "owner", "orgId": "x", "organisation": map[string]any{"role": "owner"},
		"organisationId": owner.detail().OrgID, "memberships": []any{map[string]any{"role": "owner"}}, "isOwner": true,
	} {
		count++
		token := owner.invite("sam"+strconv.Itoa(count)+"@sunrise.example", account.ReadingMember)
		body := acceptanceBody(token)
		body[name] = value
		member := s.newBrowser(t)
		if res := member.tryAccept(body); res.Status != http.StatusOK {
			require.Equal(t, http.StatusBadRequest, res.Status, "%s: %s", name, res.Body)
			require.Equal(t, http.StatusOK, member.tryAccept(acceptanceBody(token)).Status)
		}
		assert.Equal(t, account.ReadingMember, member.role(), name)

		profile := map[string]any{"firstName": "Sam", "lastName": "Roe", "phone": "", name: value}
		member.send(member.newRequest(http.MethodPost, "/vc-admin/user/edit", profile))
		assert.Equal(t, account.ReadingMember, member.role(), name)
	}

	visitor := s.newBrowser(t)
	registration := registrationBody("Other Clinic", "eve@other.example")
	registration["orgId"], registration["organisationId"], registration["role"] = owner.detail().OrgID, owner.detail().OrgID, "owner"
	if res := visitor.send(visitor.newRequest(http.MethodPost, "/vc-admin/signup", registration)); res.Status == http.StatusCreated {
		match := verificationLinkPattern.FindStringSubmatch(s.deliverMail(t))
		require.NotNil(t, match)
		visitor.get(match[1])
		visitor.signIn("eve@other.example")
		assert.NotEqual(t, owner.detail().OrgID, visitor.detail().OrgID)
	}
	for _, m := range decodeJSON[struct{ Members []struct{ Email string } }](owner.get("/vc-admin/org/members")).Members {
		assert.NotEqual(t, "eve@other.example", m.Email)
	}
}

func TestRemovedMember_OpenPageIsSignedOut(t *testing.T) {
	_, owner := newServerWithUser(t)
	member := owner.addMember("sam@sunrise.example", account.BillingMember)
	org := member.detail().OrgID
	res := owner.post("/vc-admin/org/members/del", map[string]any{"userId": member.userID()})
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)

	member.get("/vc-admin/org/customer/cards").requireError(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
	member.postFromPageOf(org, "/vc-admin/user-diy/new-customer", nil).requireError(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
	member.get("/vc-admin/org/members").requireError(http.StatusUnauthorized, "ERRUNAUTHENTICATED")
	assert.JSONEq(t, `{"detail": null}`, string(member.get("/vc-admin/user/detail").Body))
	member.trySignIn("sam@sunrise.example", testPassword).requireError(http.StatusUnauthorized, "ERRCREDENTIALS")
}

func TestForeignMembers_GetSameResponseAsUnknownOnes(t *testing.T) {
	s := newTestServer(t)
	bob := s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	bobsMember := bob.addMember("sam@harbour.example", account.ReadingMember)
	bob.invite("kim@harbour.example", account.BillingMember)
	ada := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")

	for _, id := range []string{bob.userID(), bobsMember.userID()} {
		for path, newBody := range map[string]func(id string) map[string]any{
			"/vc-admin/org/members/del":  func(id string) map[string]any { return map[string]any{"userId": id} },
			"/vc-admin/org/members/edit": func(id string) map[string]any { return map[string]any{"userId": id, "role": "member"} },
		} {
			unknown := ada.post(path, newBody("usr_unknown"))
			unknown.requireError(http.StatusNotFound, "ERRNOTFOUND")
			requireSameResponse(t, unknown, ada.post(path, newBody(id)))
		}
	}
	for _, path := range []string{"/vc-admin/org/members/resend", "/vc-admin/org/members/revoke"} {
		unknown := ada.post(path, map[string]any{"email": "unknown@harbour.example"})
		unknown.requireError(http.StatusNotFound, "ERRNOTFOUND")
		requireSameResponse(t, unknown, ada.post(path, map[string]any{"email": "kim@harbour.example"}))
	}
	assert.Equal(t, account.Owner, bob.role())
	assert.Equal(t, account.ReadingMember, bobsMember.role())
}

func TestInvite_AnswersTheSameForKnownAndUnknownAddresses(t *testing.T) {
	s := newTestServer(t)
	s.signUp(t, "Harbour Clinic", "bob@harbour.example")
	s.newBrowser(t).register("Pending Clinic", "pending@clinic.example")
	ada := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")

	unknown := ada.tryInvite("unknown@harbour.example", account.BillingMember)
	require.Equal(t, http.StatusAccepted, unknown.Status, "%s", unknown.Body)
	for _, email := range []string{"bob@harbour.example", "pending@clinic.example"} {
		requireSameResponse(t, unknown, ada.tryInvite(email, account.BillingMember))
		requireSameResponse(t, unknown, ada.post("/vc-admin/org/members/resend", map[string]any{"email": email}))
	}
}

func TestInvite_IsLimitedPerEmailOrganisationAndAddress(t *testing.T) {
	s := newRateLimitedServer(t)
	signUp := func(name string) *browser {
		b := s.newBrowserWithIP(t, "203.0.113."+strconv.Itoa(len(name)))
		require.Equal(t, http.StatusSeeOther, b.get(b.register(name+" Clinic", name+"@clinic.example")).Status)
		b.signIn(name + "@clinic.example")
		return b
	}
	ada, bobby, carola := signUp("ada"), signUp("bobby"), signUp("carola")

	// The limit of the address counts the invitations of both organisations.
	require.Equal(t, http.StatusAccepted, ada.tryInvite("sam@victim.example", account.Owner).Status)
	require.Equal(t, http.StatusAccepted, ada.post("/vc-admin/org/members/resend", map[string]any{"email": "sam@victim.example"}).Status)
	require.Equal(t, http.StatusAccepted, bobby.tryInvite("SAM@victim.example", account.Owner).Status)
	bobby.tryInvite("sam@victim.example", account.Owner).requireRateLimited("1200", "20 minutes")
	ada.post("/vc-admin/org/members/resend", map[string]any{"email": "sam@victim.example"}).requireRateLimited("1200", "20 minutes")

	ada.tryInvite("ada@clinic.example", account.Owner).requireError(http.StatusConflict, "ERRCONFLICT")
	for i := range 18 {
		res := ada.tryInvite("p"+strconv.Itoa(i)+"@victim.example", account.ReadingMember)
		require.Equal(t, http.StatusAccepted, res.Status, "refused requests are not counted: %s", res.Body)
	}
	ada.address = "203.0.113.99"
	ada.tryInvite("another@victim.example", account.ReadingMember).requireRateLimited("180", "3 minutes")

	carola.address = "203.0.113.3" // the address of ada, from which 20 invitations were sent
	carola.tryInvite("another@victim.example", account.ReadingMember).requireRateLimited("180", "3 minutes")
	carola.address = "203.0.113.98"
	require.Equal(t, http.StatusAccepted, carola.tryInvite("another@victim.example", account.ReadingMember).Status)
}

func TestInvitationLinks_GuessesAreRateLimited(t *testing.T) {
	s := newRateLimitedServer(t)
	owner := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	token := owner.invite("sam@sunrise.example", account.ReadingMember)
	const show = "/vc-admin/auth/invitation/show"
	visitor := s.newBrowserWithIP(t, "198.51.100.7")
	for range 25 {
		require.Equal(t, http.StatusOK, visitor.post(show, map[string]any{"token": token}).Status, "usable links are not counted")
	}
	for range 20 {
		visitor.post(show, map[string]any{"token": "guess"}).requireError(http.StatusNotFound, "ERRNOTFOUND")
		visitor.tryAccept(acceptanceBody("guess")).requireError(http.StatusNotFound, "ERRNOTFOUND")
	}
	visitor.post(show, map[string]any{"token": token}).requireRateLimited("180", "3 minutes")
	visitor.tryAccept(acceptanceBody(token)).requireRateLimited("180", "3 minutes")
}

func TestInvitationLinks_UnusableOnesGetOneResponse(t *testing.T) {
	s, owner := newServerWithUser(t)
	used := owner.invite("used@sunrise.example", account.ReadingMember)
	require.Equal(t, http.StatusOK, s.newBrowser(t).tryAccept(acceptanceBody(used)).Status)
	revoked := owner.invite("revoked@sunrise.example", account.Owner)
	require.Equal(t, http.StatusOK, owner.post("/vc-admin/org/members/revoke", map[string]any{"email": "revoked@sunrise.example"}).Status)
	replaced := owner.invite("replaced@sunrise.example", account.Owner)
	owner.invite("replaced@sunrise.example", account.ReadingMember)

	second := owner.addMember("second@sunrise.example", account.Owner)
	demoted := second.invite("friend@sunrise.example", account.Owner)
	res := owner.post("/vc-admin/org/members/edit", map[string]any{"userId": second.userID(), "role": "member"})
	require.Equal(t, http.StatusOK, res.Status, "%s", res.Body)
	third := owner.addMember("third@sunrise.example", account.Owner)
	removed := third.invite("other@sunrise.example", account.Owner)
	require.Equal(t, http.StatusOK, owner.post("/vc-admin/org/members/del", map[string]any{"userId": third.userID()}).Status)
	expired := owner.invite("expired@sunrise.example", account.Owner)
	s.advance(t, account.InvitationLifetime)

	visitor := s.newBrowser(t)
	unknown := visitor.tryAccept(acceptanceBody("unknown"))
	unknown.requireError(http.StatusNotFound, "ERRNOTFOUND")
	for name, token := range map[string]string{
		"used": used, "revoked": revoked, "replaced": replaced, "of a demoted owner": demoted, "of a removed owner": removed, "expired": expired,
	} {
		requireSameResponse(t, unknown, visitor.tryAccept(acceptanceBody(token)))
		requireSameResponse(t, unknown, visitor.post("/vc-admin/auth/invitation/show", map[string]any{"token": token}))
		assert.JSONEq(t, `{"detail": null}`, string(visitor.get("/vc-admin/user/detail").Body), name)
	}
}

func TestMemberChanges_ShareOneLimitPerUser(t *testing.T) {
	s := newRateLimitedServer(t)
	owner := s.signUp(t, "Sunrise Clinic", "ada@sunrise.example")
	second := owner.addMember("sam@sunrise.example", account.Owner)
	third := owner.addMember("kim@sunrise.example", account.ReadingMember)
	edit := map[string]any{"userId": third.userID(), "role": "billing"}
	for range 10 {
		require.Equal(t, http.StatusOK, owner.post("/vc-admin/org/members/edit", edit).Status)
		owner.post("/vc-admin/org/members/del", map[string]any{"userId": "usr_unknown"}).requireError(http.StatusNotFound, "ERRNOTFOUND")
		owner.post("/vc-admin/org/members/revoke", map[string]any{"email": "no@sunrise.example"}).requireError(http.StatusNotFound, "ERRNOTFOUND")
	}

	for path, body := range map[string]any{
		"edit": edit, "del": map[string]any{"userId": third.userID()}, "revoke": map[string]any{"email": "no@sunrise.example"}, "leave": nil,
	} {
		owner.post("/vc-admin/org/members/"+path, body).requireRateLimited("120", "2 minutes")
	}
	require.Equal(t, http.StatusOK, second.post("/vc-admin/org/members/edit", edit).Status, "another owner has a limit of their own")
	s.advance(t, 2*time.Minute)
	require.Equal(t, http.StatusOK, owner.post("/vc-admin/org/members/edit", edit).Status)
}

func TestSwitchOrganisation_IsLimitedPerUser(t *testing.T) {
	s := newRateLimitedServer(t)
	b, own, joined := joinSecondOrganisation(t, s)
	for range 30 {
		require.Equal(t, http.StatusOK, b.selectOrganisation(own).Status)
		require.Equal(t, http.StatusOK, b.selectOrganisation(joined).Status)
	}

	b.selectOrganisation(own).requireRateLimited("60", "60 seconds")
	assert.Equal(t, joined, b.detail().OrgID)
	s.advance(t, time.Minute)
	require.Equal(t, http.StatusOK, b.selectOrganisation(own).Status)
}

func TestInvite_BillingMemberIsForbidden(t *testing.T) {
	s := newTestServer(t)
	b := s.signUpWithRole(t, "Billing Clinic", "billing@roles.example", account.BillingMember)
	before := len(s.deliverMail(t))

	b.post("/vc-admin/org/members/invite", map[string]any{"email": "sam@example.com", "role": "owner"}).
		requireError(http.StatusForbidden, "ERRFORBIDDEN")

	assert.NotContains(t, s.deliverMail(t)[before:], "sam@example.com")
}
