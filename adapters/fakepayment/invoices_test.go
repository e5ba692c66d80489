package fakepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

func TestSubscribe_AmountBelowTheMinimumIsCarriedOver(t *testing.T) {
	e := newEnv(t)
	customerID := newCustomer(t, e.Provider, visa)
	_, err := e.AddCredit(t.Context(), payment.CreditGrant{Key: newKey(), CustomerID: customerID, Amount: aud(t, 3851)})
	require.NoError(t, err)

	s := subscribe(t, e.Provider, customerID, "standard_monthly", 0)

	assert.Equal(t, billing.Active, s.Status)
	assert.Zero(t, latestPaymentAmount(t, e.Provider, s), "0.49 is not charged")
	c, err := e.Customer(t.Context(), customerID)
	require.NoError(t, err)
	assert.Equal(t, aud(t, -49), c.Credit)
	e.advanceTo(t, date(2026, 4, 1))
	assert.Equal(t, 3949, latestPaymentAmount(t, e.Provider, getSubscription(t, e.Provider, s.ID)))
}
