package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const day = 24 * time.Hour

var timeProofs = []proof{
	{name: "a trial runs to its end", needs: PassingTime, prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, trialDays)
		b.Advance(b.T, (trialDays-1)*day)
		b.read(s.ID, billing.Trialing)
	}},
	{name: "a trial's end is paid", needs: PassingTime, prove: func(b *bench) {
		s := b.subscribe(b.payer(Pays).ID, trialDays)
		told := b.told(payment.SubscriptionChanged, s.CustomerID, s.ID)

		b.Advance(b.T, (trialDays+1)*day)

		after := b.read(s.ID, billing.Active)
		b.owed(after, billing.Succeeded)
		assert.NotEqual(b, s.LatestInvoice.ID, after.LatestInvoice.ID)
		assert.Equal(b, s.TrialEnd, after.TrialEnd)
		assert.WithinDuration(b, s.TrialEnd.AddDate(1, 0, 0), after.CurrentPeriodEnd, 4*day)
		b.toldAfter(told, payment.SubscriptionChanged, s.CustomerID, s.ID)
	}},
	{name: "a trial's end is paid with an authenticated card", needs: PassingTime, prove: func(b *bench) {
		s := b.subscribe(b.payer(NeedsAuthentication).ID, trialDays)
		b.ConfirmSetup(b.T, s.PendingSetup.ClientSecret, true)
		b.Advance(b.T, (trialDays+1)*day)
		b.read(s.ID, billing.Active)
	}},
	{name: "a trial's end is not paid with a card nobody authenticated", needs: PassingTime, prove: func(b *bench) {
		s := b.subscribe(b.payer(NeedsAuthentication).ID, trialDays)
		b.Advance(b.T, (trialDays+1)*day)
		assert.NotEqual(b, billing.Succeeded, b.read(s.ID, billing.PastDue).LatestInvoice.Payment.Status)
	}},
	{name: "every period is paid", needs: PassingTime, prove: func(b *bench) {
		s, err := b.buy(b.payer(Pays).ID, price("standard", "monthly"))
		require.NoError(b, err)
		for range 3 {
			b.Advance(b.T, s.CurrentPeriodEnd.Sub(b.Now())+time.Hour)
			after := b.read(s.ID, billing.Active)
			assert.NotEqual(b, s.LatestInvoice.ID, after.LatestInvoice.ID)
			assert.WithinDuration(b, s.CurrentPeriodEnd.AddDate(0, 1, 0), after.CurrentPeriodEnd, 4*day)
			s = after
		}
	}},
	{name: "a first payment may take its time", needs: PassingTime, prove: func(b *bench) {
		s := b.declined()
		b.Advance(b.T, 20*time.Hour)
		b.read(s.ID, billing.Incomplete)
		b.save(s.CustomerID, Pays)
		after, err := b.pay(s)
		require.NoError(b, err)
		assert.Equal(b, billing.Active, after.Status)
	}},
	{name: "a first payment that is never made expires", needs: PassingTime, prove: func(b *bench) {
		s := b.declined()
		b.Advance(b.T, 25*time.Hour)
		b.read(s.ID, billing.IncompleteExpired)
		b.save(s.CustomerID, Pays)
		_, err := b.pay(s)
		b.refused(err, fault.Conflict)
	}},
	{name: "nothing comes of a canceled one", needs: PassingTime, prove: func(b *bench) {
		ended := b.cancel(b.subscribe(b.payer(Pays).ID, trialDays).ID)
		b.Advance(b.T, (trialDays+1)*day)
		assert.Equal(b, ended, b.read(ended.ID, billing.Canceled))
	}},
}
