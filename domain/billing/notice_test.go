package billing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
)

func TestDueNotices(t *testing.T) {
	due := day0.AddDate(0, 0, 14)
	invoice := func(change func(*billing.Invoice)) billing.Invoice {
		inv := billing.Invoice{
			ID: "in_1", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(3900), AmountPaid: aud(0), CreatedAt: day0, DueAt: due,
		}
		change(&inv)
		return inv
	}
	open := invoice(func(*billing.Invoice) {})
	issued := billing.Notice{Kind: billing.InvoiceIssued, About: "in_1"}
	overdue := billing.Notice{Kind: billing.InvoiceOverdue, About: "in_1"}
	ended := billing.Notice{Kind: billing.EndedUnpaid, About: "sub_1", Period: "2026-01-31"}
	type notices = []billing.Notice
	for name, c := range map[string]struct {
		status   billing.Status
		after    time.Duration // the due date
		invoices []billing.Invoice
		want     notices
	}{
		"issued":                         {billing.Active, -14 * 24 * time.Hour, []billing.Invoice{open}, notices{issued}},
		"issued in a trial":              {billing.Trialing, -time.Second, []billing.Invoice{open}, notices{issued}},
		"issued, another one is overdue": {billing.PastDue, -time.Second, []billing.Invoice{open}, notices{issued}},
		"due, not yet past due":          {billing.Active, 0, []billing.Invoice{open}, nil},
		"overdue":                        {billing.PastDue, 0, []billing.Invoice{open}, notices{overdue}},
		"ended":                          {billing.Canceled, 7 * 24 * time.Hour, []billing.Invoice{open}, notices{ended}},
		"ended with two invoices":        {billing.Unpaid, 0, []billing.Invoice{open, invoice(func(i *billing.Invoice) { i.ID = "in_2" })}, notices{ended}},
		"ended before it was due":        {billing.Canceled, -time.Second, []billing.Invoice{open}, nil},
		"ended long ago":                 {billing.Canceled, 60 * 24 * time.Hour, []billing.Invoice{open}, nil},
		"never started":                  {billing.IncompleteExpired, time.Second, []billing.Invoice{open}, nil},
		"paid":                           {billing.Active, 0, []billing.Invoice{invoice(func(i *billing.Invoice) { i.Status = billing.InvoicePaid })}, nil},
		"void":                           {billing.PastDue, 0, []billing.Invoice{invoice(func(i *billing.Invoice) { i.Status = billing.InvoiceVoid })}, nil},
		"nothing left to pay":            {billing.Active, -time.Second, []billing.Invoice{invoice(func(i *billing.Invoice) { i.AmountPaid = i.AmountDue })}, nil},
		"charged to a card":              {billing.PastDue, 0, []billing.Invoice{invoice(func(i *billing.Invoice) { i.DueAt = time.Time{} })}, nil},
		"charged again automatically":    {billing.PastDue, 0, []billing.Invoice{invoice(func(i *billing.Invoice) { i.NextAttemptAt = due })}, nil},
		"of another subscription":        {billing.PastDue, 0, []billing.Invoice{invoice(func(i *billing.Invoice) { i.SubscriptionID = "" })}, nil},
		"no invoice":                     {billing.PastDue, 0, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			now := due.Add(c.after)
			a := billing.Account{CustomerID: "cus_1", Subscriptions: []billing.Subscription{
				{ID: "sub_1", CustomerID: "cus_1", Status: c.status, PeriodStart: day0},
			}}
			dueNow := func() (got notices) {
				for _, d := range billing.DueNotices(&a, c.invoices, now) {
					got = append(got, d.Notice)
				}
				return got
			}
			assert.Equal(t, c.want, dueNow())
			slices.Reverse(c.invoices)
			assert.Equal(t, c.want, dueNow(), "in another order")
			for _, n := range []billing.Notice{issued, overdue, ended} {
				assert.Equal(t, slices.Contains(c.want, n), billing.NoticeApplies(&a, c.invoices, n, now))
			}

			dev := a
			dev.DevLicense = &billing.License{}
			assert.Empty(t, billing.DueNotices(&dev, c.invoices, now), "developer license")
			a.CustomerID = "cus_2"
			assert.Empty(t, dueNow(), "of an earlier customer")
		})
	}
}

func TestDueNotices_NoneAboutAnEndAfterSubscribingAgain(t *testing.T) {
	a := billing.Account{CustomerID: "cus_1", Subscriptions: []billing.Subscription{
		{ID: "sub_2", CustomerID: "cus_1", Status: billing.Active}, {ID: "sub_1", CustomerID: "cus_1", Status: billing.Canceled},
	}}
	invoices := []billing.Invoice{{ID: "in_1", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(1), DueAt: day0}}
	assert.Empty(t, billing.DueNotices(&a, invoices, day0))
}

func TestDueNotices_NoneAboutAnOverduePlanChange(t *testing.T) {
	a := billing.Account{CustomerID: "cus_1", Subscriptions: []billing.Subscription{
		{ID: "sub_1", CustomerID: "cus_1", Status: billing.PastDue, Pending: &billing.PendingChange{InvoiceID: "in_1"}},
	}}
	invoices := []billing.Invoice{{ID: "in_1", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(1), DueAt: day0}}
	assert.Empty(t, billing.DueNotices(&a, invoices, day0), "the provider cancels it")
}

func TestDueNotices_AnEndIsAboutTheNewestUnpaidInvoice(t *testing.T) {
	older := billing.Invoice{ID: "in_2", SubscriptionID: "sub_1", Status: billing.InvoiceOpen, AmountDue: aud(3900), CreatedAt: day0, DueAt: day0}
	newer := older
	newer.ID, newer.CreatedAt = "in_1", day0.Add(time.Hour)
	a := billing.Account{CustomerID: "cus_1", Subscriptions: []billing.Subscription{{ID: "sub_1", CustomerID: "cus_1", Status: billing.Canceled}}}
	for _, invoices := range [][]billing.Invoice{{older, newer}, {newer, older}} {
		due := billing.DueNotices(&a, invoices, day0)
		assert.Len(t, due, 1)
		assert.Equal(t, newer, due[0].Invoice)
	}
}
