package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
)

// newChargedInvoice returns an invoice of sub_1 that is charged automatically.
func newChargedInvoice(change func(*billing.Invoice)) billing.Invoice {
	inv := billing.Invoice{
		ID: "in_1", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, Total: aud(81600), CreditUsed: aud(0),
		AmountDue: aud(81600), AmountPaid: aud(0),
		Refunded: aud(0), Credited: aud(0), CreatedAt: day0, NextAttemptAt: day0.AddDate(0, 0, 3),
	}
	change(&inv)
	return inv
}

// setAmountPaid returns a function that sets the paid amount of a newChargedInvoice. If the amount is the whole amount
// due, the function also sets the status.
func setAmountPaid(minor int64) func(*billing.Invoice) {
	return func(i *billing.Invoice) {
		i.AmountPaid = aud(minor)
		if minor == 81600 {
			i.Status, i.PaidAt, i.NextAttemptAt = billing.InvoicePaid, day0.Add(time.Hour), time.Time{}
		}
	}
}

func TestDueNotices_ReportFailedAndSlowCharges(t *testing.T) {
	nextAction := func(kind billing.NextActionKind) billing.NextAction {
		return billing.NextAction{Kind: kind, InvoiceID: "in_1"}
	}
	transfer := nextAction(billing.Wait)
	transfer.Instructions = []billing.Instruction{{Label: "BSB", Value: "1"}}
	const attempt = "2026-02-03T10:00:00Z"
	for name, c := range map[string]struct {
		status  billing.Status
		next    billing.NextAction
		invoice billing.Invoice
		want    []billing.Notice
	}{
		"failed": {billing.PastDue, nextAction(billing.NewPaymentMethod), newChargedInvoice(setAmountPaid(0)),
			[]billing.Notice{{Kind: billing.PaymentFailed, SubjectID: "in_1", Period: attempt}}},
		"failed, payable on the provider's page": {billing.PastDue, nextAction(billing.Redirect), newChargedInvoice(setAmountPaid(0)),
			[]billing.Notice{{Kind: billing.PaymentFailed, SubjectID: "in_1", Period: attempt}}},
		"failed for the last time": {billing.PastDue, nextAction(billing.NewPaymentMethod),
			newChargedInvoice(func(i *billing.Invoice) { i.NextAttemptAt = time.Time{} }),
			[]billing.Notice{{Kind: billing.PaymentFailed, SubjectID: "in_1"}}},
		"needs approval": {billing.PastDue, nextAction(billing.ConfirmPayment), newChargedInvoice(setAmountPaid(0)),
			[]billing.Notice{{Kind: billing.ApprovalNeeded, SubjectID: "in_1", Period: attempt}}},
		"takes days": {billing.PastDue, nextAction(billing.Wait), newChargedInvoice(setAmountPaid(0)),
			[]billing.Notice{{Kind: billing.PaymentProcessing, SubjectID: "in_1"}}},
		"first payment takes days": {billing.Incomplete, nextAction(billing.Wait), newChargedInvoice(setAmountPaid(0)),
			[]billing.Notice{{Kind: billing.PaymentProcessing, SubjectID: "in_1"}}},
		"bank transfer": {billing.PastDue, transfer, newChargedInvoice(setAmountPaid(0)), nil},
		"declined first payment": {billing.Incomplete, nextAction(billing.NewPaymentMethod),
			newChargedInvoice(setAmountPaid(0)), nil},
		"void": {billing.PastDue, nextAction(billing.NewPaymentMethod),
			newChargedInvoice(func(i *billing.Invoice) { i.Status = billing.InvoiceVoid }), nil},
		"no action": {billing.PastDue, billing.NextAction{}, newChargedInvoice(setAmountPaid(0)), nil},
		"action for another invoice": {billing.PastDue, nextAction(billing.NewPaymentMethod),
			newChargedInvoice(func(i *billing.Invoice) { i.ID = "in_0" }), nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSub("sub_1", c.status, 0)
			s.Next, s.LatestInvoice = c.next, &billing.Invoice{ID: "in_1"}
			a := newAccount(s)
			assert.Equal(t, c.want, toNotices(conditionalNotices(a, []billing.Invoice{c.invoice}, day0)))

			a.Subscriptions[0].Pending = &billing.PendingChange{InvoiceID: "in_1"}
			if c.next.Kind != billing.Wait {
				assert.Empty(t, conditionalNotices(a, []billing.Invoice{c.invoice}, day0), "the invoice is of a plan change")
			}
		})
	}
}

