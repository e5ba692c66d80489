package app

import (
	"cmp"
	"context"
	"slices"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// BillingSummary describes the organisation's subscription and its next charge.
type BillingSummary struct {
	Subscription *billing.Subscription  // live, or with an open first payment; nil when there is none
	NextCharge   *billing.Charge        // nil when no automatic charge is due, or its amount is unknown
	AfterCredit  *billing.Charge        // see billing.Subscription.ChargeAfterCredit
	Credit       money.Amount           // zero when there is none
	Card         *billing.PaymentMethod // the method that is charged: the subscription's own or the default one; nil when there is none
	End          *billing.End           // the effect of ending the subscription now; nil when nothing can be ended
}

// ShowBilling summarises the billing of the caller's organisation.
type ShowBilling struct {
	store interface {
		storage.Organisations
		storage.Invoices
	}
	provider     customerReader
	capabilities payment.Capabilities
	sync         *billingsync.Sync
	clock        clock.Clock
}

// Do returns the summary. It first refreshes our copy of the subscription if the copy is stale. Do sets the TimeZone of
// the invoices that the customer can pay. A caller who must not manage billing gets no payment secrets.
func (u *ShowBilling) Do(ctx context.Context, caller identity.Identity) (BillingSummary, error) {
	if err := caller.Require(account.Read); err != nil {
		return BillingSummary{}, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return BillingSummary{}, err
	}
	if org = u.sync.RefreshIfStale(ctx, org); hasInvoiceToPay(&org.Billing) {
		invoices, err := u.store.Invoices(ctx, org.ID)
		if err != nil {
			return BillingSummary{}, err
		}
		org = withInvoiceTimeZones(org, invoices)
	}
	customer, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return BillingSummary{}, err
	}
	org.Billing.Subscriptions = subscriptionsFor(caller, org.Billing.Subscriptions)
	return u.newSummary(org, customer), nil
}

func (u *ShowBilling) newSummary(org account.Organisation, customer billing.Customer) BillingSummary {
	summary := BillingSummary{
		Credit: customer.Credit, Card: customer.Default, End: org.Billing.PreviewEnd(u.clock.Now(), mayVoidInvoice(u.capabilities)),
	}
	summary.Subscription = cmp.Or(org.Billing.LiveSubscription(), org.Billing.OpenSubscription())
	if summary.Subscription == nil {
		return summary
	}
	summary.Card = cmp.Or(summary.Subscription.Method, summary.Card)
	minimum := u.capabilities.MinimumCharge(summary.Subscription.Price.Currency)
	summary.NextCharge = summary.Subscription.NextCharge(customer.Credit, minimum)
	summary.AfterCredit = summary.Subscription.ChargeAfterCredit(customer.Credit, minimum)
	return summary
}

// ListSubscriptions lists the organisation's subscriptions.
type ListSubscriptions struct {
	store    storage.Organisations
	provider interface {
		ListSubscriptions(ctx context.Context, customerID string, statuses ...billing.Status) ([]billing.Subscription, error)
	}
}

// Do returns the subscriptions with the status, newest first. The status "" selects all. An organisation without a
// customer has no subscriptions. A caller who must not manage billing gets no payment secrets.
func (u *ListSubscriptions) Do(
	ctx context.Context, caller identity.Identity, status billing.Status,
) ([]billing.Subscription, error) {
	if err := caller.Require(account.Read); err != nil {
		return nil, err
	}
	org, err := u.store.Organisation(ctx, caller.OrganisationID)
	if err != nil || org.Billing.CustomerID == "" {
		return nil, err
	}
	var statuses []billing.Status
	if status != "" {
		statuses = []billing.Status{status}
	}
	subs, err := u.provider.ListSubscriptions(ctx, org.Billing.CustomerID, statuses...)
	return subscriptionsFor(caller, subs), err
}

// subscriptionsFor returns what the caller may see of the subscriptions: without payment secrets unless the caller may
// manage billing.
func subscriptionsFor(caller identity.Identity, subs []billing.Subscription) []billing.Subscription {
	if caller.Role.Allows(account.ManageBilling) {
		return subs
	}
	subs = slices.Clone(subs) // other requests share the slice
	for i, s := range subs {
		subs[i] = s.WithoutPaymentSecrets()
	}
	return subs
}
