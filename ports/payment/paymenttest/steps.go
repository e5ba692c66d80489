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

func (b *bench) proceed(subscriptionID string) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.ContinueSubscription(b.Context(), payment.Continuation{Key: newKey(), SubscriptionID: subscriptionID})
}

func (b *bench) change(subscriptionID string, to catalogue.PriceRef) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.ChangePlan(b.Context(), payment.PlanChange{Key: newKey(), SubscriptionID: subscriptionID, Price: to})
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
