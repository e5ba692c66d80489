package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

// newDowngradedUser returns a user who paid 816.00 for a year of Professional and immediately changed to Standard monthly,
// which leaves a credit of 777.00. It also returns the id of the paid invoice.
func newDowngradedUser(t *testing.T) (*apptest.Env, *apptest.User, string) {
	t.Helper()
	env := apptest.New(t)
	user := env.SignUp("ann")
	sub := user.SubscribeWithoutTrial(apptest.Visa, apptest.ProfessionalYearly)
	_, err := env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{PriceChoice: apptest.StandardMonthly})
	require.NoError(t, err)
	require.EqualValues(t, 77700, user.Customer().Credit.Minor())
	return env, user, sub.LatestInvoice.ID
}

func TestRefund_WithdrawsCreditAndCausesNoHold(t *testing.T) {
	env, user, invoiceID := newDowngradedUser(t)

	env.Refund(invoiceID, 81600, "AUD")
	env.DeliverEvents()

	assert.Zero(t, user.Customer().Credit.Minor())
	assert.Equal(t, billing.NoHold, user.Account().Hold())
	env.Advance(32 * day)
	charges := user.Charges()
	assert.EqualValues(t, 3900, charges[len(charges)-1].Amount, "the card pays the renewal")
	_, err := env.App.EndSubscription.Do(t.Context(), user.Identity, app.EndRequest{})
	require.NoError(t, err)
	env.Advance(32 * day)
	env.DeliverEvents()
	assert.Equal(t, billing.Active, user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardMonthly).Status)
	env.RequireCopyMatchesProvider(user)
}

func TestRefund_DowngradeAfterTheRefundOfThePeriodGivesNoCredit(t *testing.T) {
	env := apptest.New(t)
	user := env.SignUp("ann")
	sub := user.SubscribeWithoutTrial(apptest.Visa, apptest.ProfessionalYearly)
	env.Refund(sub.LatestInvoice.ID, 81600, "AUD")
	env.DeliverEvents()
	quote, err := env.App.QuotePrice.Do(t.Context(), user.Identity, app.QuoteRequest{Price: apptest.StandardMonthly})
	require.NoError(t, err)
	assert.Zero(t, quote.CreditAfter.Minor())

	_, err = env.App.ChangePlan.Do(t.Context(), user.Identity,
		app.ChangeRequest{PriceChoice: apptest.StandardMonthly, Quote: quote.Token})

	require.NoError(t, err)
	assert.Zero(t, user.Customer().Credit.Minor())
}

func TestDispute_HoldsTheAccountAfterItsSubscriptionHasEnded(t *testing.T) {
	env, user, invoiceID := newDowngradedUser(t)
	requireOnHold := func() {
		t.Helper()
		_, err := env.App.Subscribe.Do(t.Context(), user.Identity, app.SubscribeRequest{Price: apptest.StandardMonthly})
		require.ErrorIs(t, err, billing.ErrOnHold)
		_, err = env.App.QuotePrice.Do(t.Context(), user.Identity, app.QuoteRequest{Price: apptest.StandardMonthly})
		require.ErrorIs(t, err, billing.ErrOnHold)
	}

	env.Dispute(invoiceID)
	env.DeliverEvents()

	assert.Zero(t, user.Customer().Credit.Minor())
	assert.Equal(t, billing.HoldDisputed, user.Account().Hold())
	_, err := env.App.ChangePlan.Do(t.Context(), user.Identity, app.ChangeRequest{PriceChoice: apptest.StandardYearly})
	require.ErrorIs(t, err, billing.ErrOnHold)
	_, err = env.App.EndSubscription.Do(t.Context(), user.Identity, app.EndRequest{})
	require.NoError(t, err, "the subscription can be ended")
	env.Advance(32 * day)
	env.DeliverEvents()
	requireOnHold()
	env.CloseDispute(invoiceID, false)
	env.DeliverEvents()
	requireOnHold()
	assert.Equal(t, billing.HoldDisputed, user.Account().Hold())
	env.RequireCopyMatchesProvider(user)
}
