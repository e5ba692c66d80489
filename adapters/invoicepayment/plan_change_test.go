package invoicepayment

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestChangePlan_IsPendingUntilPaidOrDue(t *testing.T) {
	e, s := newSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	change := payment.PriceChange{Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional}
	pending, err := e.ChangePlan(t.Context(), change)
	require.NoError(t, err)
	assert.Equal(t, standard, pending.Price)
	assert.Equal(t, noon.Add(14*day), pending.Pending.ExpiresAt)
	assert.Equal(t, pending.Pending.InvoiceID, pending.Next.InvoiceID)
	_, err = e.MarkPaid(t.Context(), Transfer{Number: e.number(e.find(t, pending.Pending.InvoiceID)), Amount: aud(t, "5"), Reference: "a part"})
	require.NoError(t, err)

	expired := e.subscriptionAfter(t, s.ID, 14*day)
	assert.Nil(t, expired.Pending)
	assert.Equal(t, billing.Active, expired.Status)
	assert.Equal(t, "5", e.credit(t, s.CustomerID), "the part payment")

	e.subscriptionAfter(t, s.ID, 25*day)
	change.Key = rand.Text()
	pending, err = e.ChangePlan(t.Context(), change)
	require.NoError(t, err)
	assert.Equal(t, s.CurrentPeriodEnd, pending.Pending.ExpiresAt, "the period ends earlier")
	e.payInvoice(t, pending.Pending.InvoiceID)
	changed := e.subscriptionAfter(t, s.ID, 26*day)
	assert.Equal(t, professional, changed.Price)

	change = payment.PriceChange{Key: rand.Text(), SubscriptionID: s.ID, From: professional, To: standard}
	_, err = e.ChangePlan(t.Context(), change)
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err), "cheaper now")
}
