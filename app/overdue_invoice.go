package app

import (
	"cmp"
	"context"
	"log/slog"
	"slices"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/storage"
)

// OverduePaymentStatus describes the outcome of paying an overdue invoice.
type OverduePaymentStatus string

// The values of OverduePaymentStatus.
const (
	OverduePaid           OverduePaymentStatus = "paid"
	OverdueDeclined       OverduePaymentStatus = "declined"
	OverdueRequiresAction OverduePaymentStatus = "requires_action" // the customer has to authenticate the payment
	OverdueProcessing     OverduePaymentStatus = "processing"      // the payment takes days to arrive
	OverdueFailed         OverduePaymentStatus = "failed"          // the payment was not tried, or its outcome is unknown
)

// OverduePaymentResult contains the result of paying an overdue invoice with a new default card.
type OverduePaymentResult struct {
	Status    OverduePaymentStatus
	InvoiceID string
	Amount    money.Amount    // the amount that is due or was paid
	Message   string          // the reason for the customer; "" when it was paid
	Intent    *billing.Intent // for the browser to complete; nil unless Status is OverdueRequiresAction
}

// overdueInvoicePayer charges the overdue invoice when the default card changes, instead of waiting for the
// provider's next attempt. It does not charge a pending plan change.
type overdueInvoicePayer struct {
	store storage.Organisations
	clock clock.Clock
	sync  *billingsync.Sync
	log   *slog.Logger
}

// decide returns the action with the caller's customer. If an invoice is overdue, it also returns the action that pays
// the invoice. If no invoice can be overdue, or the refresh fails, it returns only the first action.
func (p overdueInvoicePayer) decide(
	ctx context.Context, caller identity.Identity, action billing.Action,
) (account.Organisation, []billing.Action, error) {
	org, err := organisationWithCustomer(ctx, p.store, caller)
	if err != nil {
		return org, nil, err
	}
	action.CustomerID = org.Billing.CustomerID
	actions := []billing.Action{action}
	if !org.Billing.IsStale(p.clock.Now()) {
		return org, actions, nil // the copy of a subscription that is or may be past due is stale
	}
	refreshedOrg, err := p.sync.Refresh(ctx, org.ID)
	if err != nil {
		p.log.WarnContext(ctx, "overdue invoice not checked", "org", org.ID, "error", err)
		return org, actions, nil
	}
	return refreshedOrg, append(actions, billing.DecideOverduePayment(&refreshedOrg.Billing)...), nil
}

// result returns the outcome of the payment, or nil when no invoice is overdue. The card stays the default one after any
// outcome.
func (p overdueInvoicePayer) result(ctx context.Context, outcome operation.Outcome) *OverduePaymentResult {
	i := slices.IndexFunc(outcome.Actions, func(a billing.Action) bool { return a.Kind == billing.PayInvoiceAction })
	if i < 0 {
		if overdueActions := billing.DecideOverduePayment(&outcome.Organisation.Billing); len(overdueActions) > 0 {
			// Our copy shows an overdue invoice, but the provider's report could not be read to decide its payment.
			return newFailedPaymentResult(overdueActions[0], billingsync.ErrNoResponse())
		}
		return nil
	}
	if outcome.PaymentErr != nil {
		p.log.WarnContext(ctx, "overdue invoice not paid with the new default card, or its payment not recorded", "org",
			outcome.Organisation.ID, "error", outcome.PaymentErr)
	}
	if outcome.Subscription.ID == "" {
		return newFailedPaymentResult(outcome.Actions[i], outcome.PaymentErr)
	}
	return newOverduePaymentResult(outcome.Actions[i], outcome.Subscription)
}

// newOverduePaymentResult returns the outcome of the action from sub, the provider's response.
func newOverduePaymentResult(action billing.Action, sub billing.Subscription) *OverduePaymentResult {
	result := &OverduePaymentResult{Status: OverduePaid, InvoiceID: action.InvoiceID, Amount: action.Amount}
	if sub.Next.Kind == billing.Wait && sub.Next.InvoiceID == action.InvoiceID {
		result.Status, result.Message = OverdueProcessing, "Your payment is on its way."
		return result
	}
	if sub.Next.Kind == billing.Redirect {
		result.Status, result.Message = OverdueDeclined, redirectMessage(sub)
		return result
	}
	if sub.Status != billing.PastDue || sub.LatestInvoice == nil || sub.LatestInvoice.Payment == nil {
		return result
	}
	intent := sub.LatestInvoice.Payment
	switch intent.Status {
	case billing.Succeeded:
	case billing.RequiresAction, billing.RequiresConfirmation:
		result.Status, result.Intent = OverdueRequiresAction, intent
		result.Message = approvalMessage
	case billing.RequiresPaymentMethod:
		result.Status, result.Message = OverdueDeclined, cmp.Or(sub.Next.Reason, "Your card was declined.")
	default:
		result.Status, result.Message = OverdueFailed, "The payment is still being processed."
	}
	return result
}

const approvalMessage = "Your bank wants you to approve this payment."

// redirectMessage returns why the payment has to be completed on the provider's page.
func redirectMessage(sub billing.Subscription) string {
	if sub.NeedsBankApproval() {
		return approvalMessage
	}
	return cmp.Or(sub.Next.Reason, "Your payment method was declined.")
}

// newFailedPaymentResult returns the outcome of an action that failed with the error. Declined means that the limit on hard
// declines has refused the card. After any other error the invoice was not charged, or it is unknown whether it was
// charged.
func newFailedPaymentResult(action billing.Action, err error) *OverduePaymentResult {
	result := &OverduePaymentResult{
		Status: OverdueFailed, InvoiceID: action.InvoiceID, Amount: action.Amount, Message: fault.MessageOf(err),
	}
	if fault.Is(err, fault.Declined) {
		result.Status = OverdueDeclined
	}
	if fault.Is(err, fault.Internal) {
		result.Message = "The payment could not be made. Please try again later."
	}
	return result
}
