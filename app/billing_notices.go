package app

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/app/notices"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// billingNotices composes the notices that become due when our copy changes. Its zero value composes none.
type billingNotices struct {
	store interface {
		storage.Organisations
		storage.Invoices
	}
	provider interface {
		customerReader
		ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
	}
	clock  clock.Clock
	log    *slog.Logger
	writer *notices.Writer // nil composes none
}

// compose returns the notices, with their emails, that become due when the subscriptions and the invoices are
// stored. invoices is nil for the response to a request, which contains none: compose then returns only notices about
// changes, and the next refresh adds those that depend on the state of the account. It returns errOutdatedReport if the
// organisation was changed since org was read.
func (n billingNotices) compose(
	ctx context.Context, org account.Organisation, subs []billing.Subscription, invoices *knownInvoices,
) ([]storage.QueuedNotice, error) {
	if n.writer == nil {
		return nil, nil
	}
	before, err := n.store.Organisation(ctx, org.ID) // read again: the request may have called billing.Account.RecordEnd
	if err != nil {
		return nil, err
	}
	if before.Billing.Revision != org.Billing.Revision {
		return nil, errOutdatedReport
	}
	facts := notices.Facts{Org: before}
	facts.Org.Billing.Subscriptions = slices.Clone(before.Billing.Subscriptions)
	facts.Org.Billing.Record(subs...)
	due, err := n.dueNotices(ctx, &before, &facts, invoices)
	if err != nil {
		return nil, err
	}
	var queued []storage.QueuedNotice
	for _, d := range due {
		d.Subscription.LatestInvoice = reportedInvoice(d.Subscription, subs)
		queued = append(queued, storage.QueuedNotice{Notice: d.Notice, Emails: n.writer.Emails(facts, d)})
	}
	return queued, nil
}

// reportedInvoice returns the latest invoice of the subscription as it was reported, with its tax.
func reportedInvoice(s billing.Subscription, reported []billing.Subscription) *billing.Invoice {
	if i := slices.IndexFunc(reported, func(r billing.Subscription) bool { return r.ID == s.ID }); i >= 0 {
		return reported[i].LatestInvoice
	}
	return s.LatestInvoice
}

// remindOfCard queues the notice that the card expires before the next charge, if it does. It reads the card from the
// provider only if a charge is near.
func (n billingNotices) remindOfCard(ctx context.Context, org account.Organisation) error {
	now := n.clock.Now()
	reminder := org.Billing.CardReminderAt()
	if n.writer == nil || !n.writer.RemindsOfCards() || reminder.IsZero() || now.Before(reminder) {
		return nil
	}
	customer, err := n.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		return err
	}
	due := org.Billing.CardNotice(customer.Default, now)
	if due == nil {
		return nil
	}
	queued := storage.QueuedNotice{
		Notice: due.Notice, Emails: n.writer.Emails(notices.Facts{Org: org, Customer: &customer}, *due),
	}
	_, err = n.store.RecordReport(ctx, org.ID, storage.Report{Notices: []storage.QueuedNotice{queued}, At: now},
		func(*account.Organisation) error { return nil })
	return err
}

// dueNotices returns the notices that are due, and adds to facts the data that their emails need.
func (n billingNotices) dueNotices(
	ctx context.Context, before *account.Organisation, facts *notices.Facts, invoices *knownInvoices,
) ([]billing.DueNotice, error) {
	if invoices == nil {
		return n.changeNotices(ctx, before, facts)
	}
	facts.Invoices = invoices.all()
	queued, err := n.store.Notices(ctx, before.ID)
	if err != nil {
		return nil, err
	}
	due := billing.DueNotices(billing.Copy{Account: &before.Billing, Invoices: invoices.stored},
		billing.Copy{Account: &facts.Org.Billing, Invoices: facts.Invoices}, queued, n.clock.Now())
	if needsCustomer(due) {
		customer, err := n.provider.Customer(ctx, before.Billing.CustomerID)
		if err != nil {
			return nil, err
		}
		facts.Customer = &customer
	}
	if slices.ContainsFunc(due, func(d billing.DueNotice) bool { return notices.NeedsReturnedPayments(d.Kind) }) {
		facts.ReturnedPayments, err = n.provider.ReturnedPayments(ctx, before.Billing.CustomerID)
	}
	return due, err
}

// changeNotices returns the notices about the changes that a request has made, and adds to facts the data that their
// emails need.
func (n billingNotices) changeNotices(
	ctx context.Context, before *account.Organisation, facts *notices.Facts,
) ([]billing.DueNotice, error) {
	due := billing.ChangeNotices(&before.Billing, &facts.Org.Billing)
	if len(due) == 0 {
		return nil, nil
	}
	if needsCustomer(due) {
		facts.Customer = n.customerIfReachable(ctx, *before)
	}
	for i := range due {
		if due[i].Kind == billing.OrderEnded {
			due[i].Cause = billing.CauseRequested // no other request ends an order
		}
	}
	var err error
	facts.Invoices, err = n.store.Invoices(ctx, before.ID)
	return due, err
}

func needsCustomer(due []billing.DueNotice) bool {
	return slices.ContainsFunc(due, func(d billing.DueNotice) bool { return notices.NeedsCustomer(d.Kind) })
}

// customerIfReachable returns the customer, or nil if the provider does not respond. The change is stored anyway, and
// its emails then state that credit will be deducted instead of the exact amount.
func (n billingNotices) customerIfReachable(ctx context.Context, org account.Organisation) *billing.Customer {
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	customer, err := n.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		n.log.WarnContext(ctx, "the emails about a change do not contain the credit", "org", org.ID, "error", err)
		return nil
	}
	return &customer
}
