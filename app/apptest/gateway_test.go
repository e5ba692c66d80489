package apptest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/billing"
)

const day = 24 * time.Hour

// The clock passes the end of the trial and two renewals in one step. Each invoice has the date on which it became due.
func TestAdvance_GatewayChargesEachInvoiceWhenItBecomesDue(t *testing.T) {
	env := apptest.New(t, apptest.WithGateway(fakegateway.CardsAndDebits(), nil))
	user := env.SignUp("ann")
	trialEnd := user.Subscribe(apptest.Visa, apptest.StandardMonthly).TrialEnd

	env.Advance(7*day + 62*day)
	env.DeliverEvents()

	charges := user.Charges()
	require.Len(t, charges, 3)
	for i, charge := range charges {
		assert.Equal(t, int64(3900), charge.Amount)
		assert.Equal(t, trialEnd.AddDate(0, i, 0), charge.InvoicedAt)
	}
	assert.Equal(t, billing.Active, user.LicenseStatus())
	env.RequireCopyMatchesProvider(user)
}

func TestAdvance_GatewayReturnsADebitAfterItsReturnWindow(t *testing.T) {
	env := apptest.New(t, apptest.WithGateway(fakegateway.CardsAndDebits(), nil))
	user := env.SignUp("ann")
	user.SubscribeWithoutTrial(apptest.ReturningAccount, apptest.StandardMonthly)

	env.Advance(3 * day)
	env.DeliverEvents()
	assert.Equal(t, billing.Active, user.LicenseStatus())
	env.Advance(7 * day)
	env.DeliverEvents()

	assert.Equal(t, billing.PastDue, user.Account().LiveSubscription().Status)
}
