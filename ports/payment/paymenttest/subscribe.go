package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var subscribeProofs = []proof{
	{name: "without a trial it is paid at once", prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, 0)

		assert.NotEmpty(b, s.ID)
		assert.Equal(b, c.ID, s.CustomerID)
		assert.Equal(b, billing.Active, s.Status)
		assert.Equal(b, standard, s.Price)
		assert.WithinDuration(b, b.Now(), s.CreatedAt, time.Minute)
		assert.True(b, s.TrialEnd.IsZero())
		assert.Nil(b, s.PendingSetup)
		b.owed(s, billing.Succeeded)
		assert.NotEmpty(b, s.LatestInvoice.ID)
		assert.Equal(b, s, b.read(s.ID, billing.Active))
	}},
	{name: "a month and a year are as long as they are", prove: func(b *bench) {
		for interval, months := range map[catalogue.Interval]int{catalogue.Monthly: 1, catalogue.Yearly: 12} {
			s, err := b.buy(b.payer(Pays).ID, price("professional", interval))
			require.NoError(b, err)
			assert.Equal(b, interval, s.Price.Interval)
			assert.WithinDuration(b, s.CreatedAt.AddDate(0, months, 0), s.CurrentPeriodEnd, 4*24*time.Hour)
		}
	}},
	{name: "the first one fixes the currency", prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, 0)
		assert.Equal(b, "AUD", b.look(c.ID).Currency)
		b.cancel(s.ID)

		_, err := b.buy(c.ID, inDollars())
		b.refused(err, fault.Invalid)
		assert.Len(b, b.list(c.ID), 1)
	}},
	{name: "the currency need not be the preferred one", prove: func(b *bench) {
		c := b.payer(Pays)
		s, err := b.buy(c.ID, inDollars())
		require.NoError(b, err)
		assert.Equal(b, "USD", s.Price.Currency)
		assert.Equal(b, "USD", b.look(c.ID).Currency)
		assert.Equal(b, "AUD", b.look(c.ID).Preferred)
	}},
	{name: "a card there must be", prove: func(b *bench) {
		c := b.customer()
		_, err := b.buy(c.ID, standard)
		b.refused(err, fault.Invalid)
		assert.Empty(b, b.list(c.ID))
	}},
	{name: "a deleted card does not count", prove: func(b *bench) {
		c := b.payer(Pays)
		require.NoError(b, b.remove(c.ID, c.Default.ID))
		_, err := b.buy(c.ID, standard)
		b.refused(err, fault.Invalid)
	}},
	{name: "an unknown price is refused", prove: func(b *bench) {
		c := b.payer(Pays)
		_, err := b.buy(c.ID, price("no-such-plan", catalogue.Yearly))
		b.refused(err, fault.Invalid, fault.NotFound)
		assert.Empty(b, b.list(c.ID))
	}},
	{name: "a declined card is no error", prove: func(b *bench) {
		c := b.payer(DeclinedWhenCharged)
		s := b.subscribe(c.ID, 0)
		assert.Equal(b, billing.Incomplete, s.Status)
		b.owed(s, billing.RequiresPaymentMethod)
		assert.Equal(b, s, b.read(s.ID, billing.Incomplete))
	}},
}

// buyWith starts a trial with a card, provided that there is no other subscription.
func (b *bench) buyWith(customerID, cardID string) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.Subscribe(b.Context(), payment.NewSubscription{
		Key: newKey(), CustomerID: customerID, CardID: cardID, Price: standard, TrialDays: trialDays, Sole: true,
	})
}

func inDollars() catalogue.PriceRef {
	ref := standard
	ref.Currency = "USD"
	return ref
}

func (b *bench) buy(customerID string, what catalogue.PriceRef) (billing.Subscription, error) {
	b.Helper()
	return b.Provider.Subscribe(b.Context(), payment.NewSubscription{Key: newKey(), CustomerID: customerID, Price: what})
}
