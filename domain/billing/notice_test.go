package billing_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
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
	assert.Empty(t, billing.DueNotices(&a, invoices, day0), "the provider drops it")
}

func TestChangedInvoices(t *testing.T) {
	reported := billing.Invoice{
		ID: "in_1", Status: billing.InvoiceOpen, Total: aud(300), AmountDue: aud(300), HasPDF: true, Payment: &billing.Intent{ClientSecret: "secret"},
		Lines: []billing.Line{{Description: "Unused time", Amount: aud(-100)}, {Description: "Professional", Amount: aud(400)}},
	}
	changed := billing.ChangedInvoices(nil, []billing.Invoice{reported})
	want := reported
	want.Payment, want.HasPDF, want.Tax, want.AmountPaid = nil, false, aud(0), aud(0)
	want.Lines = []billing.Line{{Description: "Professional", Amount: aud(300)}}
	assert.Equal(t, []billing.Invoice{want}, changed)
	assert.Empty(t, billing.ChangedInvoices(changed, []billing.Invoice{reported}))

	reported.Status = billing.InvoicePaid
	assert.Len(t, billing.ChangedInvoices(changed, []billing.Invoice{reported}), 1)
	assert.Equal(t, []billing.Invoice{{ID: "in_0"}}, billing.ChangedInvoices(changed, []billing.Invoice{{ID: "in_0"}}))
}

func TestInvoicesSince(t *testing.T) {
	at := func(days int, status billing.InvoiceStatus) billing.Invoice {
		return billing.Invoice{CreatedAt: day0.AddDate(0, 0, days), Status: status}
	}
	for want, stored := range map[time.Time][]billing.Invoice{
		{}:                      nil,
		day0.AddDate(0, 0, 28):  {at(30, billing.InvoicePaid), at(0, billing.InvoiceVoid)},
		day0.AddDate(0, 0, 13):  {at(15, billing.InvoiceOpen), at(14, billing.InvoiceOpen)},
		day0.AddDate(0, 0, -30): {at(30, billing.InvoicePaid), at(-30, billing.InvoiceOpen), at(-20, billing.InvoiceOpen)},
		day0.AddDate(0, 0, -2):  {at(0, billing.InvoiceUncollectible)},
	} {
		assert.Equal(t, want, billing.InvoicesSince(stored))
	}
}

func TestInvoice_Remaining(t *testing.T) {
	assert.Equal(t, aud(2900), billing.Invoice{AmountDue: aud(3900), AmountPaid: aud(1000)}.Remaining())
	assert.Equal(t, aud(3900), billing.Invoice{AmountDue: aud(3900)}.Remaining())
	assert.Equal(t, money.Amount{}, billing.Invoice{}.Remaining())
}

func TestCheckNewInvoice(t *testing.T) {
	invoice := func(id string) []billing.Subscription {
		return []billing.Subscription{{ID: "sub_1", Status: billing.Active, LatestInvoice: &billing.Invoice{ID: id}}}
	}
	for name, c := range map[string]struct {
		before, after []billing.Subscription
		want          time.Duration
	}{
		"first invoice":   {nil, invoice("in_1"), 30 * time.Second},
		"another invoice": {invoice("in_1"), invoice("in_2"), 30 * time.Second},
		"the same":        {invoice("in_1"), invoice("in_1"), time.Hour},
		"none":            {nil, []billing.Subscription{{ID: "sub_1"}}, time.Hour},
	} {
		a := billing.Account{CustomerID: "cus_1", Subscriptions: c.after, CheckAt: day0.Add(time.Hour)}
		a.CheckNewInvoice(&billing.Account{Subscriptions: c.before}, day0)
		assert.Equal(t, day0.Add(c.want), a.CheckAt, name)
	}
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
