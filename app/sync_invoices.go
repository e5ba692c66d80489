package app

import (
	"context"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// syncedInvoices is the number of invoices that one call of a refresh reads. Most refreshes need one.
	syncedInvoices = 20
	// maxInvoicePages limits the calls of a refresh. Older invoices are not read.
	maxInvoicePages = 10
)

// knownInvoices are the stored invoices of an organisation and those that the provider reported.
type knownInvoices struct{ stored, reported []billing.Invoice }

// all returns the invoices as they are after the report is stored.
func (k knownInvoices) all() []billing.Invoice {
	all := slices.Clone(k.reported)
	for _, inv := range k.stored {
		if !slices.ContainsFunc(k.reported, func(fresh billing.Invoice) bool { return fresh.ID == inv.ID }) {
			all = append(all, inv)
		}
	}
	return all
}

// read reads the customer's subscriptions and, at the same time, the invoices that may have changed.
func (s *billingSync) read(ctx context.Context, org account.Organisation) ([]billing.Subscription, knownInvoices, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var invoices knownInvoices
	done := make(chan error, 1)
	go func() {
		err := errNoAnswer()
		defer func() { done <- err }()
		defer func() { s.logPanic(ctx, org.ID, recover()) }()
		invoices, err = s.readInvoices(ctx, org)
	}()
	subs, err := s.provider.ListSubscriptions(ctx, org.Billing.CustomerID)
	if err != nil {
		cancel()
	}
	if failed := <-done; err == nil {
		err = failed
	}
	if err != nil {
		return nil, knownInvoices{}, err
	}
	return s.withoutForeign(ctx, org, subs), invoices, nil
}

// readInvoices reads the invoices that are not stored yet, and those that were not paid or void when they
// were stored.
func (s *billingSync) readInvoices(ctx context.Context, org account.Organisation) (known knownInvoices, err error) {
	if known.stored, err = s.store.Invoices(ctx, org.ID); err != nil {
		return known, err
	}
	since := billing.InvoicesSince(known.stored)
	page := payment.InvoicePage{CustomerID: org.Billing.CustomerID, Limit: syncedInvoices}
	for range maxInvoicePages {
		list, err := s.provider.ListInvoices(ctx, page)
		if err != nil {
			return known, err
		}
		known.reported = append(known.reported, list.Invoices...)
		if !list.HasMore || len(list.Invoices) == 0 {
			break
		}
		oldest := list.Invoices[len(list.Invoices)-1]
		if oldest.CreatedAt.Before(since) {
			break
		}
		page.After = oldest.ID
	}
	return known, nil
}

// warnOfSeveralOpen logs subscriptions with invoices that the customer can't pay here, because only the latest
// one is shown. With the recommended settings of the provider there are none.
func (s *billingSync) warnOfSeveralOpen(ctx context.Context, organisationID string, invoices []billing.Invoice) {
	for _, id := range billing.SubscriptionsWithSeveralOpen(invoices) {
		s.log.WarnContext(ctx, "a subscription has more than one open invoice: collect or void the older ones at the provider",
			"org", organisationID, "subscription", id)
	}
}

// report returns the invoices that have changed and the notices that are due when the subscriptions are
// recorded.
func (s *billingSync) report(org account.Organisation, subs []billing.Subscription, invoices knownInvoices) storage.Report {
	now := s.clock.Now()
	report := storage.Report{Invoices: billing.ChangedInvoices(invoices.stored, invoices.reported), At: now}
	if s.emails == nil {
		return report
	}
	org.Billing.Subscriptions = slices.Clone(org.Billing.Subscriptions)
	org.Billing.Record(subs...)
	for _, due := range billing.DueNotices(&org.Billing, invoices.all(), now) {
		report.Notices = append(report.Notices, storage.QueuedNotice{Notice: due.Notice, Emails: s.emails.notice(org, due)})
	}
	return report
}
