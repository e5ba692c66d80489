package billing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/domaintest"
	"github.com/vc-admin/diy/domain/money"
)

// conditionalNotices returns the notices that are due for an unchanged copy if none are queued.
func conditionalNotices(a *billing.Account, invoices []billing.Invoice, now time.Time) []billing.DueNotice {
	c := billing.Copy{Account: a, Invoices: invoices}
	return billing.DueNotices(c, c, nil, now)
}

// toNotices returns the due notices without their data.
func toNotices(dueNotices []billing.DueNotice) (notices []billing.Notice) {
	for _, d := range dueNotices {
		notices = append(notices, d.Notice)
	}
	return notices
}

func TestDueNotices_FollowStateOfTransferInvoice(t *testing.T) {
	dueAt := day0.AddDate(0, 0, 14)
	invoice := func(change func(*billing.Invoice)) billing.Invoice {
		inv := billing.Invoice{
			ID: "in_1", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(3900), AmountPaid: aud(0),
			CreatedAt: day0, DueAt: dueAt,
		}
		change(&inv)
		return inv
	}
	openInvoice := invoice(func(*billing.Invoice) {})
	openInvoices := []billing.Invoice{openInvoice}
	issuedNotice := billing.Notice{Kind: billing.InvoiceIssued, SubjectID: "in_1"}
	overdueNotice := billing.Notice{Kind: billing.InvoiceOverdue, SubjectID: "in_1"}
	endedNotice := billing.Notice{Kind: billing.PlanEndedUnpaid, SubjectID: "sub_1", Period: "2026-01-31"}
	type notices = []billing.Notice
	for name, c := range map[string]struct {
		status   billing.Status
		sinceDue time.Duration // the time since the due date
		invoices []billing.Invoice
		want     notices
	}{
		"issued":                          {billing.Active, -14 * 24 * time.Hour, openInvoices, notices{issuedNotice}},
		"issued in a trial":               {billing.Trialing, -time.Second, openInvoices, notices{issuedNotice}},
		"issued while another is overdue": {billing.PastDue, -time.Second, openInvoices, notices{issuedNotice}},
		"due, not yet past due":           {billing.Active, 0, openInvoices, nil},
		"overdue":                         {billing.PastDue, 0, openInvoices, notices{overdueNotice}},
		"ended":                           {billing.Canceled, 7 * 24 * time.Hour, openInvoices, notices{endedNotice}},
		"ended with two invoices": {billing.Unpaid, 0,
			[]billing.Invoice{openInvoice, invoice(func(i *billing.Invoice) { i.ID = "in_2" })}, notices{endedNotice}},
		"ended before it was due": {billing.Canceled, -time.Second, openInvoices, nil},
		"ended long ago":          {billing.Canceled, 60 * 24 * time.Hour, openInvoices, nil},
		"never started":           {billing.IncompleteExpired, time.Second, openInvoices, nil},
		"paid": {billing.Active, 0,
			[]billing.Invoice{invoice(func(i *billing.Invoice) { i.Status = billing.InvoicePaid })}, nil},
		"void": {billing.PastDue, 0,
			[]billing.Invoice{invoice(func(i *billing.Invoice) { i.Status = billing.InvoiceVoid })}, nil},
		"nothing left to pay": {billing.Active, -time.Second,
			[]billing.Invoice{invoice(func(i *billing.Invoice) { i.AmountPaid = i.AmountDue })},
			notices{{Kind: billing.PaymentReceived, SubjectID: "in_1", Period: "3900"}}},
		"charged to a card": {billing.PastDue, 0,
			[]billing.Invoice{invoice(func(i *billing.Invoice) { i.DueAt = time.Time{} })}, nil},
		"charged again automatically": {billing.PastDue, 0,
			[]billing.Invoice{invoice(func(i *billing.Invoice) { i.NextAttemptAt = dueAt })}, nil},
		"invoice of another subscription": {billing.PastDue, 0,
			[]billing.Invoice{invoice(func(i *billing.Invoice) { i.SubscriptionID = "" })}, nil},
		"no invoice": {billing.PastDue, 0, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			now := dueAt.Add(c.sinceDue)
			a := billing.Account{CustomerID: "cus_1", Subscriptions: []billing.Subscription{
				{ID: "sub_1", CustomerID: "cus_1", Status: c.status, PeriodStart: day0},
			}}
			dueNow := func() notices { return toNotices(conditionalNotices(&a, c.invoices, now)) }
			assert.Equal(t, c.want, dueNow())
			slices.Reverse(c.invoices)
			assert.Equal(t, c.want, dueNow(), "invoices in reverse order")
			for _, n := range []billing.Notice{issuedNotice, overdueNotice, endedNotice} {
				assert.Equal(t, slices.Contains(c.want, n),
					billing.NoticeApplies(billing.Copy{Account: &a, Invoices: c.invoices}, n, now))
			}

			devAccount := a
			devAccount.DevLicense = &billing.License{}
			assert.Empty(t, conditionalNotices(&devAccount, c.invoices, now), "developer license")
			a.CustomerID = "cus_2"
			assert.Empty(t, dueNow(), "a subscription of an earlier customer")
		})
	}
}

