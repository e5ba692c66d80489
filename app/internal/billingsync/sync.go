// Package billingsync keeps the copy of the provider's subscriptions and invoices in the database.
//
// A Refresh reads the provider's report and stores it with the emails that become due; StoreResponseOrRefresh stores the
// subscriptions in the response to a request. One refresh per organisation runs at a time, and a newer report is never
// replaced by an older one.
package billingsync

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// reportReader reads the provider's report of a customer.
type reportReader interface {
	ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error)
	ListInvoices(ctx context.Context, req payment.InvoiceQuery) (payment.InvoiceList, error)
}

// Sync updates our copy of an organisation's subscriptions with the provider's report. Only the use cases that remove a
// customer and lift a hold also change stored subscriptions.
type Sync struct {
	store     store
	provider  reportReader
	clock     clock.Clock
	log       *slog.Logger
	composer  Composer
	refreshes refreshGroup
}

// store is the part of the database that contains the copy.
type store interface {
	storage.Organisations
	storage.Invoices
}

// New returns a Sync that stores the notices of the composer.
func New(store store, provider reportReader, clock clock.Clock, log *slog.Logger, composer Composer) *Sync {
	return &Sync{store: store, provider: provider, clock: clock, log: log, composer: composer}
}

// Refresh reads the provider's report, records it and returns the organisation. The report contains the invoices that may
// have changed, and those with the invoiceIDs. Concurrent callers share a report, which is never older than their calls.
// The refresh continues when its callers stop waiting.
func (s *Sync) Refresh(ctx context.Context, organisationID string, invoiceIDs ...string) (account.Organisation, error) {
	return s.refreshes.do(ctx, organisationID, invoiceIDs, s.fetchWithTimeout)
}

// RefreshIfStale returns the organisation for requests that only show data. It refreshes a copy that is stale, so that a
// trial ends on time without an event. If the provider does not respond within timeouts.Display, it returns the stale copy.
func (s *Sync) RefreshIfStale(ctx context.Context, org account.Organisation) account.Organisation {
	if !org.Billing.IsStale(s.clock.Now()) {
		return org
	}
	ctx, cancel := context.WithTimeout(ctx, timeouts.Display)
	defer cancel()
	refreshedOrg, err := s.Refresh(ctx, org.ID)
	if err != nil {
		s.log.WarnContext(ctx, "showing the last known subscription", "org", org.ID, "error", err)
		return org
	}
	return refreshedOrg
}

// RefreshForPurchase returns the organisation for deciding a purchase. It skips the refresh before the first
// subscription of an organisation: our copy contains every subscription that this application created, and the provider
// refuses a payment.NewSubscription with First set if the customer has ever had another subscription.
func (s *Sync) RefreshForPurchase(ctx context.Context, organisationID string) (account.Organisation, error) {
	org, err := s.store.Organisation(ctx, organisationID)
	if err != nil || len(org.Billing.Subscriptions) == 0 {
		return org, err
	}
	return s.Refresh(ctx, organisationID)
}
