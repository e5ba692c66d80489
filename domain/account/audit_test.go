package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/billing"
)

// auditNow is the time of the changes in these tests.
var auditNow = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func newAuditedCredentials() account.Credentials {
	return account.Credentials{
		User: account.User{ID: "usr_1", OrganisationID: "org_1", Email: "ada@example.com", PasswordHash: "old", VerifiedAt: auditNow},
		Authenticators: []account.Authenticator{
			{ID: "auth_1", Kind: account.PasskeyAuthenticator, Name: "Phone", Passkey: account.Passkey{CredentialID: "c"}},
		},
	}
}

func TestCredentialsEntries_ReportEachChangeOnce(t *testing.T) {
	withTwoStep := func(c *account.Credentials) {
		c.User.TwoStepSince, c.RecoveryCodes = auditNow, []string{account.HashRecoveryCode("A"), "b"}
	}
	tests := map[string]struct {
		prepare func(*account.Credentials)
		change  func(*testing.T, *account.Credentials)
		want    []audit.Kind
	}{
		"nothing": {nil, func(*testing.T, *account.Credentials) {}, nil},
		"verification": {func(c *account.Credentials) { c.User.VerifiedAt = time.Time{} },
			func(_ *testing.T, c *account.Credentials) { c.User.Verify(auditNow) }, []audit.Kind{audit.EmailVerified}},
		"password": {nil, func(_ *testing.T, c *account.Credentials) { c.User.ChangePassword("new") }, []audit.Kind{audit.PasswordChanged}},
		"profile": {nil, func(_ *testing.T, c *account.Credentials) {
			c.User.SetProfile(account.Profile{Phone: "+61 2 9000 0000"})
		},
			[]audit.Kind{audit.ProfileChanged}},
		"two-step verification on": {nil, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.TurnOnTwoStep(&account.Authenticator{ID: "auth_2", Kind: account.AuthenticatorApp}, []string{"h"}, auditNow))
		}, []audit.Kind{audit.TwoStepOn}},
		"two-step verification off": {withTwoStep, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.TurnOffTwoStep())
		}, []audit.Kind{audit.TwoStepOff}},
		"app": {withTwoStep, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.AddAuthenticatorApp(account.Authenticator{ID: "auth_2", Kind: account.AuthenticatorApp}))
		}, []audit.Kind{audit.AppAdded}},
		"recovery codes": {withTwoStep, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.RenewRecoveryCodes([]string{"c"}))
		}, []audit.Kind{audit.RecoveryCodesRenewed}},
		"used recovery code": {withTwoStep, func(t *testing.T, c *account.Credentials) {
			_, err := c.CheckSecondFactor("A", auditNow, true, func(string, int64) (string, error) { return "1", nil })
			require.NoError(t, err)
		}, []audit.Kind{audit.RecoveryCodeUsed}},
		"new passkey": {nil, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.AddPasskey(account.Authenticator{ID: "auth_2", Name: "Key"}))
		}, []audit.Kind{audit.PasskeyAdded}},
		"new name of a passkey": {nil, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.RenamePasskey("auth_1", "Laptop"))
		}, []audit.Kind{audit.PasskeyRenamed}},
		"removed passkey": {nil, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.RemovePasskey("auth_1"))
		}, []audit.Kind{audit.PasskeyRemoved}},
		"signed out everywhere": {nil, func(_ *testing.T, c *account.Credentials) { c.SignOutEverywhere() },
			[]audit.Kind{audit.SignedOutEverywhere}},
		"requested email": {nil, func(t *testing.T, c *account.Credentials) {
			require.NoError(t, c.RequestEmail(account.EmailChange{TokenHash: "h", Email: "new@example.com"}, auditNow))
		}, []audit.Kind{audit.EmailChangeRequested}},
		"canceled email": {func(c *account.Credentials) {
			c.EmailChange = &account.EmailChange{TokenHash: "h", Email: "new@example.com", ExpiresAt: auditNow.Add(time.Hour)}
		}, func(_ *testing.T, c *account.Credentials) { c.CancelEmail() }, []audit.Kind{audit.EmailChangeCanceled}},
		"canceled without a request": {nil, func(_ *testing.T, c *account.Credentials) { c.CancelEmail() }, nil},
		"confirmed email": {func(c *account.Credentials) {
			c.EmailChange = &account.EmailChange{TokenHash: "h", Email: "new@example.com", ExpiresAt: auditNow.Add(time.Hour)}
		}, func(t *testing.T, c *account.Credentials) { require.NoError(t, c.ConfirmEmail("h", auditNow)) }, []audit.Kind{audit.EmailChanged}},
		"undone change": {func(c *account.Credentials) {
			c.AddUndo("h", "old@example.com", auditNow)
		}, func(t *testing.T, c *account.Credentials) { require.NoError(t, c.Undo("h", "new", auditNow)) },
			[]audit.Kind{audit.EmailChanged, audit.PasswordChanged, audit.ChangesUndone}},
		"wrong code": {withTwoStep, func(t *testing.T, c *account.Credentials) {
			_, err := c.CheckSecondFactor("0", auditNow, true, func(string, int64) (string, error) { return "1", nil })
			require.NoError(t, err)
		}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			old := newAuditedCredentials()
			if tt.prepare != nil {
				tt.prepare(&old)
			}
			changed := old
			changed.Authenticators = append([]account.Authenticator{}, old.Authenticators...)
			tt.change(t, &changed)
			var kinds []audit.Kind
			for _, e := range append(account.UserEntries(old.User, changed.User), account.FactorEntries(old, changed)...) {
				kinds = append(kinds, e.Kind)
				e.Actor, e.Outcome = audit.System, audit.Done
				assert.NoError(t, e.Validate())
				assert.Equal(t, "org_1", e.OrganisationID)
			}
			assert.Equal(t, tt.want, kinds)
		})
	}
}