func TestDueNotices_OmitPlanEndedUnpaidAfterNewSubscription(t *testing.T) {
	a := billing.Account{CustomerID: "cus_1", Subscriptions: []billing.Subscription{
		{ID: "sub_2", CustomerID: "cus_1", Status: billing.Active}, {ID: "sub_1", CustomerID: "cus_1", Status: billing.Canceled},
	}}
	invoices := []billing.Invoice{{
		ID: "in_1", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(1), DueAt: day0,
	}}
	assert.Empty(t, conditionalNotices(&a, invoices, day0))
}

func TestDueNotices_OmitOverdueInvoiceOfPendingChange(t *testing.T) {
	a := billing.Account{CustomerID: "cus_1", Subscriptions: []billing.Subscription{
		{ID: "sub_1", CustomerID: "cus_1", Status: billing.PastDue, Pending: &billing.PendingChange{InvoiceID: "in_1"}},
	}}
	invoices := []billing.Invoice{{
		ID: "in_1", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(1), DueAt: day0,
	}}
	assert.Empty(t, conditionalNotices(&a, invoices, day0), "the provider cancels the change")
}

func TestDueNotices_PlanEndedUnpaidReportsNewestInvoice(t *testing.T) {
	olderInvoice := billing.Invoice{
		ID: "in_2", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(3900), CreatedAt: day0, DueAt: day0,
	}
	newerInvoice := olderInvoice
	newerInvoice.ID, newerInvoice.CreatedAt = "in_1", day0.Add(time.Hour)
	a := billing.Account{
		CustomerID: "cus_1", Subscriptions: []billing.Subscription{{ID: "sub_1", CustomerID: "cus_1", Status: billing.Canceled}},
	}
	for _, invoices := range [][]billing.Invoice{{olderInvoice, newerInvoice}, {newerInvoice, olderInvoice}} {
		notices := conditionalNotices(&a, invoices, day0)
		assert.Len(t, notices, 1)
		assert.Equal(t, newerInvoice, notices[0].Invoice)
	}
}

// newMonthlySub returns a subscription of $39 a month, of which credit paid a part of the latest invoice.
func newMonthlySub(creditUsed int64) billing.Subscription {
	s := newSub("sub_1", billing.Active, 0)
	s.Price.Interval, s.CurrentPeriodEnd = catalogue.Monthly, day0.AddDate(0, 1, 0)
	s.Amount, s.Renewal = aud(3900), aud(3900)
	s.LatestInvoice = &billing.Invoice{
		Status: billing.InvoicePaid, Total: aud(3900), CreditUsed: aud(creditUsed), AmountDue: aud(3900 - creditUsed),
		AmountPaid: aud(3900 - creditUsed), CreatedAt: day0,
	}
	return s
}

