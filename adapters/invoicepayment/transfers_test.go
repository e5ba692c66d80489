package invoicepayment

import (
	"crypto/rand"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/ledger"
	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// newTransfer returns a transfer for the latest invoice of a subscription.
func (e *env) newTransfer(t *testing.T, s billing.Subscription, amount, reference string) payment.Transfer {
	t.Helper()
	return payment.Transfer{InvoiceNumber: e.invoiceNumber(t, s.LatestInvoice.ID), Amount: aud(t, amount), Reference: reference}
}

func (e *env) mustRecordPayment(t *testing.T, transfer payment.Transfer) payment.TransferResult {
	t.Helper()
	out, err := e.RecordPayment(t.Context(), transfer)
	require.NoError(t, err)
	return out
}

func TestRecordPayment_PaymentAboveTheBalanceBecomesCredit(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e := newEnv(t, store)
		s := e.mustSubscribe(t, 0)
		result := e.mustRecordPayment(t, e.newTransfer(t, s, "10", "first"))
		assert.Equal(t, "29", result.Balance.Format())
		s, err := e.Subscription(t.Context(), s.ID)
		require.NoError(t, err)
		assert.Contains(t, s.Next.Instructions, billing.Instruction{Label: "Amount", Value: "$29 AUD", Amount: s.LatestInvoice.AmountRemaining()})
		assert.Equal(t, "29", s.LatestInvoice.AmountRemaining().Format())

		result = e.mustRecordPayment(t, e.newTransfer(t, s, "40.50", "second"))
		assert.Equal(t, billing.InvoicePaid, result.Status)
		assert.Equal(t, "11.50", result.Credited.Format())
		result = e.mustRecordPayment(t, e.newTransfer(t, s, "1", "third"))
		assert.Equal(t, "1", result.Credited.Format(), "the invoice was paid already")
		assert.Equal(t, "12.50", e.readCredit(t, s.CustomerID))
	})
}

func TestListInvoices_OmitsReversedTransfers(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e := newEnv(t, store)
		s := e.mustSubscribe(t, 0)
		e.mustRecordPayment(t, e.newTransfer(t, s, "10", "first"))
		e.mustRecordPayment(t, e.newTransfer(t, s, "5", "mistake"))
		_, err := e.ReverseTransfer(t.Context(), "mistake")
		require.NoError(t, err)
		e.advance(t, time.Hour)
		e.mustRecordPayment(t, e.newTransfer(t, s, "40.50", "second"))
		e.advance(t, time.Hour)
		e.mustRecordPayment(t, e.newTransfer(t, s, "1", "third"))

		list, err := e.ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: s.CustomerID, Limit: 1})

		require.NoError(t, err)
		var amounts [][2]string
		for _, p := range list.Invoices[0].ReceivedPayments {
			assert.Equal(t, "Bank transfer", p.Method.Label)
			amounts = append(amounts, [2]string{p.Amount.Format(), p.Excess.Format()})
		}
		assert.Equal(t, [][2]string{{"10", "0"}, {"29", "11.50"}, {"0", "1"}}, amounts)
	})
}

func TestRecordPayment_InvalidTransferIsRefused(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	validTransfer := e.newTransfer(t, s, "1", "first")
	for name, change := range map[string]func(*payment.Transfer){
		"nothing":           func(transfer *payment.Transfer) { transfer.Amount = aud(t, "0") },
		"a negative amount": func(transfer *payment.Transfer) { transfer.Amount = aud(t, "-1") },
		"another currency":  func(transfer *payment.Transfer) { transfer.Amount = ledger.Amount(1, "USD") },
		"no reference":      func(transfer *payment.Transfer) { transfer.Reference = " " },
	} {
		transfer := validTransfer
		change(&transfer)
		_, err := e.RecordPayment(t.Context(), transfer)
		assert.Equal(t, fault.Invalid, fault.CodeOf(err), name)
	}
	for _, unknownNumber := range []string{"INV-999", "", "x", "INV-0"} {
		_, err := e.RecordPayment(t.Context(), payment.Transfer{InvoiceNumber: unknownNumber, Amount: aud(t, "1"), Reference: "first"})
		assert.Equal(t, fault.NotFound, fault.CodeOf(err), unknownNumber)
	}
	assert.Zero(t, e.readInvoice(t, s.LatestInvoice.ID).AmountPaid)
}

