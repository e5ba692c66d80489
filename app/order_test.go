package app_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/app"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestSubscribe_SecondOrderIsRefusedUntilTheFirstIsWithdrawn(t *testing.T) {
	f := newOrderFixture(t)

	for _, price := range []app.PriceChoice{standardMonthly, professionalMonthly} {
		_, err := f.orderPlan(price)
		assertCode(t, fault.Conflict, err)
		_, err = f.QuotePrice.Do(t.Context(), f.caller, app.QuoteRequest{Price: price})
		assertCode(t, fault.Conflict, err)
	}
	require.NotNil(t, f.accountShownToUser().PendingOrder())
	assert.Equal(t, "standard_monthly", f.accountShownToUser().PendingOrder().Price.PriceID())

	sub, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})
	require.NoError(t, err)
	assert.Equal(t, billing.IncompleteExpired, sub.Status)
	assert.Nil(t, f.accountShownToUser().PendingOrder())

	_, err = f.orderPlan(professionalMonthly)
	require.NoError(t, err)
	_, err = f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
	require.NoError(t, err)
	account := f.accountShownToUser()
	require.NotNil(t, account.LiveSubscription())
	assert.Equal(t, "professional_monthly", account.LiveSubscription().Price.PriceID())
	assert.Equal(t, billing.Trialing, account.LiveSubscription().Status, "the withdrawn order has used no trial")
	assert.NotEmpty(t, account.NextAction().Instructions, "account and reference for the transfer")
}

func TestEndSubscription_IsRefusedWhenTheOrderIsApprovedAtTheSameTime(t *testing.T) {
	f := newOrderFixture(t)
	f.UseCases = f.NewApp(&storeWithBeginHook{Store: f.Store, beforeBegin: sync.OnceFunc(func() {
		_, err := f.invoices.ApproveOrganisation(t.Context(), f.caller.OrganisationID)
		require.NoError(t, err)
	})}, f.invoices)

	_, err := f.EndSubscription.Do(t.Context(), f.caller, app.EndRequest{})

	assertCode(t, fault.Conflict, err)
	assert.ErrorContains(t, err, "Your order was approved just now")
	assert.Equal(t, billing.Trialing, f.accountShownToUser().LiveSubscription().Status)
}
