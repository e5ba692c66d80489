package billingsync

import (
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"time"

	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	// maxSyncAttempts limits how often a refresh reads the provider. It reads again if another server has recorded a report
	// since the last read began.
	maxSyncAttempts = 4
	// syncPageSize is the number of invoices on a page that a refresh reads. Most refreshes need only one page.
	syncPageSize = 20
	// maxInvoicePages limits the pages that a refresh reads. It reads older invoices only if an event names them.
	maxInvoicePages = 10
)

// fetchWithTimeout calls fetchAndStore with a timeout. It logs a panic and returns it as Unavailable.
func (s *Sync) fetchWithTimeout(
	ctx context.Context, organisationID string, invoiceIDs []string,
) (org account.Organisation, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeouts.Request)
	defer cancel()
	defer func() { s.convertPanic(ctx, organisationID, recover(), &err) }()
	return s.fetchAndStore(ctx, organisationID, invoiceIDs)
}

// convertPanic logs the recovered panic p and sets err to Unavailable, unless p is nil.
func (s *Sync) convertPanic(ctx context.Context, organisationID string, p any, err *error) {
	if p != nil {
		s.log.ErrorContext(ctx, "panic while reading from the provider", "org", organisationID, "panic", p, "stack",
			string(debug.Stack()))
		*err = ErrNoResponse()
	}
}

// fetchAndStore reads the provider's report of subscriptions and invoices, and stores it with the emails about it. If
// another report was stored after fetchAndStore began, it starts again, because an older report must not replace a newer
// one. If a read fails, it stores nothing and returns the error.
func (s *Sync) fetchAndStore(
	ctx context.Context, organisationID string, invoiceIDs []string,
) (account.Organisation, error) {
	for range maxSyncAttempts {
		org, err := s.store.Organisation(ctx, organisationID)
		if err != nil || org.Billing.CustomerID == "" {
			return org, err
		}
		subs, invoices, err := s.readReport(ctx, org, invoiceIDs)
		if err != nil {
			return org, err
		}
		changedInvoices := billing.ChangedInvoices(invoices.stored, invoices.reported)
		updatedOrg, err := s.storeReport(ctx, org, subs, invoices, changedInvoices)
		if errors.Is(err, errOutdatedReport) {
			continue
		}
		if err == nil && len(changedInvoices) > 0 {
			s.warnOfSeveralOpenInvoices(ctx, org.ID, invoices.merge())
		}
		return updatedOrg, err
	}
	return account.Organisation{}, fault.New(fault.Unavailable, "Your subscription is changing at the moment. Please try again.")
}

// warnOfSeveralOpenInvoices logs the subscriptions that have more than one open invoice. The customer can't pay the older
// invoices here, because only the latest one is shown. With the recommended settings of the provider a subscription has
// only one open invoice.
func (s *Sync) warnOfSeveralOpenInvoices(ctx context.Context, organisationID string, invoices []billing.Invoice) {
	for _, id := range billing.SubscriptionsWithSeveralOpenInvoices(invoices) {
		s.log.WarnContext(ctx, "a subscription has more than one open invoice: collect or void the older ones at the provider",
			"org", organisationID, "subscription", id)
	}
}

// readReport calls ListSubscriptions and readInvoices concurrently, and returns their results.
func (s *Sync) readReport(
	ctx context.Context, org account.Organisation, invoiceIDs []string,
) ([]billing.Subscription, knownInvoices, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var invoices knownInvoices
	invoicesDone := make(chan error, 1)
	go func() {
		var err error
		defer func() { invoicesDone <- err }()
		defer func() { s.convertPanic(ctx, org.ID, recover(), &err) }()
		invoices, err = s.readInvoices(ctx, org, invoiceIDs)
	}()
	subs, err := s.provider.ListSubscriptions(ctx, org.Billing.CustomerID)
	if err != nil {
		cancel()
	}
	if invoicesErr := <-invoicesDone; err == nil {
		err = invoicesErr
	}
	if err != nil {
		return nil, knownInvoices{}, err
	}
	return s.removeForeignSubscriptions(ctx, org, subs), invoices, nil
}

// readInvoices reads the invoices that may have changed since they were stored, and the stored invoices with the ids. An
// invoice without a time zone gets the organisation's, which is then stored with the invoice.
func (s *Sync) readInvoices(
	ctx context.Context, org account.Organisation, ids []string,
) (invoices knownInvoices, err error) {
	if invoices.stored, err = s.store.Invoices(ctx, org.ID); err != nil {
		return invoices, err
	}
	invoices.reported, err = s.listInvoices(ctx, org.Billing.CustomerID, billing.InvoiceRefreshStart(invoices.stored))
	if err != nil {
		return invoices, err
	}
	for _, inv := range invoices.stored {
		if !slices.Contains(ids, inv.ID) || containsInvoice(invoices.reported, inv.ID) {
			continue
		}
		list, err := s.provider.ListInvoices(ctx, payment.InvoiceQuery{
			CustomerID: org.Billing.CustomerID, InvoiceID: inv.ID, Limit: 1,
		})
		if err != nil && !fault.Is(err, fault.NotFound) { // NotFound: the invoice belongs to a former customer
			return invoices, err
		}
		invoices.reported = append(invoices.reported, list.Invoices...)
	}
	invoices.reported = billing.SetTimeZones(invoices.reported, invoices.stored, org.TimeZone())
	return invoices, nil
}

// listInvoices lists the customer's invoices since the given time, but at least one page.
func (s *Sync) listInvoices(
	ctx context.Context, customerID string, since time.Time,
) (invoices []billing.Invoice, err error) {
	query := payment.InvoiceQuery{CustomerID: customerID, Limit: syncPageSize}
	for range maxInvoicePages {
		list, err := s.provider.ListInvoices(ctx, query)
		if err != nil {
			return nil, err
		}
		invoices = append(invoices, list.Invoices...)
		if !list.HasMore || len(list.Invoices) == 0 {
			break
		}
		oldest := list.Invoices[len(list.Invoices)-1]
		if oldest.CreatedAt.Before(since) {
			break
		}
		query.After = oldest.ID
	}
	return invoices, nil
}

func containsInvoice(invoices []billing.Invoice, id string) bool {
	return slices.ContainsFunc(invoices, func(inv billing.Invoice) bool { return inv.ID == id })
}

// removeForeignSubscriptions removes the subscriptions whose products are not in the catalogue. The account at the
// provider may also be used for other products, which grant no license.
func (s *Sync) removeForeignSubscriptions(
	ctx context.Context, org account.Organisation, subs []billing.Subscription,
) []billing.Subscription {
	return slices.DeleteFunc(slices.Clone(subs), func(sub billing.Subscription) bool {
		isForeign := sub.Price.Product == ""
		if isForeign {
			s.log.InfoContext(ctx, "subscription to a foreign product", "org", org.ID, "subscription", sub.ID)
		}
		return isForeign
	})
}

// knownInvoices contains the stored invoices of an organisation and those that the provider reported.
type knownInvoices struct{ stored, reported []billing.Invoice }

// merge returns the reported invoices, and the stored invoices that were not reported.
func (k knownInvoices) merge() []billing.Invoice {
	invoices := slices.Clone(k.reported)
	for _, inv := range k.stored {
		if !containsInvoice(k.reported, inv.ID) {
			invoices = append(invoices, inv)
		}
	}
	return invoices
}