func TestDueNotices_ReportRefundsAndCreditOnce(t *testing.T) {
	a := newAccount(newSub("sub_1", billing.Active, 0))
	newPaidInvoice := func(refunded, credited int64) billing.Invoice {
		return newChargedInvoice(func(i *billing.Invoice) {
			setAmountPaid(81600)(i)
			i.Refunded, i.Credited = aud(refunded), aud(credited)
		})
	}
	reducedInvoice := newChargedInvoice(func(i *billing.Invoice) { i.AmountDue = aud(80000) })
	queuedNotices := []billing.Notice{{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "81600"}}
	for name, c := range map[string]struct {
		oldInvoices, newInvoices []billing.Invoice
		want                     []billing.Notice
		amount                   int64
	}{
		"no change": {[]billing.Invoice{newPaidInvoice(0, 0)}, []billing.Invoice{newPaidInvoice(0, 0)}, nil, 0},
		"refunded": {[]billing.Invoice{newPaidInvoice(100, 0)}, []billing.Invoice{newPaidInvoice(350, 0)},
			[]billing.Notice{{Kind: billing.PaymentRefunded, SubjectID: "in_1", Period: "350"}}, 250},
		"credited": {[]billing.Invoice{newPaidInvoice(0, 0)}, []billing.Invoice{newPaidInvoice(0, 70)},
			[]billing.Notice{{Kind: billing.CreditIssued, SubjectID: "in_1", Period: "70"}}, 70},
		"credit note": {[]billing.Invoice{newChargedInvoice(setAmountPaid(0))}, []billing.Invoice{reducedInvoice},
			[]billing.Notice{{Kind: billing.CreditIssued, SubjectID: "in_1", Period: "1600"}}, 1600},
		"new invoice": {nil, []billing.Invoice{newPaidInvoice(100, 0)},
			[]billing.Notice{{Kind: billing.PaymentRefunded, SubjectID: "in_1", Period: "100"}}, 100},
		"an older report": {[]billing.Invoice{newPaidInvoice(350, 0)}, []billing.Invoice{newPaidInvoice(100, 0)},
			nil, 0},
		"invoice without a subscription": {nil,
			[]billing.Invoice{newChargedInvoice(func(i *billing.Invoice) { i.SubscriptionID = "" })}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			notices := billing.DueNotices(billing.Copy{Account: a, Invoices: c.oldInvoices},
				billing.Copy{Account: a, Invoices: c.newInvoices}, queuedNotices, day0)
			assert.ElementsMatch(t, c.want, toNotices(notices))
			if c.amount > 0 {
				assert.Equal(t, aud(c.amount), notices[0].Amount)
			}
			devAccount := *a
			devAccount.DevLicense = &billing.License{}
			oldCopy := billing.Copy{Account: a, Invoices: c.oldInvoices}
			newCopy := billing.Copy{Account: &devAccount, Invoices: c.newInvoices}
			assert.Empty(t, billing.DueNotices(oldCopy, newCopy, nil, day0))
		})
	}
}

func TestDueNotices_ReportAFailedRefundThatWasReported(t *testing.T) {
	a := newAccount(newSub("sub_1", billing.Active, 0))
	copyWith := func(refunded, failed int64) billing.Copy {
		inv := newChargedInvoice(func(i *billing.Invoice) {
			i.CreditUsed, i.Credited, i.Refunded, i.FailedRefunds = aud(0), aud(0), aud(refunded), aud(failed)
		})
		return billing.Copy{Account: a, Invoices: []billing.Invoice{inv}}
	}
	var queuedNotices []billing.Notice
	report := func(oldCopy, newCopy billing.Copy) (notices []billing.DueNotice) {
		for _, d := range billing.DueNotices(oldCopy, newCopy, queuedNotices, day0) {
			if d.Kind == billing.PaymentRefunded || d.Kind == billing.RefundFailed {
				assert.NotContains(t, queuedNotices, d.Notice, "each email is another notice")
				notices, queuedNotices = append(notices, d), append(queuedNotices, d.Notice)
			}
		}
		return notices
	}
	assert.Empty(t, report(copyWith(0, 0), copyWith(0, 500)), "a refund that was never reported")
	assert.Empty(t, report(copyWith(350, 0), copyWith(100, 0)), "an older report")
	for _, c := range []struct {
		name             string
		oldCopy, newCopy billing.Copy
		kind             billing.NoticeKind
	}{
		{"refunded", copyWith(0, 0), copyWith(350, 0), billing.PaymentRefunded},
		{"failed", copyWith(350, 0), copyWith(0, 350), billing.RefundFailed},
		{"refunded again", copyWith(0, 350), copyWith(350, 350), billing.PaymentRefunded},
		{"failed again", copyWith(350, 350), copyWith(0, 700), billing.RefundFailed},
	} {
		notices := report(c.oldCopy, c.newCopy)
		if assert.Len(t, notices, 1, c.name) {
			assert.Equal(t, c.kind, notices[0].Kind, c.name)
			assert.Equal(t, aud(350), notices[0].Amount, c.name)
		}
	}
}

