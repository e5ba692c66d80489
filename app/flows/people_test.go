package flows

import (
	"context"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

// The embedded provider's cards; see its package comment.
const (
	visa         = "4242424242424242"
	mastercard   = "5555555555554444"
	asksHolder   = "4000002500003155"
	notSaved     = "4000000000000002"
	neverCharged = "4000000000000341"
)

var (
	standardMonthly    = app.PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "AUD"}
	standardYearly     = app.PriceChoice{PriceID: "standard_yearly", Interval: "yearly", Currency: "AUD"}
	professionalYearly = app.PriceChoice{PriceID: "professional_yearly", Interval: "yearly", Currency: "AUD"}
)

// visit is one browser's session.
type visit struct {
	who      identity.Identity
	signedIn bool
}

// Start signs in.
func (v *visit) Start(_ context.Context, who identity.Identity) error {
	v.who, v.signedIn = who, true
	return nil
}

// Current is who is signed in.
func (v *visit) Current(context.Context) (identity.Identity, bool) { return v.who, v.signedIn }

// End signs out.
func (v *visit) End(context.Context) error {
	*v = visit{}
	return nil
}

// plainPasswords are for tests in which nobody signs in: they cost no time.
type plainPasswords struct{}

// Hash keeps the password as it is.
func (plainPasswords) Hash(_ context.Context, password string) (string, error) { return password, nil }

// Verify compares.
func (plainPasswords) Verify(_ context.Context, password, hash string) (bool, error) {
	return password == hash, nil
}

func registration() account.Registration {
	return account.Registration{
		FirstName: "Ann", LastName: "Lee", Org: "Practice of ann", Email: "ann@example.com", Password: "Secret123",
		Phone: "+61 2 9000 0000", Currency: "AUD",
		Address: account.Address{Line1: "1 Long Road", City: "Sydney", State: "NSW", PostalCode: "2000", Country: "AU"},
	}
}

// member signs an organisation up and returns its user, as if signed in.
func (w *world) member() identity.Identity {
	w.t.Helper()
	user, err := w.SignUp.Do(w.t.Context(), registration())
	require.NoError(w.t, err)
	return identity.Identity{UserID: user.ID, OrganisationID: user.OrganisationID}
}

// card is the id of a payment method that a browser made of the number.
func (w *world) card(number string) string {
	w.t.Helper()
	made, err := w.provider.CreatePaymentMethod(w.t.Context(), fakepayment.CardEntry{
		Number: number, ExpMonth: 12, ExpYear: 2040, CVC: "123",
	})
	require.NoError(w.t, err)
	return made.ID
}

// subscribed has the member pay with a card, and returns what came of it.
func (w *world) subscribed(who identity.Identity, number string, choice app.PriceChoice) billing.Subscription {
	w.t.Helper()
	made, err := w.Subscribe.Do(w.t.Context(), who, app.SubscribeRequest{CardID: w.card(number), Price: choice})
	require.NoError(w.t, err)
	return made
}

// license is what the member sees of the subscription.
func (w *world) license(who identity.Identity) *billing.License {
	w.t.Helper()
	_, org, err := w.DescribeUser.Do(w.t.Context(), who)
	require.NoError(w.t, err)
	return org.Billing.License()
}

// confirmed is the browser finishing what the bank asks of the card's holder.
func (w *world) confirmed(intent *billing.Intent, outcome fakepayment.Outcome) billing.Intent {
	w.t.Helper()
	require.NotNil(w.t, intent)
	after, err := w.provider.Confirm(w.t.Context(), fakepayment.Confirmation{ClientSecret: intent.ClientSecret, Outcome: outcome})
	require.NoError(w.t, err)
	return after
}
