package flows

import (
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

var (
	standardMonthly    = app.PriceChoice{PriceID: "standard_monthly", Interval: "monthly", Currency: "AUD"}
	standardYearly     = app.PriceChoice{PriceID: "standard_yearly", Interval: "yearly", Currency: "AUD"}
	professionalYearly = app.PriceChoice{PriceID: "professional_yearly", Interval: "yearly", Currency: "AUD"}
)

func registration() account.Registration { return flowtest.Registration("ann") }

// member signs an organisation up and returns its user, as if signed in.
func (w *world) member() identity.Identity {
	w.t.Helper()
	return w.Member(w.UseCases, "ann")
}

// subscribed has the member pay with a card, and returns what came of it.
func (w *world) subscribed(who identity.Identity, number string, choice app.PriceChoice) billing.Subscription {
	w.t.Helper()
	made, err := w.Subscribe.Do(w.t.Context(), who, app.SubscribeRequest{CardID: w.Card(number), Price: choice})
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
	after, err := w.Bank.Confirm(w.t.Context(), fakepayment.Confirmation{ClientSecret: intent.ClientSecret, Outcome: outcome})
	require.NoError(w.t, err)
	return after
}
