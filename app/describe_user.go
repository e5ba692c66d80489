package app

import (
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// DescribeUser returns the signed-in user and the organisation with its license.
type DescribeUser struct {
	store interface {
		storage.Users
		storage.Invoices
	}
	provider     customerReader
	capabilities payment.Capabilities
	sync         *billingsync.Sync
	log          *slog.Logger
}

// Do returns the user and the organisation. It first refreshes our copy of the subscription if the copy is stale. If
// the provider doesn't respond within timeouts.Display, Do returns the stale copy. Do sets the TimeZone of the invoices
// that the customer can pay, and the DisputedAt and DisputeTimeZone of an account on hold. It requests no authentication
// of a card while credit pays the next charge. A caller who must not manage billing gets no payment secrets.
func (u *DescribeUser) Do(ctx context.Context, caller identity.Identity) (account.User, account.Organisation, error) {
	if err := caller.Require(account.Read); err != nil {
		return account.User{}, account.Organisation{}, err
	}
	user, org, err := u.store.UserWithOrganisation(ctx, caller.UserID, caller.OrganisationID)
	if err != nil {
		return account.User{}, account.Organisation{}, err
	}
	org = u.applyCredit(ctx, u.sync.RefreshIfStale(ctx, org))
	org.Billing.Subscriptions = subscriptionsFor(caller, org.Billing.Subscriptions)
	isOnHold := org.Billing.Hold() != billing.NoHold
	if !isOnHold && !hasInvoiceToPay(&org.Billing) {
		return user, org, nil
	}
	invoices, err := u.store.Invoices(ctx, org.ID)
	if err != nil {
		return user, org, err
	}
	org = withInvoiceTimeZones(org, invoices)
	if isOnHold {
		org, err = u.withDispute(ctx, org, invoices)
	}
	return user, org, err
}

// withDispute returns the organisation, which is on hold, with its DisputedAt and DisputeTimeZone.
func (u *DescribeUser) withDispute(
	ctx context.Context, org account.Organisation, invoices []billing.Invoice,
) (account.Organisation, error) {
	queuedNotices, err := u.store.Notices(ctx, org.ID, billing.PaymentReturned, billing.HoldLifted)
	org.Billing.DisputedAt, org.Billing.DisputeTimeZone = billing.LastDispute(invoices, queuedNotices)
	return org, err
}

// applyCredit returns the organisation after billing.Subscription.ApplyCredit. It reads the credit only while a card has
// to be authenticated, and returns the organisation unchanged if the provider does not respond.
func (u *DescribeUser) applyCredit(ctx context.Context, org account.Organisation) account.Organisation {
	liveSub := org.Billing.LiveSubscription()
	if liveSub == nil || !liveSub.NeedsCardApproval() {
		return org
	}
	ctx, cancel := context.WithTimeout(ctx, timeouts.Display)
	defer cancel()
	customer, err := u.provider.Customer(ctx, org.Billing.CustomerID)
	if err != nil {
		u.log.WarnContext(ctx, "credit not read for the approval of a card", "org", org.ID, "error", err)
		return org
	}
	org.Billing.Subscriptions = slices.Clone(org.Billing.Subscriptions) // other requests share the slice
	org.Billing.LiveSubscription().ApplyCredit(customer.Credit, u.capabilities.MinimumCharge(liveSub.Price.Currency))
	return org
}

// hasInvoiceToPay reports whether the customer has an invoice to pay, whose dates need its time zone.
func hasInvoiceToPay(a *billing.Account) bool {
	return a.OpenPayment() != nil || a.NextAction().InvoiceID != ""
}

// withInvoiceTimeZones returns the organisation with the time zones of the stored invoices in the latest invoices of its
// subscriptions.
func withInvoiceTimeZones(org account.Organisation, invoices []billing.Invoice) account.Organisation {
	org.Billing.Subscriptions = slices.Clone(org.Billing.Subscriptions) // other requests share the slice
	for i, s := range org.Billing.Subscriptions {
		if s.LatestInvoice != nil {
			latest := billing.SetTimeZones([]billing.Invoice{*s.LatestInvoice}, invoices, org.TimeZone())
			org.Billing.Subscriptions[i].LatestInvoice = &latest[0]
		}
	}
	return org
}

// ListOrganisations returns the organisations of which the signed-in user is a member.
type ListOrganisations struct{ store storage.Memberships }

// Do returns the memberships, the one that was used last first. user and org are the result of DescribeUser. Most users are
// members of one organisation, so Do needs no query for them.
func (u *ListOrganisations) Do(
	ctx context.Context, caller identity.Identity, user account.User, org account.Organisation,
) ([]account.Membership, error) {
	if user.HasOtherOrganisations {
		return u.store.Memberships(ctx, caller.UserID)
	}
	return []account.Membership{{
		UserID: caller.UserID, OrganisationID: org.ID, OrganisationName: org.Name, Role: caller.Role,
	}}, nil
}

// ShowOrganisation returns the caller's organisation.
type ShowOrganisation struct{ store storage.Organisations }

// Do returns the organisation. It returns NotFound for every organisation but the caller's, whether it exists or not.
func (u *ShowOrganisation) Do(ctx context.Context, caller identity.Identity, id string) (account.Organisation, error) {
	if err := caller.Require(account.Read); err != nil {
		return account.Organisation{}, err
	}
	if id != caller.OrganisationID {
		return account.Organisation{}, fault.New(fault.NotFound, "There is no such organisation.")
	}
	return u.store.Organisation(ctx, id)
}
