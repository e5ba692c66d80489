package app

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	// checkBatch is how many organisations one round checks.
	checkBatch = 50
	// checkAgain is when a check that failed is due again.
	checkAgain = time.Hour
)

// CheckLicenses keeps our copy of subscriptions right without anybody looking and without any
// event: it asks the provider when a copy can't be relied on any more, and now and then when it
// can. It may run on any number of servers at once: each organisation is handed to one of them.
type CheckLicenses struct {
	store    storage.Organisations
	provider payment.Customers
	clock    clock.Clock
	sync     *syncBilling
	log      *slog.Logger
}

// Do checks those that are due, the most overdue first, and returns how many it could check. A
// provider that does not answer ends the round with Unavailable; whoever else can't be checked is
// logged and left for an hour.
func (u *CheckLicenses) Do(ctx context.Context) (int, error) {
	checked := 0
	for range checkBatch {
		now := u.clock.Now()
		id, err := u.store.ClaimCheck(ctx, now, now.Add(checkAgain))
		if fault.Is(err, fault.NotFound) {
			break
		}
		if err != nil {
			return checked, err
		}
		switch err := u.one(ctx, id); {
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

// one brings our copy up to date. A customer that the provider has no more is let go of when it
// says that it was deleted; see NewCustomer.current.
func (u *CheckLicenses) one(ctx context.Context, organisationID string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	org, err := u.sync.do(ctx, organisationID)
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return u.gone(ctx, org, err)
}

func (u *CheckLicenses) gone(ctx context.Context, org account.Organisation, notFound error) error {
	_, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	if errors.Is(err, payment.ErrCustomerDeleted) {
		return loseCustomer(ctx, u.store, org)
	}
	return notFound
}
