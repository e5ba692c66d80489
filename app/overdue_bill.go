package app

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/storage"
)

// BillStatus is what happened to an overdue bill that was tried with another card.
type BillStatus string

// The statuses of BillPayment.
const (
	BillPaid           BillStatus = "paid"
	BillDeclined       BillStatus = "declined"
	BillRequiresAction BillStatus = "requires_action" // the bank wants the customer to approve it
	BillFailed         BillStatus = "failed"          // it was not tried, or how it ended is unknown
)

// BillPayment tells what happened to an overdue bill when another card became the default one.
type BillPayment struct {
	Status    BillStatus
	InvoiceID string
	Amount    money.Amount    // what is due, or was paid
	Message   string          // why it was not paid, for the customer; "" when it was
	Intent    *billing.Intent // for the browser to finish; nil unless Status is BillRequiresAction
}

// overdueBill charges what an organisation owes for its subscription when another card becomes the
// default one, instead of waiting for the provider's next try. A pending plan change is not charged.
type overdueBill struct {
	store storage.Organisations
	clock clock.Clock
	steps steps
	sync  *syncBilling
	log   *slog.Logger
}

// plan returns a plan of the step, followed by the payment of the overdue bill if there is one. A
// provider that can't be asked about the bill does not stand in the step's way.
func (b overdueBill) plan(ctx context.Context, organisationID string, step billing.Step) (plan, error) {
	org, err := b.store.Organisation(ctx, organisationID)
	if err != nil {
		return plan{}, err
	}
	step.CustomerID = org.Billing.CustomerID
	first := []billing.Step{step}
	if !org.Billing.Stale(b.clock.Now()) {
		return plan{steps: first}, nil // a subscription that is past due counts as stale, and so does one that may be
	}
	fresh, err := b.sync.do(ctx, org.ID)
	if err != nil {
		b.log.WarnContext(ctx, "overdue bill not looked for", "org", org.ID, "error", err)
		return plan{steps: first}, nil
	}
	return plan{steps: append(first, billing.PlanOverduePayment(&fresh.Billing)...), org: &fresh}, nil
}

// pay tries the bill once and returns what happened, nil when none is overdue. Whatever happened, the
// card stays the default one.
func (b overdueBill) pay(ctx context.Context, at attempt, card billing.PaymentMethod) *BillPayment {
	if step, planned := at.step(billing.PayInvoiceStep); planned {
		return b.charge(ctx, at, step, card)
	}
	live := at.org.Billing.Live()
	if live == nil || live.Status != billing.PastDue || live.LatestInvoice == nil {
		return nil
	}
	return failedBill(live.LatestInvoice, errUnknownBill())
}

// errUnknownBill says why a bill that seems overdue was not tried: the provider did not report it.
func errUnknownBill() error {
	return fault.New(fault.Unavailable, "The payment provider did not answer. Please try again.")
}

func (b overdueBill) charge(ctx context.Context, at attempt, step billing.Step, card billing.PaymentMethod) *BillPayment {
	bill := &billing.Invoice{ID: step.InvoiceID, AmountDue: step.Amount}
	paid, err := b.steps.pay(ctx, at.org.ID, step, card)
	paid, err = b.sync.now(ctx, at, paid, err)
	if err != nil {
		b.log.WarnContext(ctx, "overdue bill not paid with the new default card", "org", at.org.ID, "error", err)
		return failedBill(bill, err)
	}
	if err := b.sync.keep(ctx, at.org, paid); err != nil {
		b.log.WarnContext(ctx, "payment of an overdue bill not recorded", "org", at.org.ID, "error", err)
	}
	return billPayment(bill, paid)
}

// billPayment describes the bill after it was charged: after is the subscription as it then is.
func billPayment(inv *billing.Invoice, after billing.Subscription) *BillPayment {
	out := &BillPayment{Status: BillPaid, InvoiceID: inv.ID, Amount: inv.AmountDue}
	if after.Status != billing.PastDue || after.LatestInvoice == nil || after.LatestInvoice.Payment == nil {
		return out
	}
	intent := after.LatestInvoice.Payment
	switch intent.Status {
	case billing.Succeeded:
	case billing.RequiresAction, billing.RequiresConfirmation:
		out.Status, out.Intent = BillRequiresAction, intent
		out.Message = "Your bank wants you to approve this payment."
	case billing.RequiresPaymentMethod:
		out.Status, out.Message = BillDeclined, cmp.Or(after.Next.Reason, "Your card was declined.")
	default:
		out.Status, out.Message = BillFailed, "The payment is still being processed."
	}
	return out
}

// failedBill describes the bill after an error: a card that the limit on hard declines refuses is
// declined, anything else leaves the bill as it was or unknown.
func failedBill(inv *billing.Invoice, err error) *BillPayment {
	out := &BillPayment{Status: BillFailed, InvoiceID: inv.ID, Amount: inv.AmountDue, Message: fault.MessageOf(err)}
	if fault.Is(err, fault.Declined) {
		out.Status = BillDeclined
	}
	if fault.Is(err, fault.Internal) {
		out.Message = "The payment could not be made. Please try again later."
	}
	return out
}
