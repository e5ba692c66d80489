package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var pendingChangeProofs = []proof{
	{name: "a declined change keeps what was paid for", prove: func(b *bench) {
		s := b.payingNoMore()

		after, err := b.change(s, professional)

		require.NoError(b, err)
		b.keeps(s, after)
		require.NotNil(b, after.Pending)
		assert.Equal(b, professional, after.Pending.To)
		assert.Equal(b, after.LatestInvoice.ID, after.Pending.InvoiceID)
		assert.NotEqual(b, s.LatestInvoice.ID, after.Pending.InvoiceID)
		assert.Equal(b, after.LatestInvoice.AmountDue, after.Pending.Amount)
		assert.Positive(b, after.Pending.Amount.Minor())
		assert.WithinDuration(b, b.Now().Add(23*time.Hour), after.Pending.ExpiresAt, time.Minute)
		b.owed(after, billing.RequiresPaymentMethod)
		assert.Equal(b, billing.NewPaymentMethod, after.Next.Kind)
		assert.Equal(b, after.Pending.InvoiceID, after.Next.InvoiceID)
		assert.Equal(b, after, b.read(s.ID, billing.Active))
		listed, err := b.Provider.ListSubscriptions(b.Context(), s.CustomerID)
		require.NoError(b, err)
		assert.Equal(b, []billing.Subscription{after}, listed)
	}},
	{name: "a declined change keeps the trial", prove: func(b *bench) {
		s := b.subscribe(b.payer(DeclinedWhenCharged).ID, trialDays)
		after, err := b.change(s, professional)
		require.NoError(b, err)
		b.keeps(s, after)
		require.NotNil(b, after.Pending)
		assert.Equal(b, after, b.read(s.ID, billing.Trialing))
	}},
	{name: "another card pays for it", prove: func(b *bench) {
		s := b.pending()
		good := b.save(s.CustomerID, Pays)

		after, err := b.pay(s, good.ID)

		require.NoError(b, err)
		b.madeChange(s, after)
		assert.Equal(b, s.CurrentPeriodEnd, after.CurrentPeriodEnd, "the same interval keeps its period")
		assert.Equal(b, after, b.read(s.ID, billing.Active))
	}},
	{name: "another card pays for it and ends the trial", prove: func(b *bench) {
		s, err := b.change(b.subscribe(b.payer(DeclinedWhenCharged).ID, trialDays), professional)
		require.NoError(b, err)
		b.save(s.CustomerID, Pays)

		after, err := b.pay(s)

		require.NoError(b, err)
		b.madeChange(s, after)
		assert.WithinDuration(b, b.Now(), after.TrialEnd, time.Minute)
		assert.WithinDuration(b, b.Now().AddDate(1, 0, 0), after.CurrentPeriodEnd, 4*24*time.Hour)
	}},
	{name: "another interval begins when it is paid", prove: func(b *bench) {
		s := b.subscribeMonthly()
		b.save(s.CustomerID, DeclinedWhenCharged)
		s, err := b.change(s, professional)
		require.NoError(b, err)
		require.NotNil(b, s.Pending)
		b.save(s.CustomerID, Pays)

		after, err := b.pay(s)

		require.NoError(b, err)
		b.madeChange(s, after)
		assert.WithinDuration(b, b.Now().AddDate(1, 0, 0), after.CurrentPeriodEnd, 4*24*time.Hour)
	}},
	{name: "a card that is declined again changes nothing", prove: func(b *bench) {
		s := b.pending()
		after, err := b.pay(s)
		require.NoError(b, err)
		b.keeps(s, after)
		assert.Equal(b, s.Pending, after.Pending)
	}},
	{name: "neither a new card nor a new default card pays for it", prove: func(b *bench) {
		s := b.pending()
		good := b.save(s.CustomerID, Pays)
		other := b.save(s.CustomerID, Pays)
		_, err := b.setDefault(s.CustomerID, good.ID)
		require.NoError(b, err)
		require.NoError(b, b.remove(s.CustomerID, other.ID))
		after := b.read(s.ID, billing.Active)
		assert.Equal(b, s.Pending, after.Pending)
		b.owed(after, billing.RequiresPaymentMethod)
	}},
	{name: "is authenticated in the browser", needs: Authentication, prove: func(b *bench) {
		s := b.unauthenticated()
		p := b.owed(s, billing.RequiresAction)
		assert.Equal(b, billing.ConfirmPayment, s.Next.Kind)
		assert.Equal(b, p.ClientSecret, s.Next.Secret)

		assert.Equal(b, billing.Succeeded, b.ConfirmPayment(b.T, p.ClientSecret, true))

		b.madeChange(s, b.read(s.ID, billing.Active))
	}},
	{name: "a failed authentication keeps what was paid for", needs: Authentication, prove: func(b *bench) {
		s := b.unauthenticated()
		b.ConfirmPayment(b.T, s.Next.Secret, false)
		after := b.read(s.ID, billing.Active)
		b.keeps(s, after)
		assert.Equal(b, s.Pending, after.Pending)
		assert.Equal(b, billing.NewPaymentMethod, after.Next.Kind)
		assert.NotEmpty(b, after.Next.Reason)
	}},
	{name: "is paid once", prove: func(b *bench) {
		s := b.pending()
		b.save(s.CustomerID, Pays)
		first, err := b.pay(s)
		require.NoError(b, err)
		again, err := b.pay(s)
		require.NoError(b, err)
		assert.Equal(b, first, again)
	}},
	{name: "is dropped", prove: func(b *bench) {
		s := b.pending()

		after, err := b.drop(s)

		require.NoError(b, err)
		b.keeps(s, after)
		assert.Nil(b, after.Pending)
		assert.Equal(b, billing.NoAction, after.Next.Kind)
		assert.Equal(b, after, b.read(s.ID, billing.Active))
		b.save(s.CustomerID, Pays)
		_, err = b.pay(s)
		b.refused(err, fault.Conflict)
		again, err := b.drop(s)
		require.NoError(b, err, "dropping it twice changes nothing")
		assert.Equal(b, after, again)
		b.changed(after, professional)
	}},
	{name: "dropping one that is paid finds it made", prove: func(b *bench) {
		s := b.pending()
		b.save(s.CustomerID, Pays)
		paid, err := b.pay(s)
		require.NoError(b, err)
		after, err := b.drop(s)
		require.NoError(b, err)
		b.madeChange(s, after)
		assert.Equal(b, paid, after)
	}},
	{name: "another one is not dropped", prove: func(b *bench) {
		s := b.pending()
		_, err := b.Provider.CancelPendingChange(b.Context(), payment.PendingCancellation{
			Key: newKey(), SubscriptionID: s.ID, InvoiceID: "in_another",
		})
		b.refused(err, fault.Conflict)
		assert.Equal(b, s, b.read(s.ID, billing.Active))
	}},
	{name: "no other change beside it", prove: func(b *bench) {
		s := b.pending()
		b.save(s.CustomerID, Pays)
		for _, to := range []catalogue.PriceRef{professional, price("standard", catalogue.Monthly)} {
			_, err := b.change(s, to)
			b.refused(err, fault.Conflict)
		}
		assert.Equal(b, s.Pending, b.read(s.ID, billing.Active).Pending)
	}},
	{name: "expires after 23 hours", needs: PassingTime, prove: func(b *bench) {
		s := b.pending()
		b.Advance(b.T, 22*time.Hour)
		assert.Equal(b, s.Pending, b.read(s.ID, billing.Active).Pending)
		b.Advance(b.T, 2*time.Hour)
		b.expired(s, billing.Active)
	}},
	{name: "expires with the trial, which is then paid for as agreed", needs: PassingTime, prove: func(b *bench) {
		s := b.subscribe(b.payer(DeclinedWhenCharged).ID, trialDays)
		b.Advance(b.T, s.TrialEnd.Sub(b.Now())-2*time.Hour)
		pending, err := b.change(s, professional)
		require.NoError(b, err)
		require.NotNil(b, pending.Pending)
		assert.Equal(b, s.TrialEnd, pending.Pending.ExpiresAt)
		b.save(s.CustomerID, Pays)

		b.Advance(b.T, 26*time.Hour)

		b.expired(s, billing.Active)
		b.owed(b.read(s.ID, billing.Active), billing.Succeeded)
	}},
	{name: "expires with the period, which is renewed as agreed", needs: PassingTime, prove: func(b *bench) {
		s := b.subscribeMonthly()
		b.Advance(b.T, s.CurrentPeriodEnd.Sub(b.Now())-2*time.Hour)
		b.save(s.CustomerID, DeclinedWhenCharged)
		pending, err := b.change(s, professional)
		require.NoError(b, err)
		require.NotNil(b, pending.Pending)
		assert.Equal(b, s.CurrentPeriodEnd, pending.Pending.ExpiresAt)
		b.save(s.CustomerID, Pays)

		b.Advance(b.T, 26*time.Hour)

		b.expired(s, billing.Active)
		assert.True(b, b.read(s.ID, billing.Active).CurrentPeriodEnd.After(s.CurrentPeriodEnd))
	}},
	{name: "gives back the credit that its invoice used up", prove: func(b *bench) {
		s, err := b.buy(b.payer(Pays).ID, price("professional", catalogue.Monthly))
		require.NoError(b, err)
		s = b.changed(s, price("standard", catalogue.Monthly)) // leaves credit
		b.save(s.CustomerID, DeclinedWhenCharged)
		first, err := b.change(s, professional)
		require.NoError(b, err)
		require.NotNil(b, first.Pending)
		dropped, err := b.drop(first)
		require.NoError(b, err)

		second, err := b.change(dropped, professional)

		require.NoError(b, err)
		assert.Equal(b, first.Pending.Amount, second.Pending.Amount)
	}},
}

