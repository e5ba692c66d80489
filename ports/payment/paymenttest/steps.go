package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/payment"
)

// subscribe starts a subscription to the standard plan.
func (b *bench) subscribe(customerID string, days int) billing.Subscription {
	b.Helper()
	s, err := b.Provider.Subscribe(b.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, Price: standard, TrialDays: days,
	})
	require.NoError(b, err)
	return s
}

// read reads a subscription, which must be in the status.
func (b *bench) read(id string, want billing.Status) billing.Subscription {
	b.Helper()
	s, err := b.Provider.Subscription(b.Context(), id)
	require.NoError(b, err)
	require.Equal(b, want, s.Status)
	return s
}

// pay pays the subscription's latest invoice with the default card, or with the card named.
func (b *bench) pay(s billing.Subscription, cardID ...string) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.PayInvoice(b.Context(), paymentFor(s, cardID...))
}

// payUnder is pay with a key.
func (b *bench) payUnder(key string, s billing.Subscription) (billing.Subscription, error) {
	b.Helper()
	in := paymentFor(s)
	in.Key = key
	return b.Provider.PayInvoice(b.Context(), in)
}

// changeUnder is change with a key.
func (b *bench) changeUnder(key string, s billing.Subscription, to catalogue.PriceRef) (billing.Subscription, error) {
	b.Helper()
	in := changeOf(s, to)
	in.Key = key
	return b.Provider.ChangePlan(b.Context(), in)
}

// paymentFor is a new request to pay the subscription's latest invoice.
func paymentFor(s billing.Subscription, cardID ...string) payment.InvoicePayment {
	in := payment.InvoicePayment{Key: newKey(), InvoiceID: s.LatestInvoice.ID, Amount: s.LatestInvoice.AmountDue}
	if len(cardID) > 0 {
		in.MethodID = cardID[0]
	}
	return in
}

func (b *bench) change(s billing.Subscription, to catalogue.PriceRef) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.ChangePlan(b.Context(), changeOf(s, to))
}

// changeOf is a new request to change the subscription as it is.
func changeOf(s billing.Subscription, to catalogue.PriceRef) payment.PlanChange {
	return payment.PlanChange{
		Key: newKey(), SubscriptionID: s.ID, From: s.Price, To: to, EndTrial: s.Status == billing.Trialing,
	}
}

// changed changes the plan, which must be made at once.
func (b *bench) changed(s billing.Subscription, to catalogue.PriceRef) billing.Subscription {
	b.Helper()
	after, err := b.change(s, to)
	require.NoError(b, err)
	require.Nil(b, after.Pending)
	require.Equal(b, to, after.Price)
	return after
}

// drop discards the pending change of the subscription.
func (b *bench) drop(s billing.Subscription) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.CancelPendingChange(b.Context(), payment.PendingCancellation{
		Key: newKey(), SubscriptionID: s.ID, InvoiceID: s.Pending.InvoiceID,
	})
}

func (b *bench) cancel(subscriptionID string) billing.Subscription {
	b.Helper()
	s, err := b.Provider.CancelSubscription(b.Context(), payment.Cancellation{Key: newKey(), SubscriptionID: subscriptionID})
	require.NoError(b, err)
	return s
}

func (b *bench) list(customerID string, statuses ...billing.Status) []string {
	b.Helper()
	subs, err := b.Provider.ListSubscriptions(b.Context(), customerID, statuses...)
	require.NoError(b, err)
	require.NotNil(b, subs, "none is an empty list")
	ids := make([]string, 0, len(subs))
	for _, s := range subs {
		assert.Equal(b, customerID, s.CustomerID)
		ids = append(ids, s.ID)
	}
	return ids
}
