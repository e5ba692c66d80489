package billing_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// newPendingOrder returns a subscription that waits for an operator's approval.
func newPendingOrder() billing.Subscription {
	s := newSub("a", billing.Incomplete, 0)
	s.Next = billing.NextAction{Kind: billing.Wait, Until: day0.AddDate(0, 0, 30), InvoiceDays: 14, Reason: "We check your order."}
	return s
}

func TestPendingOrder_ReturnsOrderThatAwaitsApproval(t *testing.T) {
	assert.Equal(t, &billing.Order{
		SubscriptionID: "a", Price: professionalAUD, OrderedAt: day0, ExpiresAt: day0.AddDate(0, 0, 30),
		Reason: "We check your order.", Amount: newSub("a", billing.Incomplete, 0).Amount, InvoiceDays: 14,
	}, newAccount(newPendingOrder()).PendingOrder())

	processingSub := newDeclinedSub(billing.Incomplete)
	processingSub.Next = billing.NextAction{Kind: billing.Wait, InvoiceID: "in_1"}
	for name, a := range map[string]*billing.Account{
		"no subscription":          newAccount(),
		"declined first payment":   newAccount(newDeclinedSub(billing.Incomplete)),
		"processing first payment": newAccount(processingSub),
		"live subscription":        newAccount(newPendingOrder(), newSub("b", billing.Active, -1)),
	} {
		assert.Nil(t, a.PendingOrder(), name)
	}
}

func TestDecidePurchase_RefusesWhileOrderIsPending(t *testing.T) {
	for _, price := range []catalogue.PriceRef{professionalAUD, standardAUD} {
		actions, err := billing.DecidePurchase(newAccount(newPendingOrder()), billing.Purchase{Price: price, MethodID: "card"})

		assertFault(t, err, fault.Conflict, "withdraw this order first")
		assert.Empty(t, actions, "the order is not replaced")
	}
}

func TestDecideEnd_WithdrawsPendingOrder(t *testing.T) {
	a := newAccount(newPendingOrder())

	actions, err := billing.DecideEnd(a, day0, true)

	require.NoError(t, err)
	assert.Equal(t, []billing.Action{{Kind: billing.WithdrawOrderAction, CustomerID: "cus_1", SubscriptionID: "a"}}, actions)
	assert.False(t, billing.WithdrawOrderAction.CanCharge())
	assert.Nil(t, a.PreviewEnd(day0, true), "there is no subscription to end")
}

func TestTrialUsed_IsFalseAfterWithdrawnOrder(t *testing.T) {
	withdrawnAccount := newAccount(newSub("a", billing.IncompleteExpired, 0))
	plan, _ := catalogue.Default().Plan("professional")

	assert.False(t, withdrawnAccount.TrialUsed())
	assert.Positive(t, billing.OfferTrial(withdrawnAccount, plan, day0).Days)
	for _, status := range []billing.Status{billing.Canceled, billing.Unpaid, billing.Active} {
		assert.True(t, newAccount(newSub("a", status, 0)).TrialUsed(), status)
	}
}
