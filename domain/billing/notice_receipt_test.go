package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

func TestDueNotices_ReportEachPaymentOnce(t *testing.T) {
	a := newAccount(newSub("sub_1", billing.Active, 0))
	var queuedNotices []billing.Notice
	report := func(minor int64) []billing.DueNotice {
		c := billing.Copy{Account: a, Invoices: []billing.Invoice{newChargedInvoice(setAmountPaid(minor))}}
		notices := billing.DueNotices(c, c, queuedNotices, day0.AddDate(0, 0, 1))
		for _, d := range notices {
			queuedNotices = append(queuedNotices, d.Notice)
		}
		return notices
	}
	assert.Empty(t, report(0))
	for _, c := range []struct {
		sum, received int64
		period        string
	}{{1000, 1000, "1000"}, {31000, 30000, "31000"}, {81600, 50600, "81600"}} {
		notices := report(c.sum)
		require.Len(t, notices, 1)
		assert.Equal(t, billing.Notice{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: c.period}, notices[0].Notice)
		assert.Equal(t, aud(c.received), notices[0].Amount, "the amount since the last receipt")
		assert.Empty(t, report(c.sum), "reported already")
	}
	assert.Empty(t, report(31000), "an older report")
}

func TestDueNotices_OmitReceiptsForOldPayments(t *testing.T) {
	a := newAccount(newSub("sub_1", billing.Active, 0))
	invoices := []billing.Invoice{newChargedInvoice(setAmountPaid(81600))}
	limit := invoices[0].PaidAt.AddDate(0, 0, 60)
	assert.Len(t, conditionalNotices(a, invoices, limit.Add(-time.Second)), 1)
	assert.Empty(t, conditionalNotices(a, invoices, limit))
}

func TestDueNotices_ReportInvoicesThatCreditAloneHasPaid(t *testing.T) {
	inv := newChargedInvoice(setAmountPaid(0))
	inv.Status, inv.Total, inv.CreditUsed, inv.AmountDue = billing.InvoicePaid, aud(81600), aud(81600), aud(0)
	notice := billing.Notice{Kind: billing.PaidByCredit, SubjectID: "in_1"}
	notices := dueReceipts(inv)
	require.Len(t, notices, 1)
	assert.Equal(t, notice, notices[0].Notice)
	assert.True(t, notice.Kind.HasDocument())
	assert.Empty(t, dueReceipts(inv, notice), "reported already")

	inv.CreditUsed, inv.CarriedForward = aud(81593), aud(7)
	assert.Len(t, dueReceipts(inv), 1, "the rest is carried to the next invoice")
	for name, change := range map[string]func(*billing.Invoice){
		"nothing had to be paid":      func(i *billing.Invoice) { i.Total, i.CreditUsed = aud(0), aud(0) },
		"a total that becomes credit": func(i *billing.Invoice) { i.Total, i.CreditUsed = aud(-500), aud(-500) },
		"deducted by a credit note":   func(i *billing.Invoice) { i.CreditUsed = aud(0) },
		"open":                        func(i *billing.Invoice) { i.Status = billing.InvoiceOpen },
		"void":                        func(i *billing.Invoice) { i.Status = billing.InvoiceVoid },
		"paid long ago":               func(i *billing.Invoice) { i.PaidAt = day0.AddDate(0, 0, -60) },
	} {
		otherInvoice := inv
		change(&otherInvoice)
		assert.NotContains(t, toNotices(dueReceipts(otherInvoice)), notice, name)
	}
}

// dueReceipts returns the receipts that are due for the invoice.
func dueReceipts(inv billing.Invoice, queued ...billing.Notice) []billing.DueNotice {
	c := billing.Copy{Account: newAccount(newSub("sub_1", billing.Active, 0)), Invoices: []billing.Invoice{inv}}
	return billing.DueNotices(c, c, queued, day0.AddDate(0, 0, 1))
}

// newReceivedPayment returns a payment from bankAccount.
func newReceivedPayment(amount, excess int64, at time.Time) billing.ReceivedPayment {
	return billing.ReceivedPayment{Amount: aud(amount), Excess: aud(excess), At: at, Method: &bankAccount}
}

func TestDueNotices_ReceiptContainsPaymentsSinceLastReceipt(t *testing.T) {
	firstPayment := newReceivedPayment(1000, 0, day0.Add(time.Minute))
	secondPayment := newReceivedPayment(80600, 400, day0.Add(time.Hour))
	inv := newChargedInvoice(setAmountPaid(81600))
	inv.ReceivedPayments = []billing.ReceivedPayment{firstPayment, secondPayment}

	notices := dueReceipts(inv)
	require.Len(t, notices, 1)
	assert.Equal(t, inv.ReceivedPayments, notices[0].ReceivedPayments)
	assert.Equal(t, aud(81600), notices[0].Amount)

	notices = dueReceipts(inv, billing.Notice{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "1000"})
	require.Len(t, notices, 1)
	assert.Equal(t, []billing.ReceivedPayment{secondPayment}, notices[0].ReceivedPayments)
	assert.Equal(t, aud(80600), notices[0].Amount)
}