func TestIsNeeded_IfMonthlyRenewalIsFirstChargeAfterCredit(t *testing.T) {
	for name, c := range map[string]struct {
		sub    billing.Subscription
		credit int64
		want   bool
	}{
		"credit pays a part of the renewal":       {newMonthlySub(3900), 3000, true},
		"no credit is left":                       {newMonthlySub(3900), 0, true},
		"credit pays the renewal":                 {newMonthlySub(3900), 3900, false},
		"less than the minimum is left to charge": {newMonthlySub(3900), 3851, false},
		"credit pays the renewal of a year":       {newSub("sub_1", billing.Active, 0), 81600, true},
	} {
		notice := billing.DueNotice{Notice: billing.Notice{Kind: billing.PlanRenewsSoon}, Subscription: c.sub}
		assert.Equal(t, c.want, notice.IsNeeded(aud(c.credit), 50), name)
	}
	unknownSub := newMonthlySub(3900)
	unknownSub.Renewal = money.Amount{}
	notice := billing.DueNotice{Notice: billing.Notice{Kind: billing.PlanRenewsSoon}, Subscription: unknownSub}
	assert.False(t, notice.IsNeeded(aud(0), 50), "the amount is unknown")
}

func TestDueNotices_ReportTrialsRenewalsAndOrders(t *testing.T) {
	end := day0.AddDate(0, 0, 7)
	trial := func(change func(*billing.Subscription)) billing.Subscription {
		s := newTrialSub("sub_1", billing.Trialing, 0)
		s.PeriodStart, s.CurrentPeriodEnd = s.CreatedAt, s.TrialEnd
		change(&s)
		return s
	}
	changeNothing := func(*billing.Subscription) {}
	startedNotice := billing.Notice{Kind: billing.TrialStarted, SubjectID: "sub_1"}
	endsSoonNotice := billing.Notice{Kind: billing.TrialEndsSoon, SubjectID: "sub_1", Period: "2026-02-07T10:00:00Z"}
	extendTrial := func(s *billing.Subscription) {
		s.TrialEnd, s.CurrentPeriodEnd = end.AddDate(0, 0, 7), end.AddDate(0, 0, 7)
	}
	order := newSub("sub_1", billing.Incomplete, 0)
	order.Next = billing.NextAction{Kind: billing.Wait}
	type notices = []billing.Notice
	for name, c := range map[string]struct {
		subscription billing.Subscription
		now          time.Time
		want         notices
	}{
		"a trial has started":                  {trial(changeNothing), day0, notices{startedNotice}},
		"a second before the reminder":         {trial(changeNothing), end.AddDate(0, 0, -3).Add(-time.Second), notices{startedNotice}},
		"three days before the end of a trial": {trial(changeNothing), end.AddDate(0, 0, -3), notices{startedNotice, endsSoonNotice}},
		"a trial that is over":                 {trial(changeNothing), end, nil},
		"a trial that is ending": {trial(func(s *billing.Subscription) { s.EndsAt = end }),
			end.AddDate(0, 0, -1), nil},
		"an extended trial": {trial(extendTrial), end.AddDate(0, 0, -1), notices{startedNotice}},
		"reminder of an extended trial": {trial(extendTrial), end.AddDate(0, 0, 4),
			notices{startedNotice, {Kind: billing.TrialEndsSoon, SubjectID: "sub_1", Period: "2026-02-14T10:00:00Z"}}},
		"a trial of three days": {trial(func(s *billing.Subscription) {
			s.CreatedAt, s.PeriodStart = end.AddDate(0, 0, -3), end.AddDate(0, 0, -3)
		}), end.Add(-time.Hour), notices{startedNotice}},
		"a paused trial": {trial(func(s *billing.Subscription) { s.Pause = &billing.Pause{} }),
			end.Add(-time.Hour), notices{startedNotice}},
		"14 days before a renewal": {newSub("sub_1", billing.Active, 0), day0.AddDate(1, 0, -14),
			notices{{Kind: billing.PlanRenewsSoon, SubjectID: "sub_1", Period: "2027-01-31T10:00:00Z"}}},
		"long before a renewal":            {newSub("sub_1", billing.Active, 0), day0.AddDate(1, 0, -14).Add(-time.Second), nil},
		"14 days before a monthly renewal": {newMonthlySub(0), day0.AddDate(0, 1, -14), nil},
		"14 days before a renewal after a period that credit paid": {newMonthlySub(3900), day0.AddDate(0, 1, -14),
			notices{{Kind: billing.PlanRenewsSoon, SubjectID: "sub_1", Period: "2026-03-03T10:00:00Z"}}},
		"after a renewal":       {newSub("sub_1", billing.Active, 0), day0.AddDate(1, 0, 0), nil},
		"an ending yearly plan": {newEndingSub(), day0.AddDate(1, 0, -1), nil},
		"an approved order": {trial(func(s *billing.Subscription) { s.PeriodStart = s.CreatedAt.Add(time.Hour) }),
			day0.Add(time.Hour), nil},
		"an order":        {order, day0, notices{{Kind: billing.OrderReceived, SubjectID: "sub_1"}}},
		"a first payment": {newSub("sub_1", billing.Incomplete, 0), day0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAccount(c.subscription)
			assert.Equal(t, c.want, toNotices(conditionalNotices(a, nil, c.now)))
			for _, n := range []billing.Notice{startedNotice, endsSoonNotice} {
				assert.Equal(t, slices.Contains(c.want, n), billing.NoticeApplies(billing.Copy{Account: a}, n, c.now))
			}
			a.DevLicense = &billing.License{}
			assert.Empty(t, conditionalNotices(a, nil, c.now), "developer license")
		})
	}
}

