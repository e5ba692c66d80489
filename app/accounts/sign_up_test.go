package accounts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sessionidentity"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSignUp_StoresTheNormalisedRegistrationAndSendsAVerification(t *testing.T) {
	f := newFixture(t, apptest.WithPasswords(sessionidentity.NewPasswords()))
	reg := apptest.Registration("ann")
	reg.FirstName, reg.Email, reg.Currency, reg.Address.Country = " Ann ", "ANN@example.com", "nzd", "au"
	reg.Choice = account.Choice{Product: "professional", Interval: catalogue.Yearly}

	user, err := f.App.SignUp.Do(t.Context(), reg, nil)

	require.NoError(t, err)
	storedUser, err := f.Store.User(t.Context(), user.ID)
	require.NoError(t, err)
	assert.Equal(t, user, storedUser)
	assert.Equal(t, "Ann", user.FirstName)
	assert.Equal(t, "ann@example.com", user.Email)
	assert.NotContains(t, user.PasswordHash, "Tide-And-Time-7")
	org, err := f.ShowOrganisation.Do(t.Context(), identityOf(user), user.OrganisationID)
	require.NoError(t, err)
	assert.Equal(t, reg.Org, org.Name)
	assert.Equal(t, "NZD", org.Currency)
	assert.Equal(t, "AU", org.Address.Country)
	assert.Equal(t, reg.Choice, org.Choice)
	assert.Empty(t, org.Billing.CustomerID, "the customer is created after the verification")
	assert.GreaterOrEqual(t, len(f.VerificationToken(user.Email)), 26)
	email := f.Mailbox.Emails()[0]
	assert.Contains(t, email.Text, "valid for 48 hours")
	assert.NotContains(t, email.Text+email.HTML, "Tide-And-Time-7")
}

func TestSignUp_ReplacesACurrencyWithoutPricesAndAcceptsAMissingOne(t *testing.T) {
	for currency, want := range map[string]string{"": "", "JPY": "AUD", "ZZZ": "AUD"} {
		f := newFixture(t)
		reg := apptest.Registration("ann")
		reg.Currency, reg.Choice = currency, account.Choice{}
		user, err := f.App.SignUp.Do(t.Context(), reg, nil)
		require.NoError(t, err)
		org, err := f.Store.Organisation(t.Context(), user.OrganisationID)
		require.NoError(t, err)
		assert.Equal(t, want, org.Currency)
	}
}

func TestSignUp_RefusesInvalidFields(t *testing.T) {
	f := newFixture(t, apptest.WithPasswords(sessionidentity.NewPasswords()))
	for name, tt := range map[string]struct {
		change     func(*account.Registration)
		wantFields []string
	}{
		"invalid name":             {func(r *account.Registration) { r.FirstName = "4nn" }, []string{"firstName"}},
		"disabled plan":            {func(r *account.Registration) { r.Choice.Product = "enterprise" }, []string{"product"}},
		"unknown plan":             {func(r *account.Registration) { r.Choice.Product = "premium" }, []string{"product"}},
		"plan without an interval": {func(r *account.Registration) { r.Choice.Interval = "" }, []string{"interval"}},
		"long password": {func(r *account.Registration) { r.Password = strings.Repeat("aA1", 100) },
			[]string{"password"}},
		"several invalid fields": {
			func(r *account.Registration) { r.FirstName, r.Choice.Product, r.Password = "", "premium", "Password1" },
			[]string{"firstName", "password", "product"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			reg := apptest.Registration("ann")
			reg.Choice = account.Choice{Product: "professional", Interval: catalogue.Yearly}
			tt.change(&reg)
			_, err := f.App.SignUp.Do(t.Context(), reg, nil)
			assertCode(t, fault.Invalid, err)
			names := []string{}
			for _, field := range fault.FieldsOf(err) {
				names = append(names, field.Name)
			}
			assert.ElementsMatch(t, tt.wantFields, names)
		})
	}
}

func TestSignUp_RefusesPasswordsBuiltFromTheRegistration(t *testing.T) {
	f := newFixture(t)
	for password, want := range map[string]string{
		"Pract1ce-99": "Too easy to guess: contains your clinic's name.",
		"Lovelace1!":  "Too easy to guess: contains your name.",
		"Frontdesk-1": "Too easy to guess: contains your email address.",
		"Vision-2024": "Too easy to guess: contains the name of this product.",
	} {
		reg := apptest.Registration("ann")
		reg.LastName, reg.Email, reg.Password = "Lovelace", "frontdesk@example.com", password
		_, err := f.App.SignUp.Do(t.Context(), reg, nil)
		assert.Equal(t, []fault.Field{{Name: "password", Message: want}}, fault.FieldsOf(err), password)
	}
}

func TestSignUp_RefusesOnlyADuplicateOfAVerifiedRegistration(t *testing.T) {
	f := newFixture(t)
	user := f.signUpUnverified()
	_, err := f.App.SignUp.Do(t.Context(), apptest.Registration("ann"), otherBrowser)
	require.NoError(t, err)
	storedUser, err := f.Store.User(t.Context(), user.ID)
	require.NoError(t, err)
	assert.Equal(t, user, storedUser, "the registration of another browser is kept")

	f.Verify(f.UseCases, user.Email)

	_, err = f.App.SignUp.Do(t.Context(), apptest.Registration("ann"), registeringBrowser)
	assertCode(t, fault.Duplicate, err)
	assert.Len(t, fault.FieldsOf(err), 2)
}
