package paymenttest

import (
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

var latePaymentProofs = []proof{
	{name: "a trial's end that is declined is past due", needs: PassingTime, prove: func(b *bench) {
		b.owed(b.late(), billing.RequiresPaymentMethod)
	}},
	{name: "without a card it is past due too", needs: PassingTime, prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, trialDays)
		require.NoError(b, b.remove(c.ID, c.Default.ID))
		b.Advance(b.T, (trialDays+1)*day)
		b.owed(b.read(s.ID, billing.PastDue), billing.RequiresPaymentMethod)
	}},
	{name: "a new card makes it active", needs: PassingTime, prove: func(b *bench) {
		s := b.late()
		b.save(s.CustomerID, Pays)
		after, err := b.pay(s)
		require.NoError(b, err)
		assert.Equal(b, billing.Active, after.Status)
		assert.Equal(b, s.LatestInvoice.ID, after.LatestInvoice.ID)
		assert.Equal(b, s.CurrentPeriodEnd, after.CurrentPeriodEnd, "paying late buys no time")
	}},
	{name: "it is tried again with the new card", needs: PassingTime, prove: func(b *bench) {
		s := b.late()
		b.save(s.CustomerID, Pays)
		b.Advance(b.T, 30*day)
		b.read(s.ID, billing.Active)
	}},
	{name: "it ends when nobody ever pays", needs: PassingTime, prove: func(b *bench) {
		s := b.late()
		b.Advance(b.T, 60*day)
		after, err := b.Provider.Subscription(b.Context(), s.ID)
		require.NoError(b, err)
		assert.True(b, after.Status.Ended(), after.Status)
		b.save(s.CustomerID, Pays)
		_, err = b.pay(s)
		b.refused(err, fault.Conflict)
	}},
}

// late is a subscription whose trial has ended with a card that is declined.
func (b *bench) late() billing.Subscription {
	b.Helper()
	s := b.subscribe(b.payer(DeclinedWhenCharged).ID, trialDays)
	b.Advance(b.T, (trialDays+1)*day)
	return b.read(s.ID, billing.PastDue)
}
