package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/flowtest"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/identity"
)

func TestPitfall18_ATrialsCardIsAuthenticatedNow(t *testing.T) {
	w := newWorld(t)
	who := w.member()

	made := w.subscribed(who, flowtest.AsksHolder, standardMonthly)
	require.Equal(t, billing.Trialing, made.Status)
	require.Equal(t, billing.OutcomeConfirmSetup, billing.Decide(made, false))
	w.confirmed(made.PendingSetup, fakepayment.Complete)

	require.NotNil(t, w.license(who))
	assert.Nil(t, w.account(who).Live().PendingSetup, "no webhook has told us")
	w.Advance(7 * day)
	assert.Equal(t, billing.Active, w.license(who).Status, "nobody is asked again when the trial ends")
	w.requireSound(who)
}

// waiting is a first payment that the bank wants to see the card's holder for.
func (w *world) waiting(who identity.Identity) (app.SubscribeRequest, billing.Subscription) {
	w.t.Helper()
	in := app.SubscribeRequest{CardID: w.Card(flowtest.AsksHolder), Price: standardMonthly, NoTrial: true}
	made, err := w.Subscribe.Do(w.t.Context(), who, in)
	require.NoError(w.t, err)
	require.Equal(w.t, billing.OutcomeConfirmPayment, billing.Decide(made, false))
	require.Nil(w.t, w.license(who))
	return in, made
}

func TestAPaymentConfirmedInTheBrowserMakesALicense(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	in, made := w.waiting(who)

	w.confirmed(made.LatestInvoice.Payment, fakepayment.Complete)

	t.Run("and a repeat of the request gets it", func(t *testing.T) {
		again, err := w.Subscribe.Do(t.Context(), who, in)
		require.NoError(t, err)
		assert.Equal(t, made.ID, again.ID)
		assert.Equal(t, billing.OutcomeSucceeded, billing.Decide(again, false))
	})
	assert.Equal(t, billing.Active, w.license(who).Status)
	assert.Equal(t, 1, w.paid())
	w.requireSound(who)
}

func TestAPaymentThatFailedInTheBrowserIsRetriedWithAnotherCard(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	_, made := w.waiting(who)
	w.confirmed(made.LatestInvoice.Payment, fakepayment.Fail)
	assert.Nil(t, w.license(who))

	require.NoError(t, subscribing(standardMonthly, true)(w.Card(flowtest.Visa))(t.Context(), w.UseCases, who))

	assert.Equal(t, billing.Active, w.license(who).Status)
	assert.Len(t, w.truth(), 1)
	assert.Equal(t, 1, w.paid())
	w.requireSound(who)
}

func TestTheSecretsThatABrowserNeedsAreNotKept(t *testing.T) {
	w := newWorld(t)
	who := w.member()
	_, made := w.waiting(who)
	require.NotEmpty(t, made.LatestInvoice.Payment.ClientSecret)
	assert.Empty(t, w.account(who).Open().LatestInvoice.Payment.ClientSecret)
}
