package billing_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

// newTransferAccount returns an account whose overdue invoice "in_1" is paid by bank transfer.
func newTransferAccount() *billing.Account {
	s := newSub("a", billing.PastDue, 0)
	s.CustomerID = "cus_1"
	s.Next = billing.NextAction{
		Kind: billing.Wait, InvoiceID: "in_1", Instructions: []billing.Instruction{{Label: "Reference", Value: "INV-1"}},
	}
	a := newAccount(s)
	a.CustomerID = "cus_1"
	return a
}

func TestReportTransfer_IsRefusedUnlessTheInvoiceIsPaidByTransferNext(t *testing.T) {
	for name, c := range map[string]struct {
		invoiceID  string
		change     func(*billing.NextAction)
		isAccepted bool
	}{
		"invoice of the instructions": {"in_1", func(*billing.NextAction) {}, true},
		"another invoice":             {"in_2", func(*billing.NextAction) {}, false},
		"no invoice":                  {"", func(n *billing.NextAction) { n.InvoiceID = "" }, false},
		"processing payment":          {"in_1", func(n *billing.NextAction) { n.Instructions = nil }, false},
		"payment by card":             {"in_1", func(n *billing.NextAction) { n.Kind = billing.NewPaymentMethod }, false},
		"nothing to pay":              {"in_1", func(n *billing.NextAction) { *n = billing.NextAction{} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			a := newTransferAccount()
			c.change(&a.Subscriptions[0].Next)
			err := a.ReportTransfer(c.invoiceID, day0)
			if c.isAccepted {
				require.NoError(t, err)
				assert.Equal(t, billing.TransferReport{InvoiceID: "in_1", At: day0}, a.TransferReport)
				return
			}
			assert.Equal(t, fault.Conflict, fault.CodeOf(err))
			assert.Zero(t, a.TransferReport)
		})
	}
}

func TestReportTransfer_RepeatWithinFiveDaysKeepsTheDate(t *testing.T) {
	const pause = 5 * 24 * time.Hour
	for sinceReport, want := range map[time.Duration]time.Time{
		0: day0, pause - 1: day0, pause: day0.Add(pause),
	} {
		a := newTransferAccount()
		revision := a.Revision
		require.NoError(t, a.ReportTransfer("in_1", day0))
		require.NoError(t, a.ReportTransfer("in_1", day0.Add(sinceReport)))
		assert.Equal(t, want, a.TransferReport.At, sinceReport)
		assert.Equal(t, revision, a.Revision, "the provider has reported nothing")
	}

	a := newTransferAccount()
	a.TransferReport = billing.TransferReport{InvoiceID: "in_0", At: day0}
	require.NoError(t, a.ReportTransfer("in_1", day0.Add(time.Hour)))
	assert.Equal(t, billing.TransferReport{InvoiceID: "in_1", At: day0.Add(time.Hour)}, a.TransferReport)
}

func TestDueNotices_OverdueReminderWaitsFiveDaysAfterATransferReport(t *testing.T) {
	const day = 24 * time.Hour
	inv := billing.Invoice{
		ID: "in_1", SubscriptionID: "a", Status: billing.InvoiceOpen, AmountDue: aud(3900), AmountPaid: aud(0), DueAt: day0,
	}
	overdueNotice := billing.Notice{Kind: billing.InvoiceOverdue, SubjectID: "in_1"}
	for name, c := range map[string]struct {
		report      billing.TransferReport
		sinceReport time.Duration
		applies     bool
	}{
		"no report":                 {billing.TransferReport{}, 0, true},
		"reported now":              {billing.TransferReport{InvoiceID: "in_1", At: day0}, 0, false},
		"reported nearly five days": {billing.TransferReport{InvoiceID: "in_1", At: day0}, 5*day - 1, false},
		"reported five days ago":    {billing.TransferReport{InvoiceID: "in_1", At: day0}, 5 * day, true},
		"another invoice reported":  {billing.TransferReport{InvoiceID: "in_0", At: day0}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			a := newTransferAccount()
			a.TransferReport = c.report
			got := billing.Copy{Account: a, Invoices: []billing.Invoice{inv}}
			assert.Equal(t, c.applies, billing.NoticeApplies(got, overdueNotice, day0.Add(c.sinceReport)))
		})
	}

	a := newTransferAccount()
	a.TransferReport = billing.TransferReport{InvoiceID: "in_1", At: day0}
	a.Subscriptions[0].Status, a.Subscriptions[0].PeriodStart = billing.Canceled, day0
	endNotice := billing.Notice{Kind: billing.PlanEndedUnpaid, SubjectID: "a", Period: day0.Format(time.DateOnly)}
	assert.True(t, billing.NoticeApplies(billing.Copy{Account: a, Invoices: []billing.Invoice{inv}}, endNotice, day0),
		"the end of the plan is not delayed")
}

func TestNextCheck_ReturnsTheEndOfTheReminderPause(t *testing.T) {
	a := newTransferAccount()
	a.TransferReport = billing.TransferReport{InvoiceID: "in_1", At: day0}
	end := day0.AddDate(0, 0, 5)
	assert.Equal(t, end, a.NextCheck(end.Add(-time.Minute)))
	a.TransferReport.InvoiceID = "in_0"
	assert.NotEqual(t, end, a.NextCheck(end.Add(-time.Minute)))
}