func TestDueNotices_RemindOfTheNextChargeAsInVectors(t *testing.T) {
	type charge struct {
		Interval      catalogue.Interval `json:"interval"`
		NextInterval  catalogue.Interval `json:"nextInterval"`
		IsTrial       bool               `json:"isTrial"`
		IsAfterCredit bool               `json:"isAfterCredit"`
	}
	subscription := func(c charge) billing.Subscription {
		if c.IsTrial {
			s := newTrialSub("sub_1", billing.Trialing, 0)
			s.Price.Interval, s.CurrentPeriodEnd = c.Interval, s.TrialEnd
			return s
		}
		s := newMonthlySub(0)
		if c.IsAfterCredit {
			s = newMonthlySub(3900)
		}
		s.Price.Interval = c.Interval
		if c.NextInterval != "" {
			s.SetScheduledChange(&billing.ScheduledChange{
				To: catalogue.PriceRef{Product: "professional", Interval: c.NextInterval, Currency: "AUD"}, At: s.CurrentPeriodEnd,
			})
		}
		return s
	}
	domaintest.RunVectors(t, "reminders", func(c charge) int {
		s := subscription(c)
		for days := 28; days > 0; days-- {
			dueNotices := toNotices(conditionalNotices(newAccount(s), nil, s.CurrentPeriodEnd.AddDate(0, 0, -days)))
			if slices.ContainsFunc(dueNotices, func(n billing.Notice) bool {
				return n.Kind == billing.TrialEndsSoon || n.Kind == billing.PlanRenewsSoon
			}) {
				return days
			}
		}
		return 0
	})
}

// PlanEndRequested reports a past event; PaymentFailed has a condition.
func TestNoticeApplies_AlwaysForPastEventAndElseWhileConditionHolds(t *testing.T) {
	c := billing.Copy{Account: newAccount(newSub("sub_1", billing.Active, 0))}
	endNotice := billing.Notice{Kind: billing.PlanEndRequested, SubjectID: "sub_1", Period: "1"}
	assert.True(t, billing.NoticeApplies(c, endNotice, day0))
	assert.False(t, billing.NoticeApplies(c, billing.Notice{Kind: billing.PaymentFailed, SubjectID: "in_1"}, day0))
	c.Account.DevLicense = &billing.License{}
	assert.False(t, billing.NoticeApplies(c, endNotice, day0))
}

func TestNextCheck_ReturnsTimeOfTrialReminder(t *testing.T) {
	s := newTrialSub("sub_1", billing.Trialing, 0)
	s.CurrentPeriodEnd, s.Renewal = s.TrialEnd, aud(81600)
	a := newAccount(s)
	assert.Equal(t, s.TrialEnd.AddDate(0, 0, -3), a.NextCheck(day0))
	assert.Equal(t, s.TrialEnd.Add(2*time.Hour), a.NextCheck(s.TrialEnd.AddDate(0, 0, -3)), "the next check follows the charge")
}

func TestIsOptional_RenewalReminderIsOptionalOnlyIfConfigured(t *testing.T) {
	for _, renewalReminders := range []bool{false, true} {
		assert.True(t, billing.CardExpires.IsOptional(renewalReminders))
		assert.Equal(t, renewalReminders, billing.PlanRenewsSoon.IsOptional(renewalReminders))
		assert.False(t, billing.InvoiceOverdue.IsOptional(renewalReminders))
	}
}