func TestRecordPayment_RecordsAReferenceOnce(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e := newEnv(t, store)
		s, otherSub := e.mustSubscribe(t, 0), e.mustSubscribe(t, 0)
		transfer := e.newTransfer(t, s, "10", "ANZ  4711 ")
		e.mustRecordPayment(t, transfer)
		transfer.Reference = "ANZ 4711"
		result := e.mustRecordPayment(t, transfer)
		assert.True(t, result.AlreadyRecorded)
		assert.Equal(t, "29", result.Balance.Format())
		for _, conflict := range []payment.Transfer{e.newTransfer(t, s, "11", "ANZ 4711"), e.newTransfer(t, otherSub, "10", "ANZ 4711")} {
			_, err := e.RecordPayment(t.Context(), conflict)
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
			assert.ErrorContains(t, err, transfer.InvoiceNumber)
		}

		var wg sync.WaitGroup
		for _, sub := range []billing.Subscription{s, otherSub, s, otherSub} {
			wg.Go(func() { _, _ = e.RecordPayment(t.Context(), e.newTransfer(t, sub, "1", "at the same time")) })
		}
		wg.Wait()
		assert.EqualValues(t, 1100, e.readInvoice(t, s.LatestInvoice.ID).AmountPaid+e.readInvoice(t, otherSub.LatestInvoice.ID).AmountPaid)
	})
}

func TestRecordPayment_PaymentOfAVoidInvoiceBecomesCredit(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	_, err := e.VoidInvoice(t.Context(), e.invoiceNumber(t, s.LatestInvoice.ID))
	require.NoError(t, err)
	result := e.mustRecordPayment(t, e.newTransfer(t, s, "39", "late"))
	assert.Equal(t, billing.InvoiceVoid, result.Status)
	assert.Equal(t, "39", result.Credited.Format())
	assert.Equal(t, "39", e.readCredit(t, s.CustomerID))
}

func TestRecordPayment_LatePaymentOfAnEndedSubscriptionCreditsTheUnusedPart(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	require.Equal(t, billing.Canceled, e.advanceAndReadSubscription(t, s.ID, 30*day).Status)
	e.payInvoice(t, s.LatestInvoice.ID)
	assert.Equal(t, "11.95", e.readCredit(t, s.CustomerID), "the credit is $39 for 9.5 of 31 days")
}

func TestRecordRefund_RefundsAtMostThePaymentAndCausesNoHold(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	_, err := e.RecordRefund(t.Context(), e.newTransfer(t, s, "1", "early"))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err), "the invoice is not paid")
	e.payInvoice(t, s.LatestInvoice.ID)
	for range 2 {
		result, err := e.RecordRefund(t.Context(), e.newTransfer(t, s, "30", "out"))
		require.NoError(t, err)
		assert.Equal(t, "30", result.Refunded.Format())
	}
	_, err = e.RecordRefund(t.Context(), e.newTransfer(t, s, "9.01", "too much"))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.ErrorContains(t, err, "Only AUD 9.00")

	assert.Equal(t, billing.NoHold, e.advanceAndReadSubscription(t, s.ID, time.Hour).Hold)
}

func TestRecordRefund_WithdrawsCredit(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	e.mustRecordPayment(t, e.newTransfer(t, s, "60", "once more"))
	e.advanceAndReadSubscription(t, s.ID, 31*day)
	require.Equal(t, "21", e.readCredit(t, s.CustomerID), "39 of 60 have paid the renewal")

	result, err := e.RecordRefund(t.Context(), e.newTransfer(t, s, "39", "out"))

	require.NoError(t, err)
	assert.Equal(t, "21", result.Withdrawn.Format())
	assert.Equal(t, "18", result.Spent.Format())
	assert.Equal(t, "0", e.readCredit(t, s.CustomerID))
}

