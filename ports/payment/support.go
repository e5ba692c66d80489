package payment

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
)

// Support contains the requests of support staff.
//
// When a payment is refunded or disputed, by a request or in the provider's dashboard, the adapter withdraws the
// returned amount from the customer's credit, but at most the unspent credit, see engine.ReturnedPayment. It reports
// the part that was already spent with ReportSpentCredit. It does both once: together with the refund or dispute, or
// when the event about it arrives.
//
// A dispute also puts the customer on hold: Hold is set on all subscriptions, including ended and later ones, the rest
// of the credit is set aside as Customer.HeldCredit, pending and scheduled plan changes are discarded, and subscriptions
// with an open first payment expire. Other subscriptions still renew, without credit, and can end. When the dispute is
// won, the withdrawn credit is given back. The hold lasts until LiftHold, also if the dispute is won. A refund does not
// put the customer on hold.
type Support interface {
	// AddCredit adds to the credit that is deducted from the customer's next invoices. An amount that is
	// not positive, or of another currency than the customer's, is Invalid. A customer on hold is Conflict.
	AddCredit(ctx context.Context, req Credit) (billing.Customer, error)
	// ExtendTrial moves the end of a running trial to a later time. It returns Conflict if the subscription is not
	// trialing, has a pending or scheduled change or is ending, and Invalid if the time is not later.
	ExtendTrial(ctx context.Context, req TrialExtension) (billing.Subscription, error)
	// Refund refunds a part of the payment of an invoice to the payment method that paid it, and returns the
	// invoice with the sum of its refunds. An amount that exceeds the part not yet returned is Conflict.
	Refund(ctx context.Context, req Refund) (billing.Invoice, error)
	// LiftHold ends the hold of a customer. The HeldCredit becomes Credit again. Only a new dispute, which may be
	// about the same payment, puts the customer on hold again. A customer that is not on hold is returned unchanged.
	LiftHold(ctx context.Context, req HoldLift) (billing.Customer, error)
	// ReturnedPayments returns the customer's payments that were refunded or disputed, newest first.
	ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
}

// ReportSpentCredit logs an error if the organisation spent credit of a returned payment before it was withdrawn.
// Only an operator can recover the amount.
func ReportSpentCredit(ctx context.Context, log *slog.Logger, organisationID string, p billing.ReturnedPayment) {
	if p.Spent.Minor() > 0 {
		log.ErrorContext(ctx, "credit of a returned payment was spent already", "org", organisationID, "payment", p.Payment,
			"returned", p.Amount.String(), "withdrawn", p.Withdrawn.String(), "spent", p.Spent.String())
	}
}
