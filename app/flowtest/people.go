package flowtest

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/ports/identity"
)

// The embedded provider's cards; see its package comment.
const (
	Visa         = "4242424242424242"
	Mastercard   = "5555555555554444"
	AsksHolder   = "4000002500003155"
	NotSaved     = "4000000000000002"
	NeverCharged = "4000000000000341"
)

// Visit is one browser's session.
type Visit struct {
	who      identity.Identity
	signedIn bool
}

// Start signs in.
func (v *Visit) Start(_ context.Context, who identity.Identity) error {
	v.who, v.signedIn = who, true
	return nil
}

// Current is who is signed in.
func (v *Visit) Current(context.Context) (identity.Identity, bool) { return v.who, v.signedIn }

// End signs out.
func (v *Visit) End(context.Context) error {
	*v = Visit{}
	return nil
}

// plainPasswords are for tests in which nobody signs in: they cost no time.
type plainPasswords struct{}

// Common knows of no common password.
func (plainPasswords) Common(string) bool { return false }

// Hash keeps the password as it is.
func (plainPasswords) Hash(_ context.Context, password string) (string, error) { return password, nil }

// Verify compares.
func (plainPasswords) Verify(_ context.Context, password, hash string) (bool, error) {
	return password == hash, nil
}

// Registration is what somebody of that name fills in: a letter or more, in lower case.
func Registration(name string) account.Registration {
	return account.Registration{
		FirstName: "Ann", LastName: "Lee", Org: "Practice of " + name, Email: name + "@example.com", Password: "Secret123",
		Phone: "+61 2 9000 0000", Currency: "AUD",
		Address: account.Address{Line1: "1 Long Road", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
	}
}

// Member signs an organisation up and returns its user, as if signed in.
func (w *World) Member(server *app.UseCases, name string) identity.Identity {
	w.t.Helper()
	user, err := server.SignUp.Do(w.t.Context(), Registration(name))
	require.NoError(w.t, err)
	return identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}
}

// Card is the id of a payment method that a browser made of the number.
func (w *World) Card(number string) string {
	w.t.Helper()
	made, err := w.Bank.CreatePaymentMethod(w.t.Context(), fakepayment.CardEntry{
		Number: number, ExpMonth: 12, ExpYear: 2040, CVC: "123",
	})
	require.NoError(w.t, err)
	return made.ID
}