// payingNoMore is a yearly subscription that was paid for, with a default card that is declined now.
func (b *bench) payingNoMore() billing.Subscription {
	b.Helper()
	s := b.subscribe(b.payer(Pays).ID, 0)
	b.save(s.CustomerID, DeclinedWhenCharged)
	return s
}

// subscribeMonthly is a monthly subscription to the standard plan that was paid for.
func (b *bench) subscribeMonthly() billing.Subscription {
	b.Helper()
	s, err := b.buy(b.payer(Pays).ID, price("standard", catalogue.Monthly))
	require.NoError(b, err)
	return s
}

// pending is a subscription with a change to the professional plan that was declined.
func (b *bench) pending() billing.Subscription {
	b.Helper()
	s, err := b.change(b.payingNoMore(), professional)
	require.NoError(b, err)
	require.NotNil(b, s.Pending)
	return s
}

// unauthenticated is a subscription with a change that waits for the card's holder.
func (b *bench) unauthenticated() billing.Subscription {
	b.Helper()
	s := b.subscribe(b.payer(Pays).ID, 0)
	b.save(s.CustomerID, NeedsAuthentication)
	s, err := b.change(s, professional)
	require.NoError(b, err)
	require.NotNil(b, s.Pending)
	return s
}

// keeps asserts that the subscription is the one that was agreed to before.
func (b *bench) keeps(before, after billing.Subscription) {
	b.Helper()
	assert.Equal(b, before.ID, after.ID)
	assert.Equal(b, before.Status, after.Status)
	assert.Equal(b, before.Price, after.Price)
	assert.Equal(b, before.CurrentPeriodEnd, after.CurrentPeriodEnd)
	assert.Equal(b, before.TrialEnd, after.TrialEnd)
	assert.Equal(b, before.PendingSetup, after.PendingSetup)
}

// madeChange asserts that the pending change of before was made, and paid with its invoice.
func (b *bench) madeChange(before, after billing.Subscription) {
	b.Helper()
	assert.Nil(b, after.Pending)
	assert.Equal(b, before.Pending.To, after.Price)
	assert.Equal(b, billing.Active, after.Status)
	assert.Equal(b, before.Pending.InvoiceID, after.LatestInvoice.ID)
	assert.Equal(b, billing.InvoicePaid, after.LatestInvoice.Status)
	assert.Equal(b, billing.NoAction, after.Next.Kind)
	b.owed(after, billing.Succeeded)
}

// expired asserts that nothing is left of a pending change of the subscription.
func (b *bench) expired(s billing.Subscription, want billing.Status) {
	b.Helper()
	after := b.read(s.ID, want)
	assert.Nil(b, after.Pending)
	assert.Equal(b, s.Price.Product, after.Price.Product)
	if s.Pending == nil {
		return
	}
	b.save(s.CustomerID, Pays)
	_, err := b.pay(s)
	b.refused(err, fault.Conflict)
}

// amount is a sum in AUD.
func amount(minor int64) money.Amount {
	out, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return out
}
