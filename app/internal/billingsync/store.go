package billingsync

import (
	"context"
	"errors"
	"slices"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/storage"
)

// errOutdatedReport means that the organisation was changed after it was read, so the report is not stored. Sync
// handles this error and never returns it to its callers.
var errOutdatedReport = errors.New("the organisation was changed after it was read")

// storeReport stores the report of a refresh, with the emails about it. changedInvoices contains the reported invoices
// that differ from the stored ones.
func (s *Sync) storeReport(
	ctx context.Context, org account.Organisation, subs []billing.Subscription, invoices knownInvoices,
	changedInvoices []billing.Invoice,
) (account.Organisation, error) {
	notices, err := s.composer.composeForReport(ctx, org, subs, invoices)
	if err != nil {
		return account.Organisation{}, err
	}
	update := storage.BillingUpdate{Invoices: changedInvoices, Notices: notices, EmailsDueAt: s.clock.Now()}
	return s.applyUpdate(ctx, org, update, subs, func(a *billing.Account) {
		if len(changedInvoices) > 0 {
			a.Revision++ // an older list of invoices must not replace this one
		}
	})
}

// StoreResponseOrRefresh stores the subscriptions, newest first, that the provider returned in response to a request. org
// must have been read before the request. If another report was stored after org was read, StoreResponseOrRefresh
// refreshes the copy instead. It raises the revision even if the response equals our copy: a declined payment leaves the
// state unchanged, and a concurrent refresh may have read that the payment was being made.
func (s *Sync) StoreResponseOrRefresh(
	ctx context.Context, org account.Organisation, subs ...billing.Subscription,
) error {
	return s.storeOrRefresh(ctx, org, subs, func(a *billing.Account) {
		if a.Revision == org.Billing.Revision {
			a.Revision++ // a report that was read while the request was made must not replace the response
		}
	})
}

// StoreRepeatOrRefresh stores the subscriptions of a request that repeats another one, as StoreResponseOrRefresh does. It
// does not raise the revision if the subscriptions equal our copy, so that repeats do not make each other's reads outdated.
func (s *Sync) StoreRepeatOrRefresh(
	ctx context.Context, org account.Organisation, subs ...billing.Subscription,
) error {
	return s.storeOrRefresh(ctx, org, subs, func(*billing.Account) {})
}

// storeOrRefresh stores the subscriptions of a request and applies edit to the account. It refreshes the copy if org is
// outdated.
func (s *Sync) storeOrRefresh(
	ctx context.Context, org account.Organisation, subs []billing.Subscription, edit func(*billing.Account),
) error {
	_, err := s.storeResponse(ctx, org, subs, edit)
	if errors.Is(err, errOutdatedReport) {
		_, err = s.Refresh(ctx, org.ID)
	}
	return err
}

// storeResponse stores the subscriptions, with the emails about their changes, and applies edit to the account. A
// response contains no list of invoices, so storeResponse schedules a check if it contains a new invoice.
func (s *Sync) storeResponse(
	ctx context.Context, org account.Organisation, subs []billing.Subscription, edit func(*billing.Account),
) (account.Organisation, error) {
	notices, err := s.composer.composeForResponse(ctx, org, subs)
	if err != nil {
		return account.Organisation{}, err
	}
	update := storage.BillingUpdate{Notices: notices, EmailsDueAt: s.clock.Now()}
	return s.applyUpdate(ctx, org, update, subs, func(a *billing.Account) {
		a.ScheduleInvoiceCheck(&org.Billing, s.clock.Now())
		edit(a)
	})
}

// applyUpdate stores the subscriptions and the update, and applies edit to the account, in one transaction.
func (s *Sync) applyUpdate(
	ctx context.Context, org account.Organisation, update storage.BillingUpdate, subs []billing.Subscription,
	edit func(*billing.Account),
) (account.Organisation, error) {
	var surplusIDs []string
	var isScheduleLapsed bool
	updatedOrg, err := s.store.UpdateBilling(ctx, org.ID, update, func(o *account.Organisation) error {
		if o.Billing.Revision != org.Billing.Revision {
			return errOutdatedReport
		}
		o.Billing.RecordSubscriptions(subs...) // raises the revision if a subscription has changed
		o.Billing.ScheduleCheck(s.clock.Now())
		edit(&o.Billing)
		surplusIDs, isScheduleLapsed = o.Billing.SurplusSubscriptionIDs, o.Billing.ScheduleLapsed
		return nil
	})
	updatedOrg.Billing.ScheduleLapsed = isScheduleLapsed // not stored
	if err == nil {
		s.logManaged(ctx, &org.Billing, &updatedOrg.Billing, org.ID)
	}
	if err == nil && len(surplusIDs) > 0 {
		updatedOrg.Billing.SurplusSubscriptionIDs = surplusIDs // not stored
		s.log.ErrorContext(ctx, "an organisation pays for more than one subscription: cancel and refund one at the provider",
			"org", org.ID, "customer", org.Billing.CustomerID, "license", updatedOrg.Billing.License().ID, "surplus", surplusIDs)
	}
	return updatedOrg, err
}

// logManaged logs each live subscription that has become managed by staff at the provider: its price is not in the
// catalogue, or its schedule was not created here.
func (s *Sync) logManaged(ctx context.Context, oldAccount, newAccount *billing.Account, organisationID string) {
	for _, sub := range newAccount.Subscriptions {
		wasManaged := slices.ContainsFunc(oldAccount.Subscriptions, func(oldSub billing.Subscription) bool {
			return oldSub.ID == sub.ID && oldSub.Managed
		})
		if sub.Managed && sub.Status.Live() && !wasManaged {
			s.log.WarnContext(ctx, "a subscription has a price or a schedule of its own: the customer can't change it here, see docs/stripe.md",
				"org", organisationID, "subscription", sub.ID, "plan", sub.Price.Product)
		}
	}
}
