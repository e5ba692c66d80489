package invoicepayment

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

func TestSubscribe_ReturnsConflictWhileTheInvoiceOfAnEndedSubscriptionIsOpen(t *testing.T) {
	for name, end := range map[string]func(e *env, s billing.Subscription){
		"ended because its invoice was overdue": func(e *env, s billing.Subscription) { e.advanceAndReadSubscription(t, s.ID, 22*day) },
		"canceled while the invoice is open": func(e *env, s billing.Subscription) {
			_, err := e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: s.ID})
			require.NoError(t, err)
		},
	} {
		e := newEnv(t, newSQLite(t))
		c := e.newCustomer(t)
		s, err := e.subscribe(t, c, 0)
		require.NoError(t, err)
		end(e, s)

		_, err = e.subscribe(t, c, 0)
		assert.Equal(t, fault.Conflict, fault.CodeOf(err), name)
		assert.ErrorContains(t, err, "INV-000001", name)

		_, err = e.VoidInvoice(t.Context(), "INV-000001")
		require.NoError(t, err)
		_, err = e.subscribe(t, c, 0)
		assert.NoError(t, err, name)
	}
}

func TestChangePlan_IsPendingUntilItsInvoiceIsPaidOrDue(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	upgrade := payment.PriceChange{Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional}
	s, err := e.ChangePlan(t.Context(), upgrade)
	require.NoError(t, err)
	assert.Equal(t, standard, s.Price)
	assert.Equal(t, noon.Add(14*day+restOfDay), s.Pending.ExpiresAt)
	assert.Equal(t, s.Pending.InvoiceID, s.Next.InvoiceID)
	number := e.invoiceNumber(t, s.Pending.InvoiceID)
	_, err = e.RecordPayment(t.Context(), payment.Transfer{InvoiceNumber: number, Amount: aud(t, "5"), Reference: "a part"})
	require.NoError(t, err)

	s = e.advanceAndReadSubscription(t, s.ID, 14*day+restOfDay)
	assert.Nil(t, s.Pending)
	assert.Equal(t, billing.Active, s.Status)
	assert.Equal(t, "5", e.readCredit(t, s.CustomerID), "the part payment becomes credit")

	periodEnd := s.CurrentPeriodEnd
	e.advanceAndReadSubscription(t, s.ID, 25*day)
	upgrade.Key = rand.Text()
	s, err = e.ChangePlan(t.Context(), upgrade)
	require.NoError(t, err)
	assert.Equal(t, periodEnd.Add(restOfDay-day), s.Pending.ExpiresAt, "the period ends earlier")
	e.payInvoice(t, s.Pending.InvoiceID)
	s = e.advanceAndReadSubscription(t, s.ID, 26*day)
	assert.Equal(t, professional, s.Price)

	downgrade := payment.PriceChange{Key: rand.Text(), SubscriptionID: s.ID, From: professional, To: standard}
	_, err = e.ChangePlan(t.Context(), downgrade)
	assert.Equal(t, fault.Unsupported, fault.CodeOf(err), "an immediate change to a cheaper plan is refused")
}

// The refunded invoice is neither open nor the latest invoice of a subscription any more. The account contains it
// because of the refund.
func TestCancelPendingChange_WithdrawsAnEarlierRefundFromReturnedCredit(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.mustRecordPayment(t, e.newTransfer(t, s, "49", "with a credit of 10"))
	changedSub, err := e.ChangePlan(t.Context(), payment.PriceChange{
		Key: rand.Text(), SubscriptionID: s.ID, From: standard, To: professional,
	})
	require.NoError(t, err)
	assert.Equal(t, "10", changedSub.LatestInvoice.CreditUsed.Format())
	_, err = e.Refund(t.Context(), payment.RefundRequest{Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: aud(t, "7")})
	require.NoError(t, err)

	_, err = e.CancelPendingChange(t.Context(), payment.PendingChangeCancellation{
		Key: rand.Text(), SubscriptionID: s.ID, InvoiceID: changedSub.Pending.InvoiceID,
	})

	require.NoError(t, err)
	assert.Equal(t, "3", e.readCredit(t, s.CustomerID))
}

func TestInstructions_NameThePayeeOnce(t *testing.T) {
	const account = "Account number: 1234 5678"
	for setting, want := range map[string]int{account: 1, "Account name: Example Pty Ltd; " + account: 0} {
		p, err := Open(plugin.Settings{Values: map[string]string{"ACCOUNT": setting}}, plugin.Dependencies{})
		require.NoError(t, err)
		payees := 0
		for _, instruction := range p.paymentInstructions(ledger.Invoice{Invoice: engine.Invoice{Currency: "AUD"}}) {
			if instruction.Label == "Payee" {
				assert.Equal(t, "Example Pty Ltd", instruction.Value)
				payees++
			}
		}
		assert.Equal(t, want, payees, setting)
	}
}
