package app

import (
	"context"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// checkBatch limits the organisations of one round of CheckLicenses.
	checkBatch = 50
	// checkRetry is the interval after which a failed check is repeated.
	checkRetry = time.Hour
)

// CheckLicenses keeps our copies of subscriptions correct without events. It refreshes a copy when it
// becomes stale, and from time to time anyway. Several servers may run it at the same time: each
// organisation is claimed by one of them.
type CheckLicenses struct {
	store    storage.Organisations
	provider payment.Customers
	clock    clock.Clock
	sync     *billingSync
	details  billingDetails
	changes  subscriptionChanges
	log      *slog.Logger
}

// Do checks the organisations that are due, the most overdue first, and returns the number of successful
// checks. It stops with Unavailable when the provider doesn't answer. It logs other failures, and
// repeats the check after an hour.
func (u *CheckLicenses) Do(ctx context.Context) (int, error) {
	checked := 0
	for range checkBatch {
		now := u.clock.Now()
		id, err := u.store.ClaimCheck(ctx, now, now.Add(checkRetry))
		if fault.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return checked, err
		}
		switch err := u.check(ctx, id); {
		case err == nil:
			checked++
		case fault.Is(err, fault.Unavailable):
			return checked, err
		default:
			u.log.WarnContext(ctx, "license not checked", "org", id, "error", err)
		}
	}
	return checked, nil
}

// check refreshes our copy, sends billing details that the customer has not received, reminds the customer of a card
// that expires, and schedules a plan change again that has lapsed. It removes the customer if the provider reports that it was deleted; see
// NewCustomer.current for one that is unknown.
func (u *CheckLicenses) check(ctx context.Context, organisationID string) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	org, err := u.sync.refresh(ctx, organisationID)
	if err == nil && org.DetailsUnsent() {
		u.details.sendUnsent(ctx, organisationID)
	}
	if err == nil {
		err = u.sync.remindOfCard(ctx, org)
	}
	if err == nil && org.Billing.ScheduleLapsed {
		err = u.changes.restoreScheduledChange(ctx, organisationID)
	}
	return removeIfDeleted(ctx, u.store, u.provider, org, err)
}

// GrantDevLicense grants an organisation a developer license. It is used by the command line.
type GrantDevLicense struct {
	catalogue *catalogue.Catalogue
	store     storage.Organisations
}

// Do grants a license for the product, in the catalogue's default interval and currency. It replaces an
// earlier developer license. NotFound for an unknown organisation, Invalid for an unknown product.
func (u *GrantDevLicense) Do(ctx context.Context, organisationID, product string) error {
	if _, known := u.catalogue.Plan(product); !known {
		return fault.Newf(fault.Invalid, "There is no plan %q.", product)
	}
	license := &billing.License{
		ID: newID("dev"), IsDev: true, Status: billing.Active,
		Price: catalogue.PriceRef{
			Product: product, Interval: u.catalogue.DefaultInterval(), Currency: u.catalogue.DefaultCurrency(),
		},
	}
	_, err := u.store.UpdateOrganisation(ctx, organisationID, func(o *account.Organisation) error {
		o.Billing.DevLicense = license
		return nil
	})
	return err
}
