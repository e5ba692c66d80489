package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

var planChangeProofs = []proof{
	{name: "up, in place", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)

		after, err := b.change(s.ID, professional)

		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.Equal(b, professional, after.Price)
		assert.Equal(b, billing.Active, after.Status)
		assert.Equal(b, s.CreatedAt, after.CreatedAt)
		assert.Equal(b, s.CurrentPeriodEnd, after.CurrentPeriodEnd, "the same interval keeps its period")
		assert.NotEqual(b, s.LatestInvoice.ID, after.LatestInvoice.ID, "the difference is billed at once")
		assert.Equal(b, after, b.read(s.ID, billing.Active))
		assert.Equal(b, []string{s.ID}, b.list(s.CustomerID))
	}},
	{name: "down, in place", prove: func(b *bench) {
		s, err := b.buy(b.payer(Pays).ID, professional)
		require.NoError(b, err)
		after, err := b.change(s.ID, standard)
		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.Equal(b, standard, after.Price)
		assert.Equal(b, billing.Active, after.Status)
	}},
	{name: "to another interval begins a new period", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		after, err := b.change(s.ID, price("standard", catalogue.Monthly))
		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.WithinDuration(b, b.Now().AddDate(0, 1, 0), after.CurrentPeriodEnd, 4*24*time.Hour)
	}},
	{name: "ends a trial and charges", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, trialDays)

		after, err := b.change(s.ID, professional)

		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.Equal(b, billing.Active, after.Status)
		assert.Equal(b, professional, after.Price)
		assert.WithinDuration(b, b.Now(), after.TrialEnd, time.Minute, "it had a trial, which is over")
		assert.WithinDuration(b, b.Now().AddDate(1, 0, 0), after.CurrentPeriodEnd, 4*24*time.Hour)
		b.owed(after, billing.Succeeded)
		assert.Equal(b, []string{s.ID}, b.list(s.CustomerID))
	}},
	{name: "ends a trial without the money", prove: func(b *bench) {
		s := b.subscribe(b.payer(DeclinedWhenCharged).ID, trialDays)
		after, err := b.change(s.ID, professional)
		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.Equal(b, billing.PastDue, after.Status)
		b.owed(after, billing.RequiresPaymentMethod)
	}},
	{name: "a declined difference is no error", prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, 0)
		b.save(c.ID, DeclinedWhenCharged)
		after, err := b.change(s.ID, professional)
		require.NoError(b, err)
		assert.Equal(b, professional, after.Price)
		assert.Equal(b, billing.PastDue, after.Status)
		b.owed(after, billing.RequiresPaymentMethod)
	}},
	{name: "only of a live one", prove: func(b *bench) {
		ended := b.cancel(b.subscribe(b.payer(Pays).ID, 0).ID)
		for _, s := range []billing.Subscription{ended, b.declined()} {
			_, err := b.change(s.ID, professional)
			b.refused(err, fault.Conflict)
			assert.Equal(b, standard, b.read(s.ID, s.Status).Price)
		}
	}},
	{name: "not to another currency", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		_, err := b.change(s.ID, inDollars())
		b.refused(err, fault.Invalid)
		assert.Equal(b, s, b.read(s.ID, billing.Active))
	}},
	{name: "not to an unknown price", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		_, err := b.change(s.ID, price("no-such-plan", catalogue.Yearly))
		b.refused(err, fault.Invalid, fault.NotFound)
		assert.Equal(b, s, b.read(s.ID, billing.Active))
	}},
}
