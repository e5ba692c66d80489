package billingsync

import (
	"context"
	"errors"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// StoreResponseOrRefresh stores the subscriptions, newest first, that the provider returned in response to a request. org
// must have been read before the request. If another report was stored after org was read, StoreResponseOrRefresh
// refreshes the copy instead.
func (s *Sync) StoreResponseOrRefresh(
	ctx context.Context, org account.Organisation, subs ...billing.Subscription,
) error {
	_, err := s.storeResponse(ctx, org, subs)
	if errors.Is(err, errOutdatedReport) {
		_, err = s.Refresh(ctx, org.ID)
	}
	return err
}

// storeResponse stores the subscriptions in the response to a request, with the emails about their changes. A response
// contains no list of invoices, so a new invoice makes the next check due. It raises the revision even if the response
// equals our copy: a declined payment ends in the state before it, and a concurrent refresh may have read that the payment
// was being made.
func (s *Sync) storeResponse(
	ctx context.Context, org account.Organisation, subs []billing.Subscription,
) (account.Organisation, error) {
	notices, err := s.composer.compose(ctx, org, subs, nil)
	if err != nil {
		return account.Organisation{}, err
	}
	update := storage.BillingUpdate{Notices: notices, EmailsDueAt: s.clock.Now()}
	return s.applyUpdate(ctx, org, update, subs, func(a *billing.Account) {
		a.ScheduleInvoiceCheck(&org.Billing, s.clock.Now())
		if a.Revision == org.Billing.Revision {
			a.Revision++ // a report that was read while the request was made must not replace the response
		}
	})
}
