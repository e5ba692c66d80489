package flows

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

const insufficientFunds = "4000000000009995"

// signUpWithPaidYear signs up a user who pays for a year of the standard plan and then changes the default card. It
// returns the user and the subscription.
func (env *testEnv) signUpWithPaidYear(defaultCard string) (*apptest.User, billing.Subscription) {
	env.t.Helper()
	user := env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.Visa, apptest.StandardYearly)
	user.AddCard(defaultCard)
	return user, *user.Account().LiveSubscription()
}

// startPendingChange changes to the professional plan. The change remains pending, because the default card is declined or
// needs authentication.
func (env *testEnv) startPendingChange(user *apptest.User) billing.Subscription {
	env.t.Helper()
	pendingSub, err := env.App.ChangePlan.Do(env.t.Context(), user.Identity,
		app.ChangeRequest{PriceChoice: apptest.ProfessionalYearly})
	require.NoError(env.t, err)
	require.NotNil(env.t, pendingSub.Pending)
	return pendingSub
}

// requireSameLicenseAndInvoices requires the same license and invoices as before.
func (env *testEnv) requireSameLicenseAndInvoices(user *apptest.User, paidSub billing.Subscription) {
	env.t.Helper()
	license := user.License()
	require.NotNil(env.t, license)
	assert.Equal(env.t, billing.NewLicense(paidSub), *license)
	for _, inv := range env.Invoices(paidSub.CustomerID) {
		if inv.ID == paidSub.LatestInvoice.ID {
			assert.Equal(env.t, paidSub.LatestInvoice.Status, inv.Status)
		} else {
			assert.NotEqual(env.t, billing.InvoicePaid, inv.Status, "another invoice")
		}
	}
	env.RequireCopyMatchesProvider(user)
}

func TestCancelPendingChange_ConcurrentPaymentLeavesTheChangeCanceledOrPaid(t *testing.T) {
	for range 8 {
		env := newEnv(t)
		user, paidSub := env.signUpWithPaidYear(apptest.AuthenticationCard)
		pendingSub := env.startPendingChange(user)
		var sub billing.Subscription
		for _, err := range runConcurrently(
			func() error {
				_, _ = env.Provider.Confirm(t.Context(), fakepayment.Confirmation{
					ClientSecret: pendingSub.Next.Secret, Outcome: fakepayment.OutcomeComplete,
				}) // refused if the change was canceled first
				return nil
			},
			func() (err error) {
				sub, err = env.App.CancelPendingChange.Do(t.Context(), user.Identity)
				return err
			},
		) {
			require.NoError(t, err)
		}
		if sub.Price == paidSub.Price {
			env.requireSameLicenseAndInvoices(user, paidSub)
		} else {
			assert.Equal(t, pendingSub.Pending.To, sub.Price)
		}
		assert.Equal(t, sub.Price, user.License().Price)
		env.RequireCopyMatchesProvider(user)
	}
}

func TestRefreshBilling_FindsAnExpiredChangeWithoutAnEvent(t *testing.T) {
	env := newEnv(t)
	user, _ := env.signUpWithPaidYear(insufficientFunds)
	env.startPendingChange(user)
	for range 25 { // hours
		env.Advance(day / 24)
		_, err := env.App.RefreshBilling.Do(t.Context())
		require.NoError(t, err)
	}
	assert.Nil(t, user.Account().LiveSubscription().Pending)
	env.RequireCopyMatchesProvider(user)
}
