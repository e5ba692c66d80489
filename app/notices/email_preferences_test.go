package notices

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	contactEmail = "ann@practice.example"
	billingEmail = "accounts@practice.example"
)

// newUseCases returns use cases, their preferenceStore, and the organisation "harbour", which has two recipients.
func newUseCases(t *testing.T, ports Ports) (UseCases, preferenceStore, account.Organisation) {
	t.Helper()
	store, err := sqlstorage.Open(t.Context(), "sqlite:"+t.TempDir()+"/diy.db")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, store.Close()) })
	require.NoError(t, store.Migrate(t.Context()))
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	org := account.Organisation{ID: "harbour", Name: "Harbour Clinic", ContactEmail: contactEmail, CreatedAt: now}
	user := account.User{ID: "ann", OrganisationID: org.ID, Email: contactEmail, CreatedAt: now}
	verification := account.Verification{TokenHash: "token", UserID: user.ID, ExpiresAt: now}
	require.NoError(t, store.CreateSignUp(t.Context(), storage.SignUp{Organisation: org, User: user, Verification: verification}))
	org, err = store.UpdateOrganisation(t.Context(), org.ID, func(o *account.Organisation) error {
		o.Details = &account.BillingDetails{BillingEmail: billingEmail}
		return nil
	})
	require.NoError(t, err)
	ports.Store, ports.PublicURL, ports.PreferenceKey = store, "https://diy.test", []byte("key")
	u := New(ports)
	return u, u.Unsubscribe.preferences, org
}

func newToken(t *testing.T, p preferenceStore, org account.Organisation, email string, kind billing.NoticeKind) string {
	t.Helper()
	const page = "https://diy.test/vc-admin/auth/emails?token="
	link := p.links.link(recipient{org, email}, kind)
	require.Contains(t, link, page)
	return link[len(page):]
}

func TestUnsubscribe_TurnsOffOneKindForOneRecipient(t *testing.T) {
	u, p, org := newUseCases(t, Ports{OptionalRenewalReminders: true})
	token := newToken(t, p, org, billingEmail, billing.CardExpires)

	for range 2 {
		require.NoError(t, u.Unsubscribe.Do(t.Context(), token))
	}

	preferences, err := u.ShowEmailPreferences.Do(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, EmailPreferences{OrganisationName: "Harbour Clinic", Email: billingEmail, Notices: []NoticePreference{
		{billing.CardExpires, true}, {billing.PlanRenewsSoon, false},
	}}, preferences)
	for email, want := range map[string]bool{billingEmail: true, contactEmail: false} {
		isDeclined, err := p.hasDeclined(t.Context(), org.ID, email, billing.CardExpires)
		require.NoError(t, err)
		assert.Equal(t, want, isDeclined, email)
	}
}

func TestEditEmailPreferences_StoresExactlyTheDeclinedKinds(t *testing.T) {
	u, p, org := newUseCases(t, Ports{OptionalRenewalReminders: true})
	token := newToken(t, p, org, contactEmail, billing.PlanRenewsSoon)
	for _, declinedKinds := range [][]billing.NoticeKind{
		{billing.CardExpires, billing.PlanRenewsSoon}, {billing.PlanRenewsSoon}, nil,
	} {
		require.NoError(t, u.EditEmailPreferences.Do(t.Context(), token, declinedKinds))

		storedKinds, err := p.store.DeclinedNotices(t.Context(), org.ID, contactEmail)
		require.NoError(t, err)
		assert.Equal(t, declinedKinds, storedKinds)
	}
}

func TestEmailPreferences_RenewalRemindersAreRequiredByDefault(t *testing.T) {
	u, p, org := newUseCases(t, Ports{})
	token := newToken(t, p, org, contactEmail, billing.PlanRenewsSoon)

	preferences, err := u.ShowEmailPreferences.Do(t.Context(), token)
	require.NoError(t, err)
	assert.Equal(t, []NoticePreference{{billing.CardExpires, false}}, preferences.Notices)
	err = u.EditEmailPreferences.Do(t.Context(), token, []billing.NoticeKind{billing.PlanRenewsSoon})
	assert.Equal(t, map[string]string{"declined": "These emails are required."}, fieldMessages(err))

	require.NoError(t, u.Unsubscribe.Do(t.Context(), token), "the link may be from a time when the reminders were optional")
	isDeclined, err := p.hasDeclined(t.Context(), org.ID, contactEmail, billing.PlanRenewsSoon)
	require.NoError(t, err)
	assert.False(t, isDeclined)
}

func fieldMessages(err error) map[string]string {
	messages := map[string]string{}
	for _, f := range fault.FieldsOf(err) {
		messages[f.Name] = f.Message
	}
	return messages
}

func TestEmailPreferences_InvalidLinksAreNotFound(t *testing.T) {
	u, p, org := newUseCases(t, Ports{})
	validToken := newToken(t, p, org, billingEmail, billing.CardExpires)
	preferencesWithAnotherKey := p
	preferencesWithAnotherKey.links.key = []byte("another key")
	_, _, signature := splitPreferenceToken(validToken)
	for name, token := range map[string]string{
		"of another key":          newToken(t, preferencesWithAnotherKey, org, billingEmail, billing.CardExpires),
		"of an earlier recipient": newToken(t, p, org, "earlier@practice.example", billing.CardExpires),
		"with another kind":       "plan_renews_soon.harbour." + signature,
		"of another organisation": "card_expires.hill." + signature,
		"without a signature":     "card_expires.harbour.",
		"not Base64":              validToken + "=",
		"with a zero byte":        "card_expires.\x00." + signature,
		"empty":                   "",
	} {
		assert.True(t, fault.Is(u.Unsubscribe.Do(t.Context(), token), fault.NotFound), name)
		assert.True(t, fault.Is(u.EditEmailPreferences.Do(t.Context(), token, nil), fault.NotFound), name)
		_, err := u.ShowEmailPreferences.Do(t.Context(), token)
		assert.True(t, fault.Is(err, fault.NotFound), name)
	}
	require.NoError(t, u.Unsubscribe.Do(t.Context(), validToken))
}

// A recipient may follow the link years after the email was sent, so the form of links must not change.
func TestPreferenceLinks_HaveAFixedForm(t *testing.T) {
	l := preferenceLinks{publicURL: "https://diy.test", key: []byte("key")}
	r := recipient{account.Organisation{ID: "harbour"}, "Accounts@practice.example"}
	assert.Equal(t,
		"https://diy.test/vc-admin/auth/emails?token=card_expires.harbour.U7FIvX5UawtW2apl_ZVcf_f5h-AZNTnk9J9B7hShTC0",
		l.link(r, billing.CardExpires))
}
