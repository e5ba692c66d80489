package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// checkBatchSize limits the organisations of one run of RefreshBilling.
	checkBatchSize = 50
	// checkRetryInterval is the interval after which a failed check is repeated.
	checkRetryInterval = time.Hour
	// outageRetryInterval is the interval after which a check is repeated if the provider did not respond.
	outageRetryInterval = time.Minute
	// checkLease limits the claim of a check. It exceeds timeouts.Request.
	checkLease = 2 * time.Minute
)

// RefreshBilling keeps our copies of subscriptions correct without events. It refreshes a copy when it becomes stale, and
// regularly even if it does not. Several servers may run it at the same time, because one server claims each organisation.
type RefreshBilling struct {
	store          storage.Organisations
	provider       customerReader
	clock          clock.Clock
	sync           *billingsync.Sync
	detailsUpdater detailsUpdater
	changer        subscriptionChanger
	composer       billingsync.Composer
	log            *slog.Logger
}

// Do checks the organisations that are due, the most overdue first, and returns the number of successful checks. It stops
// with Unavailable when the provider doesn't respond, and repeats the check after a minute. It logs other failures and
// repeats those checks after an hour.
func (u *RefreshBilling) Do(ctx context.Context) (int, error) {
	count := 0
	for range checkBatchSize {
		now := u.clock.Now()
		check, err := u.store.ClaimBillingCheck(ctx, now, checkLease)
		if fault.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return count, err
		}
		id := check.OrganisationID
		err = u.checkOrganisation(ctx, id)
		if releaseErr := u.releaseCheck(ctx, check, err); releaseErr != nil {
			return count, errors.Join(err, releaseErr)
		}
		switch {
		case err == nil:
			count++
		case fault.Is(err, fault.Unavailable):
			return count, err
		case fault.Is(err, fault.NotFound):
			u.log.ErrorContext(ctx, "the payment provider does not know the customer: check the account and its key", "org", id)
		default:
			u.log.WarnContext(ctx, "billing not refreshed", "org", id, "error", err)
		}
	}
	return count, nil
}

// releaseCheck ends the claim of a check that returned err. A successful check has scheduled the next one.
func (u *RefreshBilling) releaseCheck(ctx context.Context, check storage.Check, err error) error {
	var next time.Time
	if err != nil {
		next = u.clock.Now().Add(retryInterval(err))
	}
	return u.store.ReleaseBillingCheck(context.WithoutCancel(ctx), check, next)
}

// retryInterval returns the interval after which a check that failed with err is repeated. The interval after an outage
// is short, because the next check probably succeeds.
func retryInterval(err error) time.Duration {
	if fault.Is(err, fault.Unavailable) {
		return outageRetryInterval
	}
	return checkRetryInterval
}

// checkOrganisation refreshes our copy, sends billing details and a contact email that the provider does not have yet,
// reminds the customer of a card that expires, and schedules a lapsed plan change again. If the provider reports that the
// customer was deleted, it removes the customer. If the provider doesn't know the customer, it returns NotFound; see
// CreateCustomer.findOrReplace.
func (u *RefreshBilling) checkOrganisation(ctx context.Context, organisationID string) error {
	ctx, cancel := context.WithTimeout(ctx, timeouts.Request)
	defer cancel()
	org, err := u.sync.Refresh(ctx, organisationID)
	if err == nil && org.NeedsCustomerUpdate() {
		u.detailsUpdater.sendUnsentDetails(ctx, organisationID)
	}
	if err == nil {
		err = u.composer.QueueCardReminder(ctx, org)
	}
	if err == nil && org.Billing.ScheduleLapsed {
		err = u.changer.restoreScheduledChange(ctx, organisationID)
	}
	return removeCustomerIfDeleted(ctx, u.store, u.provider, org, err)
}
