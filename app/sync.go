package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// describeTimeout limits how long a request that only shows data waits for the provider.
const describeTimeout = 3 * time.Second

// billingSync updates our copy of an organisation's subscriptions with the provider's report. It is
// the only writer of subscriptions. sync_report.go reads and stores the report.
type billingSync struct {
	store interface {
		storage.Organisations
		storage.Invoices
	}
	provider interface {
		payment.Subscriptions
		payment.Invoices
		payment.Customers
		ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
	}
	clock  clock.Clock
	log    *slog.Logger
	emails *billingEmails // nil sends none

	refreshes refreshGroup
}

// refresh reads the provider's report, records it and returns the organisation. Concurrent callers share a report,
// which is never older than the call. The refresh continues when its callers stop waiting.
func (s *billingSync) refresh(ctx context.Context, organisationID string) (account.Organisation, error) {
	return s.refreshes.do(ctx, organisationID, s.fetchWithTimeout)
}

// refreshIfStale returns the organisation for requests that only show data. It refreshes a copy that is stale,
// so that a trial ends on time without an event. If the provider does not answer in time, it returns the stale
// copy.
func (s *billingSync) refreshIfStale(ctx context.Context, org account.Organisation) account.Organisation {
	if !org.Billing.Stale(s.clock.Now()) {
		return org
	}
	ctx, cancel := context.WithTimeout(ctx, describeTimeout)
	defer cancel()
	fresh, err := s.refresh(ctx, org.ID)
	if err != nil {
		s.log.WarnContext(ctx, "showing the last known subscription", "org", org.ID, "error", err)
		return org
	}
	return fresh
}

// refreshForPurchase returns the organisation for deciding a purchase. It skips the refresh before the first
// subscription of an organisation: our copy contains every subscription that this application created, and
// the provider refuses an action with First if the customer ever had another one.
func (s *billingSync) refreshForPurchase(ctx context.Context, organisationID string) (account.Organisation, error) {
	org, err := s.store.Organisation(ctx, organisationID)
	if err != nil || len(org.Billing.Subscriptions) == 0 {
		return org, err
	}
	return s.refresh(ctx, organisationID)
}

// record stores the subscriptions, newest first, that the provider returned in response to a request.
// before is the organisation as it was read before the request. If another report was stored since, it
// refreshes the copy instead.
func (s *billingSync) record(ctx context.Context, before account.Organisation, subs ...billing.Subscription) error {
	_, err := s.storeResponse(ctx, before, subs)
	if errors.Is(err, errOutdatedReport) {
		_, err = s.refresh(ctx, before.ID)
	}
	return err
}

// explain returns a more specific error for a request that the provider has refused because our copy was out of
// date: it refreshes the copy and returns the error of deciding the request again. Without such an error it returns
// the refusal. The new decision is not sent, because the customer has agreed to the earlier one.
func (s *billingSync) explain(
	ctx context.Context, organisationID string, refusal error, decideAgain func(context.Context, account.Organisation) error,
) error {
	isRefused := fault.Is(refusal, fault.Invalid) || fault.Is(refusal, fault.Conflict) || fault.Is(refusal, fault.NotFound)
	if !isRefused || errors.Is(refusal, payment.ErrKeyRetired) {
		return refusal
	}
	org, err := s.refresh(ctx, organisationID)
	if err != nil {
		return refusal
	}
	if reason := decideAgain(ctx, org); reason != nil && !isUnknown(reason) {
		return reason
	}
	return refusal
}
