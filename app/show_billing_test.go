package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/identity"
)

// showBilling returns the billing summary of a caller with a subscription.
func (f *fixture) showBilling(caller identity.Identity) app.BillingSummary {
	f.t.Helper()
	summary, err := f.ShowBilling.Do(f.t.Context(), caller)
	require.NoError(f.t, err)
	require.NotNil(f.t, summary.Subscription)
	return summary
}

// All prices are raised by 10.00 after the customer has chosen the plan.
func TestShowBilling_AnnouncesThePurchasedPriceAfterAPriceChange(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare                 func(f *fixture, caller identity.Identity)
		wantAmount, wantRenewal int64
	}{
		"trial": {func(f *fixture, caller identity.Identity) { f.subscribe(caller, visa, professionalMonthly, false) }, 7600, 7600},
		"paid":  {func(f *fixture, caller identity.Identity) { f.subscribe(caller, visa, professionalMonthly, true) }, 7600, 7600},
		"scheduled change": {func(f *fixture, caller identity.Identity) {
			f.subscribe(caller, visa, professionalMonthly, true)
			_, err := f.ChangePlan.Do(f.t.Context(), caller,
				app.ChangeRequest{PriceChoice: standardMonthly, When: billing.ChangeAtRenewal})
			require.NoError(f.t, err)
		}, 7600, 3900},
	} {
		t.Run(name, func(t *testing.T) {
			prices := &increasedPrices{Catalogue: catalogue.Default()}
			f := newFixture(t, apptest.WithProvider(func(c *fakepayment.Config) { c.Prices = prices }))
			caller := f.signUp()
			tt.prepare(f, caller)
			prices.increase = 1000

			summary := f.showBilling(caller)

			assert.Equal(t, tt.wantAmount, summary.Subscription.Amount.Minor())
			if summary.Subscription.Scheduled != nil {
				assert.Equal(t, tt.wantRenewal, summary.Subscription.Scheduled.Amount.Minor())
			}
			require.NotNil(t, summary.NextCharge)
			assert.Equal(t, tt.wantRenewal, summary.NextCharge.Amount.Minor())
			f.Advance(summary.NextCharge.At.Sub(f.Clock.Now()) + 2*time.Hour)
			charges := f.User(caller).Charges()
			assert.Equal(t, tt.wantRenewal, charges[len(charges)-1].Amount, "the announced amount is charged")
		})
	}
}

func TestShowBilling_NextChargeBelowTheMinimumIsZero(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	f.addCredit(caller, 3851)
	assert.Zero(t, f.showBilling(caller).NextCharge.Amount.Minor(), "the remaining 0.49 is added to the charge after the next one")
}

// The provider reports no amounts if it could not preview the renewal. Such a copy is refreshed before it is shown.
func TestShowBilling_CopyWithoutAmountsHasNoNextChargeUntilItIsRefreshed(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, true)
	_, err := f.Store.UpdateOrganisation(t.Context(), caller.OrganisationID, func(o *account.Organisation) error {
		s := &o.Billing.Subscriptions[0]
		s.Amount, s.Renewal = money.Amount{}, money.Amount{}
		return nil
	})
	require.NoError(t, err)
	workingServer := f.UseCases
	f.injectFaults(failAlways("ListSubscriptions"))
	summary := f.showBilling(caller)
	assert.Zero(t, summary.Subscription.Amount)
	assert.Nil(t, summary.NextCharge)

	f.UseCases = workingServer
	assert.Equal(t, int64(3900), f.showBilling(caller).NextCharge.Amount.Minor())
	assert.Equal(t, int64(3900), f.account(caller).LiveSubscription().Amount.Minor())
}

func TestListSubscriptions_FiltersByStatus(t *testing.T) {
	f := newFixture(t)
	caller := identityOf(f.signUpUnverified())
	subs, err := f.ListSubscriptions.Do(t.Context(), caller, "")
	require.NoError(t, err)
	assert.Empty(t, subs, "there is no customer")
	f.Verify(f.UseCases, "ann@example.com")
	sub := f.subscribe(caller, visa, standardMonthly, true)
	for status, want := range map[billing.Status]int{"": 1, billing.Active: 1, billing.Canceled: 0} {
		subs, err := f.ListSubscriptions.Do(t.Context(), caller, status)
		require.NoError(t, err)
		require.Len(t, subs, want, status)
		if want > 0 {
			assert.Equal(t, sub.ID, subs[0].ID)
		}
	}
}