func TestReverseTransfer_ReversedRefundRestoresTheWithdrawnCredit(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.mustRecordPayment(t, e.newTransfer(t, s, "60", "too much"))
	_, err := e.RecordRefund(t.Context(), e.newTransfer(t, s, "30", "mistake"))
	require.NoError(t, err)
	require.Equal(t, "0", e.readCredit(t, s.CustomerID))
	_, err = e.ReverseTransfer(t.Context(), "mistake")
	require.NoError(t, err)
	assert.Equal(t, "21", e.readCredit(t, s.CustomerID))
	returnedPayments, err := e.ReturnedPayments(t.Context(), s.CustomerID)
	require.NoError(t, err)
	assert.Empty(t, returnedPayments)
}

func TestRefund_RefundedPartOfAPrepaidTrialIsNotCredited(t *testing.T) {
	e := newEnv(t, newSQLite(t))
	s := e.mustSubscribe(t, 7)
	e.payInvoice(t, s.LatestInvoice.ID)
	_, err := e.Refund(t.Context(), payment.RefundRequest{
		Key: rand.Text(), InvoiceID: s.LatestInvoice.ID, Amount: aud(t, "30"),
	})
	require.NoError(t, err)
	_, err = e.SetEndAtPeriodEnd(t.Context(), payment.EndRequest{Key: rand.Text(), SubscriptionID: s.ID, End: true})
	require.NoError(t, err)
	assert.Equal(t, billing.Canceled, e.advanceAndReadSubscription(t, s.ID, 7*day).Status)
	assert.Equal(t, "9", e.readCredit(t, s.CustomerID))

	_, err = e.RecordRefund(t.Context(), e.newTransfer(t, s, "1", "again"))
	require.NoError(t, err)
	assert.Equal(t, "8", e.readCredit(t, s.CustomerID), "the refund is withdrawn from the credit")
}

func TestRecordCreditPayout_RefusesMoreThanTheCredit(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.mustRecordPayment(t, e.newTransfer(t, s, "390", "a zero too many"))
	_, err := e.RecordCreditPayout(t.Context(), e.newTransfer(t, s, "351.01", "out"))
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	result, err := e.RecordCreditPayout(t.Context(), e.newTransfer(t, s, "351", "out"))
	require.NoError(t, err)
	assert.Equal(t, "-351", result.Credited.Format())
	assert.Equal(t, "0", e.readCredit(t, s.CustomerID))

	transfers, err := e.ListTransfers(t.Context(), "INV-000001")
	require.NoError(t, err)
	require.Len(t, transfers, 2)
	assert.Equal(t, payment.RecordedTransfer{
		Transfer:   payment.Transfer{InvoiceNumber: "INV-000001", Amount: aud(t, "390"), Reference: "a zero too many"},
		RecordedAt: noon,
	}, transfers[0])
	assert.Equal(t, "-351", transfers[1].Amount.Format())
}