func TestDueNotices_ReportEachPaymentThatBecameCredit(t *testing.T) {
	inv := newChargedInvoice(setAmountPaid(81600))
	inv.ReceivedPayments = []billing.ReceivedPayment{newReceivedPayment(81600, 0, day0),
		newReceivedPayment(0, 500, day0.Add(time.Hour)), newReceivedPayment(0, 500, day0.Add(2*time.Hour))}
	reportedNotice := billing.Notice{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "81600"}

	notices := dueReceipts(inv, reportedNotice)
	require.Len(t, notices, 2)
	for i, d := range notices {
		assert.Equal(t, inv.ReceivedPayments[i+1:i+2], d.ReceivedPayments)
		assert.Equal(t, aud(0), d.Amount)
	}
	assert.Empty(t, dueReceipts(inv, reportedNotice, notices[0].Notice, notices[1].Notice), "reported already")
	inv.ReceivedPayments = inv.ReceivedPayments[1:2]
	assert.Empty(t, dueReceipts(inv, reportedNotice, notices[0].Notice), "the other payment was reversed")
}

func TestDueNotices_ReportSecondPaymentAfterReturnedPayment(t *testing.T) {
	inv := newChargedInvoice(setAmountPaid(81600))
	inv.Returned = aud(81600)
	inv.ReceivedPayments = []billing.ReceivedPayment{newReceivedPayment(81600, 0, day0.Add(time.Hour))}
	notices := dueReceipts(inv, billing.Notice{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "81600"})
	require.Len(t, notices, 1)
	assert.Equal(t, aud(81600), notices[0].Amount)
	assert.Equal(t, inv.ReceivedPayments, notices[0].ReceivedPayments)
}

// A refresh that finds a payment and its refund reports the payment first, without the refund.
func TestDueNotices_ReceiptPrecedesRefund(t *testing.T) {
	a := newAccount(newSub("sub_1", billing.Active, 0))
	openInvoice, refundedInvoice := newChargedInvoice(setAmountPaid(0)), newChargedInvoice(setAmountPaid(81600))
	refundedInvoice.Refunded = aud(100)
	notices := billing.DueNotices(billing.Copy{Account: a, Invoices: []billing.Invoice{openInvoice}},
		billing.Copy{Account: a, Invoices: []billing.Invoice{refundedInvoice}}, nil, day0.Add(time.Hour))
	require.Len(t, notices, 2)
	assert.Equal(t, billing.PaymentReceived, notices[0].Kind)
	assert.Equal(t, aud(0), notices[0].Invoice.Refunded)
	assert.Equal(t, billing.PaymentRefunded, notices[1].Kind)
	assert.Equal(t, aud(100), notices[1].Invoice.Refunded)
}

func TestDueNotices_ReportPaymentsOfInvoicesWithoutSubscription(t *testing.T) {
	inv := newChargedInvoice(setAmountPaid(81600))
	inv.SubscriptionID = ""
	notices := dueReceipts(inv)
	require.Len(t, notices, 1)
	assert.Equal(t, billing.PaymentReceived, notices[0].Kind)
	assert.Empty(t, notices[0].Subscription.ID)
	inv.SubscriptionID = "sub_foreign"
	assert.Empty(t, dueReceipts(inv))
	openInvoice := newChargedInvoice(setAmountPaid(0))
	openInvoice.SubscriptionID, openInvoice.DueAt, openInvoice.NextAttemptAt = "", day0.AddDate(0, 0, 14), time.Time{}
	assert.Empty(t, dueReceipts(openInvoice))
}

func TestDueNotices_ReceiptReportsEarlierFailureOrApprovalRequest(t *testing.T) {
	for _, kind := range []billing.NoticeKind{billing.PaymentFailed, billing.ApprovalNeeded, billing.PaymentProcessing} {
		notices := dueReceipts(newChargedInvoice(setAmountPaid(81600)), billing.Notice{Kind: kind, SubjectID: "in_1"},
			billing.Notice{Kind: billing.PaymentFailed, SubjectID: "in_0"})
		require.Len(t, notices, 1)
		assert.Equal(t, kind == billing.PaymentFailed, notices[0].HadFailed, "after %s", kind)
		assert.Equal(t, kind == billing.ApprovalNeeded, notices[0].ApprovalRequested, "after %s", kind)
	}
}
