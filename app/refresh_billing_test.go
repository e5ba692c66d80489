package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/flakypayment"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestRefreshBilling_RefreshesStaleCopies(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, declinedChargesCard, standardMonthly, false)
	f.Advance(8 * day)
	f.injectFaults(failAlways("ListSubscriptions"))
	refreshedCount, err := f.RefreshBilling.Do(t.Context())
	assertCode(t, fault.Unavailable, err)
	assert.Zero(t, refreshedCount)
	assert.Equal(t, billing.Trialing, f.account(caller).LiveSubscription().Status)

	f.injectFaults(flakypayment.NoFaults)
	f.Advance(time.Minute) // the check does not wait long after an outage
	refreshedCount, err = f.RefreshBilling.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, 1, refreshedCount)
	assert.Equal(t, billing.PastDue, f.account(caller).LiveSubscription().Status)
	assert.True(t, f.account(caller).CheckAt.After(f.Clock.Now()))
}

func TestRefreshBilling_RefreshesAtMost50OrganisationsPerRound(t *testing.T) {
	f := newFixture(t)
	for i := range 51 {
		f.SignUpOnServer(f.UseCases, fmt.Sprintf("ann%c%c", 'a'+i/26, 'a'+i%26))
	}
	f.Advance(31 * day)
	for _, want := range []int{50, 1, 0} {
		refreshedCount, err := f.RefreshBilling.Do(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, refreshedCount)
	}
}

func TestRefreshBilling_RemovesADeletedCustomerAndKeepsAnUnknownOne(t *testing.T) {
	f, caller := newSignedUpFixture(t)
	f.subscribe(caller, visa, standardMonthly, false)
	f.Advance(31 * day)
	f.UseCases = f.NewApp(f.Store, newFixture(t).provider) // a provider that does not know the customer
	refreshedCount, err := f.RefreshBilling.Do(t.Context())
	require.NoError(t, err)
	assert.Zero(t, refreshedCount)
	assert.NotNil(t, f.account(caller).License())

	f.injectFaults(flakypayment.NoFaults)
	require.NoError(t, f.provider.DeleteCustomer(t.Context(), f.account(caller).CustomerID))
	f.Advance(time.Hour)
	refreshedCount, err = f.RefreshBilling.Do(t.Context())

	require.NoError(t, err)
	assert.Equal(t, 1, refreshedCount)
	assert.Nil(t, f.account(caller).License())
	assert.Empty(t, f.account(caller).CustomerID)
}