func TestSignInEntries_ContainCodesOnly(t *testing.T) {
	user := newAuditedCredentials().User
	org := account.Organisation{
		ID: "org_1", Name: "Clinic", Choice: account.Choice{Product: "standard", Interval: "monthly"}, Address: account.Address{Country: "AU"},
	}
	for _, e := range []audit.Entry{
		account.SignUpEntry(org, user), account.SignInEntry(user, true, "password", "totp"), account.RefusedSignInEntry(user, false, "wrong"),
	} {
		if e.Outcome == "" {
			e.Outcome = audit.Done
		}
		assert.NoError(t, e.Validate())
		assert.Equal(t, "usr_1", e.Subject)
	}
	assert.Equal(t, audit.Data{"methods": "password,totp", "browser": "known"}, account.SignInEntry(user, true, "password", "totp").Data)
	assert.Equal(t, audit.Visitor, account.RefusedSignInEntry(user, false, "wrong").Actor)
}

func TestOrganisationEntries_NameTheChangedFields(t *testing.T) {
	old := account.Organisation{ID: "org_1", Name: "Clinic", ContactEmail: "ada@example.com", Phone: "+61 2 9000 0000"}
	changed := old
	changed.Name = "Harbour Clinic"
	details := account.BillingDetails{
		LegalName: "Harbour Pty", Phone: old.Phone, TaxID: &account.TaxID{Type: "au_abn", Value: "51824753556"},
		BillingEmail: "accounts@example.com",
	}
	changed.SetDetails(details, "")
	changed.Billing.TransferReport = billing.TransferReport{InvoiceID: "in_1", At: auditNow}
	changed.Billing.DevLicense = &billing.License{ID: "dev_1"}
	var kinds []audit.Kind
	var fields string
	for _, e := range account.OrganisationEntries(&old, &changed) {
		kinds, fields = append(kinds, e.Kind), fields+e.Data["fields"]
		e.Actor, e.Outcome = audit.System, audit.Done
		assert.NoError(t, e.Validate())
	}
	assert.Equal(t, []audit.Kind{
		audit.OrganisationRenamed, audit.BillingDetailsChanged, audit.BillingEmailEntered, audit.TransferReported,
		audit.DeveloperLicenseGranted,
	}, kinds)
	assert.Equal(t, "legal_name,tax_id", fields)
	assert.Empty(t, account.OrganisationEntries(&changed, &changed))
}

func TestTeam_RecordsWhoChangedIt(t *testing.T) {
	team := account.Team{OrganisationID: "org_1", Members: []account.Member{
		{Membership: account.Membership{UserID: "ada", OrganisationID: "org_1", Role: account.Owner}, Email: "ada@example.com"},
	}}
	ben := account.User{ID: "ben", Email: "ben@example.com"}
	require.NoError(t, team.Invite("ada", account.Invitation{ID: "inv_1", Email: ben.Email, Role: account.ReadingMember, TokenHash: "h"}, auditNow))
	require.NoError(t, team.Invite("ada", account.Invitation{ID: "inv_2", Email: "cy@example.com", Role: account.Owner}, auditNow))
	require.NoError(t, team.Revoke("ada", "cy@example.com"))
	require.NoError(t, team.Accept("h", ben, auditNow))
	require.NoError(t, team.ChangeRole("ada", "ben", account.Owner))
	require.NoError(t, team.Remove("ben", "ada"))
	require.Error(t, team.Leave("ben"), "the last owner")
	var got [][3]string
	for _, e := range team.Entries {
		got = append(got, [3]string{string(e.Kind), e.Actor.ID, e.Subject})
		e.Outcome = audit.Done
		assert.NoError(t, e.Validate())
	}
	assert.Equal(t, [][3]string{
		{"member.invited", "ada", "inv_1"}, {"member.invited", "ada", "inv_2"}, {"member.invitation_deleted", "ada", "inv_2"},
		{"member.joined", "ben", "ben"}, {"member.role_changed", "ada", "ben"}, {"member.removed", "ben", "ada"},
	}, got)
}
