package app

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// maxSyncAttempts limits how often the provider is read again because another server has recorded a
	// report in the meantime.
	maxSyncAttempts = 4
	// syncedInvoices is the number of invoices that one call of a refresh reads. Most refreshes need one.
	syncedInvoices = 20
	// maxInvoicePages limits the calls of a refresh. Older invoices are not read.
	maxInvoicePages = 10
)

// fetchWithTimeout is like fetch, but has a timeout. A panic is logged and returned as Unavailable.
func (s *billingSync) fetchWithTimeout(ctx context.Context, organisationID string) (org account.Organisation, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	defer func() { s.handlePanic(ctx, organisationID, recover(), &err) }()
	return s.fetch(ctx, organisationID)
}

// handlePanic logs the recovered panic p and sets the error, unless p is nil.
func (s *billingSync) handlePanic(ctx context.Context, organisationID string, p any, err *error) {
	if p != nil {
		s.log.ErrorContext(ctx, "panic while reading from the provider", "org", organisationID, "panic", p, "stack", string(debug.Stack()))
		*err = errNoAnswer()
	}
}

// fetch reads the provider's report of subscriptions and invoices, and stores it with the emails about it.
// If another report was stored in between, it starts again, because an older report must not replace a
// newer one. Without the invoices nothing is stored: the caller repeats the refresh.
func (s *billingSync) fetch(ctx context.Context, organisationID string) (account.Organisation, error) {
	for range maxSyncAttempts {
		org, err := s.store.Organisation(ctx, organisationID)
		if err != nil || org.Billing.CustomerID == "" {
			return org, err
		}
		subs, invoices, err := s.read(ctx, org)
		if err != nil {
			return org, err
		}
		changed := billing.ChangedInvoices(invoices.stored, invoices.reported)
		stored, err := s.storeReport(ctx, org, subs, invoices, changed)
		if errors.Is(err, errOutdatedReport) {
			continue
		}
		if err == nil && len(changed) > 0 {
			s.warnSeveralOpen(ctx, org.ID, invoices.all())
		}
		return stored, err
	}
	return account.Organisation{}, fault.New(fault.Unavailable, "Your subscription is changing at the moment. Please try again.")
}

// read reads the customer's subscriptions and, at the same time, the invoices that may have changed.
func (s *billingSync) read(ctx context.Context, org account.Organisation) ([]billing.Subscription, knownInvoices, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var invoices knownInvoices
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer func() { s.handlePanic(ctx, org.ID, recover(), &err) }()
		invoices, err = s.readInvoices(ctx, org)
	}()
	subs, err := s.provider.ListSubscriptions(ctx, org.Billing.CustomerID)
	if err != nil {
		cancel()
	}
	if invoicesErr := <-done; err == nil {
		err = invoicesErr
	}
	if err != nil {
		return nil, knownInvoices{}, err
	}
	return s.removeForeign(ctx, org, subs), invoices, nil
}

// readInvoices reads the invoices that are not stored yet, and those that were not paid or void when they
// were stored. One without a time zone gets that of the organisation and keeps it when it is stored.
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
	known.reported = billing.WithTimeZones(known.reported, known.stored, org.TimeZone())
	return known, nil
}

// removeForeign removes subscriptions to products that are not in the catalogue. The provider's
// account may be used for other products, which grant no license.
func (s *billingSync) removeForeign(ctx context.Context, org account.Organisation, subs []billing.Subscription) []billing.Subscription {
	return slices.DeleteFunc(slices.Clone(subs), func(sub billing.Subscription) bool {
		foreign := sub.Price.Product == ""
		if foreign {
			s.log.InfoContext(ctx, "subscription to a foreign product", "org", org.ID, "subscription", sub.ID)
		}
		return foreign
	})
}

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

// warnSeveralOpen logs subscriptions with invoices that the customer can't pay here, because only the latest
// one is shown. With the recommended settings of the provider there are none.
func (s *billingSync) warnSeveralOpen(ctx context.Context, organisationID string, invoices []billing.Invoice) {
	for _, id := range billing.SubscriptionsWithSeveralOpen(invoices) {
		s.log.WarnContext(ctx, "a subscription has more than one open invoice: collect or void the older ones at the provider",
			"org", organisationID, "subscription", id)
	}
}

// errOutdatedReport is returned by update when the organisation was changed after it was read. Callers of
// billingSync never receive it.
var errOutdatedReport = errors.New("the organisation was changed after it was read")

// storeReport stores what the provider has reported in a refresh, with the emails about it. changed are the invoices
// that differ from the stored ones.
func (s *billingSync) storeReport(
	ctx context.Context, before account.Organisation, subs []billing.Subscription, invoices knownInvoices, changed []billing.Invoice,
) (account.Organisation, error) {
	notices, err := s.notices(ctx, before, subs, &invoices)
	if err != nil {
		return account.Organisation{}, err
	}
	report := storage.Report{Invoices: changed, Notices: notices, At: s.clock.Now()}
	return s.update(ctx, before, report, subs, func(a *billing.Account) {
		if len(changed) > 0 {
			a.Revision++ // an older list of invoices must not replace this one
		}
	})
}

// storeResponse stores the subscriptions in the response to a request, with the emails about changes of known ones. It
// has no list of invoices, so the next check reads a new one.
func (s *billingSync) storeResponse(
	ctx context.Context, before account.Organisation, subs []billing.Subscription,
) (account.Organisation, error) {
	notices, err := s.notices(ctx, before, subs, nil)
	if err != nil {
		return account.Organisation{}, err
	}
	return s.update(ctx, before, storage.Report{Notices: notices, At: s.clock.Now()}, subs, func(a *billing.Account) {
		a.CheckNewInvoice(&before.Billing, s.clock.Now())
	})
}

// update stores the subscriptions and the report in one transaction, and then changes the account.
func (s *billingSync) update(
	ctx context.Context, before account.Organisation, report storage.Report, subs []billing.Subscription, then func(*billing.Account),
) (account.Organisation, error) {
	var surplus []string
	var lapsed bool
	stored, err := s.store.RecordReport(ctx, before.ID, report, func(o *account.Organisation) error {
		if o.Billing.Revision != before.Billing.Revision {
			return errOutdatedReport
		}
		o.Billing.Record(subs...)
		o.Billing.ScheduleCheck(s.clock.Now())
		then(&o.Billing)
		surplus, lapsed = o.Billing.Surplus, o.Billing.ScheduleLapsed
		return nil
	})
	stored.Billing.ScheduleLapsed = lapsed // it is not stored
	if err == nil && len(surplus) > 0 {
		stored.Billing.Surplus = surplus // it is not stored
		s.log.ErrorContext(ctx, "an organisation pays for more than one subscription: cancel and refund one at the provider",
			"org", before.ID, "customer", before.Billing.CustomerID, "license", stored.Billing.License().ID, "surplus", surplus)
	}
	return stored, err
}
