package app

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

func registration() account.Registration {
	return account.Registration{
		FirstName: " Ann ", LastName: "Lee", Org: "Practice", Email: "ANN@example.com", Password: "Secret123",
		Phone: "+61 2 9000 0000", Currency: "nzd",
		Address: account.Address{Line1: "1 Long Road", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "au"},
		Choice:  account.Choice{Product: "professional", Interval: catalogue.Yearly},
	}
}

// hashes answers with a hash for the password, which is not a common one and is handed on as it was
// typed.
var hashes = step{"Hash", func(b *bench, err error) {
	b.passwords.EXPECT().Common("Secret123").Return(false).Once()
	b.passwords.EXPECT().Hash(mock.Anything, "Secret123").Return("$hash", err).Once()
}}

func createsSignup(stored *storage.Signup) step {
	return step{"CreateSignup", func(b *bench, err error) {
		b.store.EXPECT().CreateSignup(mock.Anything, mock.Anything).
			RunAndReturn(func(_ context.Context, s storage.Signup) error {
				*stored = s
				return err
			}).Once()
	}}
}

func signUp(t *testing.T, in account.Registration) func(*bench) error {
	return func(b *bench) error {
		_, err := b.SignUp.Do(t.Context(), in)
		return err
	}
}

func TestSignUpStoresEverythingAtOnce(t *testing.T) {
	var stored storage.Signup
	passes(t, []step{hashes, createsSignup(&stored)}, signUp(t, registration()))

	org, user := stored.Organisation, stored.User
	assert.Equal(t, "Practice", org.Name)
	assert.Equal(t, "ann@example.com", org.ContactEmail)
	assert.Equal(t, "AU", org.Address.Country)
	assert.Equal(t, "NZD", org.Currency)
	assert.Equal(t, account.Choice{Product: "professional", Interval: catalogue.Yearly}, org.Choice)
	assert.Equal(t, billing.Account{}, org.Billing)
	assert.Equal(t, account.User{
		ID: user.ID, OrganisationID: org.ID, FirstName: "Ann", LastName: "Lee", Email: "ann@example.com",
		PasswordHash: "$hash", CreatedAt: noon,
	}, user)
	assert.Equal(t, noon.Add(-48*time.Hour), stored.ExpiryCutoff)
	assert.Equal(t, user.ID, stored.Verification.UserID)
	stored.Verification.UserID = "usr_1"
	sent{stored.Verification, stored.Email}.assertVerifies(t, noon.Add(48*time.Hour))
}

func TestSignUpKeepsThePasswordNowhere(t *testing.T) {
	var stored storage.Signup
	b := newBench(t)
	for _, s := range []step{hashes, createsSignup(&stored)} {
		s.expect(b, nil)
	}
	user, err := b.SignUp.Do(t.Context(), registration())
	require.NoError(t, err)
	assert.Equal(t, stored.User, user)
	for _, text := range []string{stored.Email.Text, stored.Email.HTML, b.log.String()} {
		assert.NotContains(t, text, "Secret123")
	}
	assert.NotContains(t, b.log.String(), "ann@example.com")
}

func TestSignUpFails(t *testing.T) {
	failsAtEveryStep(t, errOutage, []step{hashes, createsSignup(&storage.Signup{})}, signUp(t, registration()))
}

func TestSignUpPassesOnThatTheNameIsTaken(t *testing.T) {
	var fields fault.Fields
	fields.Add("org", "taken")
	b := newBench(t)
	hashes.expect(b, nil)
	createsSignup(&storage.Signup{}).expect(b, &fault.Error{Code: fault.Duplicate, Fields: fault.FieldsOf(fields.Err())})

	err := signUp(t, registration())(b)

	assert.Equal(t, fault.Duplicate, fault.CodeOf(err))
	assert.Len(t, fault.FieldsOf(err), 1)
}

func TestSignUpRefusesBeforeAnythingIsDone(t *testing.T) {
	tests := map[string]struct {
		spoil func(*account.Registration)
		field string
	}{
		"a broken rule":                 {func(r *account.Registration) { r.FirstName = "4nn" }, "firstName"},
		"a plan sold by the sales team": {func(r *account.Registration) { r.Choice.Product = "enterprise" }, "product"},
		"an unknown plan":               {func(r *account.Registration) { r.Choice.Product = "premium" }, "product"},
		"half a choice":                 {func(r *account.Registration) { r.Choice.Interval = "" }, "interval"},
		"a password beyond hope":        {func(r *account.Registration) { r.Password = strings.Repeat("aA1", 100) }, "password"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			in := registration()
			tt.spoil(&in)
			b := newBench(t)
			b.passwords.EXPECT().Common(in.Password).Return(false).Once()
			err := signUp(t, in)(b)
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, tt.field, fault.FieldsOf(err)[0].Name)
		})
	}
}

func TestSignUpRefusesACommonPasswordAlongWithEverythingElse(t *testing.T) {
	in := registration()
	in.FirstName, in.Choice.Product = "", "premium"
	b := newBench(t)
	b.passwords.EXPECT().Common("Secret123").Return(true).Once()

	err := signUp(t, in)(b)

	assert.ElementsMatch(t, []fault.Field{
		{Name: "firstName", Message: "First name is required"},
		{Name: "password", Message: "This password is too common and easily guessed"},
		{Name: "product", Message: "Unknown plan"},
	}, fault.FieldsOf(err))
}

func TestSignUp_UnsupportedCurrencyBecomesTheDefault(t *testing.T) {
	for _, currency := range []string{"JPY", "ZZZ"} {
		t.Run(currency, func(t *testing.T) {
			in := registration()
			in.Currency = currency
			var stored storage.Signup
			passes(t, []step{hashes, createsSignup(&stored)}, signUp(t, in))

			assert.Equal(t, "AUD", stored.Organisation.Currency)
		})
	}
}

func TestSignUpNeedsNeitherCurrencyNorChoice(t *testing.T) {
	in := registration()
	in.Currency, in.Choice = "", account.Choice{}
	passes(t, []step{hashes, createsSignup(&storage.Signup{})}, signUp(t, in))
}