func TestReportedCreditNote_IsThatOfTheLastReturnWhichTheNoticeReports(t *testing.T) {
	inv := billing.Invoice{
		ID: "in_1", Status: billing.InvoicePaid, Total: aud(2000), AmountDue: aud(1900), AmountPaid: aud(1900),
		Refunded: aud(350), Credited: aud(70),
		Returns: []billing.Return{
			{Kind: billing.ReturnRefund, Amount: aud(100), CreditNote: "CN-01"},
			{Kind: billing.ReturnAsCredit, Amount: aud(70), CreditNote: "CN-02"},
			{Kind: billing.ReturnRefund, Amount: aud(250), CreditNote: "CN-03"},
		},
	}
	for name, c := range map[string]struct {
		kind         billing.NoticeKind
		period, want string
	}{
		"first refund":                 {billing.PaymentRefunded, "100", "CN-01"},
		"second or both refunds":       {billing.PaymentRefunded, "350", "CN-03"},
		"refund after a failed one":    {billing.PaymentRefunded, "100 after 1 failed", "CN-01"},
		"a sum that is not known":      {billing.PaymentRefunded, "300", ""},
		"credit beside a deduction":    {billing.CreditIssued, "170", "CN-02"},
		"deduction before the payment": {billing.CreditIssued, "100", ""},
		"a refund that has failed":     {billing.RefundFailed, "100", ""},
		"a receipt":                    {billing.PaymentReceived, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, inv.ReportedCreditNote(billing.Notice{Kind: c.kind, SubjectID: inv.ID, Period: c.period}))
		})
	}
}

func TestDueNotices_ReportLateFailureOnce(t *testing.T) {
	for name, c := range map[string]struct {
		sub  billing.Subscription
		want billing.NoticeKind
	}{
		"first payment": {newDeclinedSub(billing.Incomplete), billing.PaymentFailedLate},
		"plan change":   {newSubWithPendingChange(billing.Active), billing.PaymentFailedLate},
		"former plan":   {newDeclinedSub(billing.Canceled), billing.PaymentFailedLate},
		"overdue":       {newDeclinedSub(billing.PastDue), billing.PaymentFailed},
	} {
		t.Run(name, func(t *testing.T) {
			inv := *c.sub.LatestInvoice
			inv.SubscriptionID, inv.Total = c.sub.ID, inv.AmountDue
			inv.CreditUsed, inv.Refunded, inv.Credited = aud(0), aud(0), aud(0)
			oldCopy := billing.Copy{Account: newAccount(makePaymentProcessing(c.sub)), Invoices: []billing.Invoice{inv}}
			newCopy := billing.Copy{Account: newAccount(c.sub), Invoices: []billing.Invoice{inv}}
			notices := billing.DueNotices(oldCopy, newCopy, nil, day0.AddDate(0, 0, 3))
			require.Len(t, notices, 1)
			assert.Equal(t, c.want, notices[0].Kind)
			assert.Empty(t, billing.DueNotices(newCopy, newCopy, toNotices(notices), day0.AddDate(0, 0, 3)),
				"a queued notice is not due")
		})
	}
}

func TestDueNotices_ReturnedPaymentCausesFailureNoticeAndSecondReceipt(t *testing.T) {
	a := newAccount(newDeclinedSub(billing.PastDue))
	returnedInvoice := newChargedInvoice(func(i *billing.Invoice) {
		i.SubscriptionID, i.NextAttemptAt, i.Returned = "a", time.Time{}, aud(81600)
	})
	queuedNotices := []billing.Notice{{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "81600"},
		{Kind: billing.PaymentFailed, SubjectID: "in_1"}}
	newCopy := func(inv billing.Invoice) billing.Copy {
		return billing.Copy{Account: a, Invoices: []billing.Invoice{inv}}
	}

	notices := billing.DueNotices(newCopy(returnedInvoice), newCopy(returnedInvoice), queuedNotices, day0)
	failureNotice := billing.Notice{Kind: billing.PaymentFailed, SubjectID: "in_1", Period: "returned 81600"}
	assert.Equal(t, []billing.Notice{failureNotice}, toNotices(notices))

	paidInvoice := returnedInvoice
	paidInvoice.Status, paidInvoice.AmountPaid, paidInvoice.PaidAt = billing.InvoicePaid, aud(81600), day0.AddDate(0, 0, 12)
	notices = billing.DueNotices(newCopy(returnedInvoice), newCopy(paidInvoice), queuedNotices, paidInvoice.PaidAt)
	require.Len(t, notices, 1)
	assert.Equal(t, billing.Notice{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "163200"}, notices[0].Notice)
	assert.Equal(t, aud(81600), notices[0].Amount)
}
