package paymenttest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

var trialProofs = []proof{
	{name: "runs at once and takes no payment", prove: func(b *bench) {
		c := b.payer(Pays)
		s := b.subscribe(c.ID, trialDays)

		assert.Equal(b, billing.Trialing, s.Status)
		assert.WithinDuration(b, s.CreatedAt.AddDate(0, 0, trialDays), s.TrialEnd, time.Minute)
		assert.Equal(b, s.TrialEnd, s.CurrentPeriodEnd)
		require.NotNil(b, s.LatestInvoice)
		assert.NotEmpty(b, s.LatestInvoice.ID)
		assert.Nil(b, s.LatestInvoice.Payment)
		assert.Nil(b, s.PendingSetup)
		assert.Equal(b, s, b.read(s.ID, billing.Trialing))
	}},
	{name: "fixes the currency too", prove: func(b *bench) {
		c := b.payer(Pays)
		b.subscribe(c.ID, trialDays)
		assert.Equal(b, "AUD", b.look(c.ID).Currency)
	}},
	{name: "a card that will be declined is not noticed yet", prove: func(b *bench) {
		c := b.payer(DeclinedWhenCharged)
		assert.Equal(b, billing.Trialing, b.subscribe(c.ID, trialDays).Status)
	}},
	{name: "asks for the card's authentication", prove: func(b *bench) {
		c := b.payer(NeedsAuthentication)
		s := b.subscribe(c.ID, trialDays)

		assert.Equal(b, billing.Trialing, s.Status)
		require.NotNil(b, s.PendingSetup)
		assert.NotEmpty(b, s.PendingSetup.ID)
		assert.Equal(b, billing.RequiresAction, s.PendingSetup.Status)
		assert.NotEmpty(b, s.PendingSetup.ClientSecret)
		assert.Equal(b, s, b.read(s.ID, billing.Trialing))
	}},
	{name: "an authenticated card is not asked again", needs: Authentication, prove: func(b *bench) {
		c := b.payer(NeedsAuthentication)
		s := b.subscribe(c.ID, trialDays)

		assert.Equal(b, billing.Succeeded, b.ConfirmSetup(b.T, s.PendingSetup.ClientSecret, true))

		b.nothingPending(b.read(s.ID, billing.Trialing))
	}},
	{name: "goes on when the authentication fails", needs: Authentication, prove: func(b *bench) {
		c := b.payer(NeedsAuthentication)
		s := b.subscribe(c.ID, trialDays)

		assert.Equal(b, billing.RequiresPaymentMethod, b.ConfirmSetup(b.T, s.PendingSetup.ClientSecret, false))

		b.nothingPending(b.read(s.ID, billing.Trialing))
	}},
}

// nothingPending asserts that the browser has nothing left to do.
func (b *bench) nothingPending(s billing.Subscription) {
	b.Helper()
	assert.Equal(b, billing.OutcomeSucceeded, billing.Decide(s, false))
}
