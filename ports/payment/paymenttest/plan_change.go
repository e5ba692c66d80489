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

var planChangeProofs = []proof{
	{name: "up, in place", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)

		after, err := b.change(s, professional)

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
		after, err := b.change(s, standard)
		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.Equal(b, standard, after.Price)
		assert.Equal(b, billing.Active, after.Status)
	}},
	{name: "to another interval begins a new period", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		after, err := b.change(s, price("standard", catalogue.Monthly))
		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.WithinDuration(b, b.Now().AddDate(0, 1, 0), after.CurrentPeriodEnd, 4*24*time.Hour)
	}},
	{name: "ends a trial and charges", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, trialDays)

		after, err := b.change(s, professional)

		require.NoError(b, err)
		assert.Equal(b, s.ID, after.ID)
		assert.Equal(b, billing.Active, after.Status)
		assert.Equal(b, professional, after.Price)
		assert.WithinDuration(b, b.Now(), after.TrialEnd, time.Minute, "it had a trial, which is over")
		assert.WithinDuration(b, b.Now().AddDate(1, 0, 0), after.CurrentPeriodEnd, 4*24*time.Hour)
		b.owed(after, billing.Succeeded)
		assert.Equal(b, []string{s.ID}, b.list(s.CustomerID))
	}},
	{name: "only of a live one", prove: func(b *bench) {
		ended := b.cancel(b.subscribe(b.payer(Pays).ID, 0).ID)
		for _, s := range []billing.Subscription{ended, b.declined()} {
			_, err := b.change(s, professional)
			b.refused(err, fault.Conflict)
			assert.Equal(b, standard, b.read(s.ID, s.Status).Price)
		}
	}},
	{name: "not to another currency", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		_, err := b.change(s, inDollars())
		b.refused(err, fault.Invalid)
		assert.Equal(b, s, b.read(s.ID, billing.Active))
	}},
	{name: "not to an unknown price", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		_, err := b.change(s, price("no-such-plan", catalogue.Yearly))
		b.refused(err, fault.Invalid, fault.NotFound)
		assert.Equal(b, s, b.read(s.ID, billing.Active))
	}},
	{name: "only from the price that the caller knows", prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, 0)
		in := changeOf(s, price("standard", catalogue.Monthly))
		in.From = professional
		_, err := b.Provider.ChangePlan(b.Context(), in)
		b.refused(err, fault.Conflict)
		assert.Equal(b, s, b.read(s.ID, billing.Active))
	}},
	{name: "only of a trial that the caller knows to end", prove: func(b *bench) {
		for _, days := range []int{0, trialDays} {
			s := b.subscribe(b.payer(Pays).ID, days)
			in := changeOf(s, professional)
			in.EndTrial = !in.EndTrial
			_, err := b.Provider.ChangePlan(b.Context(), in)
			b.refused(err, fault.Conflict)
			assert.Equal(b, s, b.read(s.ID, s.Status))
		}
	}},
	{name: "says which request made it", prove: func(b *bench) {
		in := payment.NewSubscription{Key: newKey(), CustomerID: b.payer(Pays).ID, Price: standard}
		s, err := b.Provider.Subscribe(b.Context(), in)
		require.NoError(b, err)
		assert.Equal(b, in.Key, s.MadeBy)
		assert.Empty(b, s.ChangedBy)
		change := changeOf(s, professional)
		s, err = b.Provider.ChangePlan(b.Context(), change)
		require.NoError(b, err)
		assert.Equal(b, in.Key, s.MadeBy)
		assert.Equal(b, change.Key, s.ChangedBy)
	}},
	{name: "not while the last bill is overdue, which would become credit", needs: PassingTime, prove: func(b *bench) {
		s := b.late()
		b.save(s.CustomerID, Pays)
		for _, to := range []catalogue.PriceRef{professional, price("standard", catalogue.Monthly)} {
			_, err := b.change(s, to)
			b.refused(err, fault.Conflict)
		}
		assert.Equal(b, s.LatestInvoice.ID, b.read(s.ID, billing.PastDue).LatestInvoice.ID)
	}},
	{name: "for less leaves credit for what was paid and not used", needs: PassingTime, prove: func(b *bench) {
		s, err := b.buy(b.payer(Pays).ID, professional)
		require.NoError(b, err)
		paid := s.LatestInvoice.AmountDue

		s = b.changed(s, standard)

		assert.Zero(b, s.LatestInvoice.AmountDue.Minor(), "nothing is due")
		b.Advance(b.T, s.CurrentPeriodEnd.Sub(b.Now())+2*time.Hour)
		renewed := b.read(s.ID, billing.Active).LatestInvoice.AmountDue.Minor()
		assert.Less(b, renewed, paid.Minor())
		assert.GreaterOrEqual(b, renewed, int64(0))
	}},
}
