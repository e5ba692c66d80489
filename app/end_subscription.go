package app

import (
	"context"
	"log/slog"
	"unicode/utf8"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/storage"
)

// EndSubscription ends the organisation's subscription, or withdraws its order.
type EndSubscription struct {
	changer      subscriptionChanger
	capabilities payment.Capabilities
	store        storage.EndFeedback
	clock        clock.Clock
	log          *slog.Logger
}

// EndRequest contains the parameters of EndSubscription. Both are optional.
type EndRequest struct {
	Reason  billing.EndReason
	Comment string
}

func (req EndRequest) check() error {
	var fields fault.Fields
	fields.Check(req.Reason.Valid(), "reason", "Unknown reason")
	fields.Check(utf8.RuneCountInString(req.Comment) <= billing.MaxEndCommentLength, "comment", "The comment is too long")
	return fields.Err()
}

// Do returns the subscription, which ends when its period or trial ends; nothing is charged any more. A pending or
// scheduled change is canceled first. A subscription with an overdue payment ends immediately. billing.Account.PreviewEnd
// states whether its invoice is voided or stays owed. An order that waits for approval is withdrawn,
// so its subscription never begins. Do returns Conflict when there is no subscription, and when the overdue invoice was
// paid or the order was approved at the same time.
func (u *EndSubscription) Do(ctx context.Context, caller identity.Identity, req EndRequest) (billing.Subscription, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Subscription{}, err
	}
	if err := req.check(); err != nil {
		return billing.Subscription{}, err
	}
	isOrder := false
	sub, err := u.changer.change(ctx, caller.OrganisationID, "end", func(a *billing.Account) ([]billing.Action, error) {
		isOrder = a.PendingOrder() != nil
		return billing.DecideEnd(a, u.clock.Now(), mayVoidInvoice(u.capabilities))
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	if sub.Status.Live() && sub.EndsAt.IsZero() {
		return billing.Subscription{}, errNotEnded(isOrder)
	}
	u.recordReason(ctx, caller.OrganisationID, sub.ID, req)
	return sub, nil
}

// errNotEnded returns the Conflict for a subscription that continues, because its overdue invoice was paid or its order
// was approved at the same time.
func errNotEnded(isOrder bool) error {
	if isOrder {
		return fault.New(fault.Conflict,
			"Your order was approved just now, so your plan has started. You can end it on your dashboard.")
	}
	return fault.New(fault.Conflict,
		"Your invoice was paid just now, so your subscription goes on. End it again to end it when its period ends.")
}

// recordReason stores the customer's reason. A failure is only logged, because the subscription has ended.
func (u *EndSubscription) recordReason(ctx context.Context, organisationID, subscriptionID string, req EndRequest) {
	if req == (EndRequest{}) {
		return
	}
	err := u.store.RecordEndFeedback(context.WithoutCancel(ctx), billing.EndFeedback{
		OrganisationID: organisationID, SubscriptionID: subscriptionID, RequestedAt: u.clock.Now(), Reason: req.Reason,
		Comment: req.Comment,
	})
	if err != nil {
		u.log.WarnContext(ctx, "reason of an ended subscription not stored", "org", organisationID, "error", err)
	}
}

// mayVoidInvoice reports whether the end of a subscription may void its overdue invoice.
func mayVoidInvoice(capabilities payment.Capabilities) bool { return !capabilities.CollectsByInvoice() }