func TestReverseTransfer_PaymentIsOwedAgainUnlessItHadConsequences(t *testing.T) {
	for name, tt := range map[string]struct {
		amount        string // of the payment that is recorded by mistake
		beforeReverse func(t *testing.T, e *env, s billing.Subscription)
		wantErr       fault.Code // "" for success
		wantStatus    billing.InvoiceStatus
		wantBalance   string
	}{
		"a part payment": {amount: "10", wantStatus: billing.InvoiceOpen, wantBalance: "39"},
		"a payment":      {amount: "39", wantStatus: billing.InvoiceOpen, wantBalance: "39"},
		"an overpayment": {amount: "50", wantStatus: billing.InvoiceOpen, wantBalance: "39"},
		"a payment of a void invoice": {
			amount: "10", wantStatus: billing.InvoiceVoid, wantBalance: "0",
			beforeReverse: func(t *testing.T, e *env, _ billing.Subscription) {
				_, err := e.VoidInvoice(t.Context(), "1")
				require.NoError(t, err)
			},
		},
		"a payment before a renewal": {
			amount: "39", wantErr: fault.Conflict,
			beforeReverse: func(t *testing.T, e *env, s billing.Subscription) { e.advanceAndReadSubscription(t, s.ID, 32*day) },
		},
		"an overpayment, after its credit was used": {
			amount: "50", wantErr: fault.Conflict,
			beforeReverse: func(t *testing.T, e *env, s billing.Subscription) {
				_, err := e.RecordCreditPayout(t.Context(), e.newTransfer(t, s, "2", "out"))
				require.NoError(t, err)
			},
		},
		"a payment that was reversed already": {
			amount: "50", wantErr: fault.NotFound,
			beforeReverse: func(t *testing.T, e *env, _ billing.Subscription) {
				_, err := e.ReverseTransfer(t.Context(), "mistake")
				require.NoError(t, err)
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e, s := newEnvWithSubscription(t)
			transfer := e.newTransfer(t, s, tt.amount, "mistake")
			e.mustRecordPayment(t, transfer)
			if tt.beforeReverse != nil {
				tt.beforeReverse(t, e, s)
			}
			info, err := e.ReverseTransfer(t.Context(), "mistake")
			if tt.wantErr != "" {
				assert.Equal(t, tt.wantErr, fault.CodeOf(err))
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.wantStatus, info.Status)
			assert.Equal(t, tt.wantBalance, info.Balance.Format())
			assert.Equal(t, "0", e.readCredit(t, s.CustomerID))
			assert.False(t, e.mustRecordPayment(t, transfer).AlreadyRecorded, "the reference can be used again")
		})
	}
}

func TestReverseTransfer_ReturnsConflictForARefundOfACreditedInvoice(t *testing.T) {
	e := newEnv(t, newSQLite(t))
	s := e.mustSubscribe(t, 7)
	e.payInvoice(t, s.LatestInvoice.ID)
	_, err := e.RecordRefund(t.Context(), e.newTransfer(t, s, "30", "out"))
	require.NoError(t, err)
	_, err = e.CancelSubscription(t.Context(), payment.Cancellation{Key: rand.Text(), SubscriptionID: s.ID})
	require.NoError(t, err)

	_, err = e.ReverseTransfer(t.Context(), "out")
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	e.mustRecordPayment(t, e.newTransfer(t, s, "30", "instead"))
	assert.Equal(t, "39", e.readCredit(t, s.CustomerID))
}

func TestReverseTransfer_ReversedRefundIsNotCountedAsRefunded(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.payInvoice(t, s.LatestInvoice.ID)
	_, err := e.RecordRefund(t.Context(), e.newTransfer(t, s, "30", "out"))
	require.NoError(t, err)
	info, err := e.ReverseTransfer(t.Context(), "out")
	require.NoError(t, err)
	assert.Equal(t, billing.InvoicePaid, info.Status)
	assert.Equal(t, "0", info.Refunded.Format())
}

func TestReverseTransfer_ReturnsConflictForTheNewReferenceOfAReversedTransfer(t *testing.T) {
	e, s := newEnvWithSubscription(t)
	e.mustRecordPayment(t, e.newTransfer(t, s, "39", "mistake"))
	_, err := e.ReverseTransfer(t.Context(), "mistake")
	require.NoError(t, err)
	transfers, err := e.ListTransfers(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, transfers, 1)

	_, err = e.ReverseTransfer(t.Context(), transfers[0].Reference)

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, "39", ledger.Amount(e.readInvoice(t, s.LatestInvoice.ID).AmountRemaining(), "AUD").Format())
}

func TestReverseTransfer_FindsTheInvoiceIfThePrefixIsADigit(t *testing.T) {
	e := newEnv(t, newSQLite(t), "NUMBER_PREFIX", "1")
	s := e.mustSubscribe(t, 0)
	e.mustRecordPayment(t, e.newTransfer(t, s, "39", "mistake"))
	info, err := e.ReverseTransfer(t.Context(), "mistake")
	require.NoError(t, err)
	assert.Equal(t, "1000001", info.Number)
}
