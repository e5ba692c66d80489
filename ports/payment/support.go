package payment

import (
	"context"
	"log/slog"

	"github.com/vc-admin/diy/domain/billing"
)

// Support contains the requests of support staff.
//
// When a payment is refunded or disputed, by a request or in the provider's dashboard, the adapter withdraws the
// returned amount from the customer's credit, but at most the unspent credit, see engine.ReturnedPayment. It calls
// ReportSpentCredit for the part that was already spent. The adapter does both exactly once, together with the refund or
// dispute or when the event about the refund or dispute arrives.
//
// A dispute also puts the customer on hold. The adapter sets Hold on all subscriptions, including ended and later ones.
// It moves the remaining credit to Customer.HeldCredit, discards pending and scheduled plan changes, and expires
// subscriptions with an open first payment. Other subscriptions still renew, without credit, and can end. When the
// dispute is won, the adapter gives the withdrawn credit back. The hold ends when all disputes that were opened since its
// beginning were won. After a lost dispute, the hold lasts until LiftHold. A refund does not put the customer on hold.
type Support interface {
	// AddCredit adds to the credit that is deducted from the customer's next invoices. It returns Invalid for an amount
	// that is not positive or is in another currency than the customer's, and Conflict for a customer on hold.
	AddCredit(ctx context.Context, req CreditGrant) (billing.Customer, error)
	// ExtendTrial moves the end of a running trial to a later time. It returns Conflict if the subscription is not
	// trialing, has a pending or scheduled change or is ending, and Invalid if the time is not later.
	ExtendTrial(ctx context.Context, req TrialExtension) (billing.Subscription, error)
	// Refund refunds a part of an invoice's payment to the payment method that was charged, and returns the invoice with
	// the sum of its refunds. It returns Conflict for an amount that exceeds the part not yet returned.
	Refund(ctx context.Context, req RefundRequest) (billing.Invoice, error)
	// LiftHold ends the hold of a customer, also while disputes are open and after one was lost. The HeldCredit becomes
	// Credit again. A new dispute, which may be about the same payment, puts the customer on hold again. A customer who is
	// not on hold is returned unchanged.
	LiftHold(ctx context.Context, req HoldLift) (billing.Customer, error)
	// ReturnedPayments returns the customer's payments that were refunded or disputed, newest first.
	ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error)
}

// ReportSpentCredit logs an error if the organisation spent credit from a returned payment before the credit was
// withdrawn. Only an operator can recover the amount.
func ReportSpentCredit(ctx context.Context, log *slog.Logger, organisationID string, p billing.ReturnedPayment) {
	if p.Spent.Minor() > 0 {
		log.ErrorContext(ctx, "credit of a returned payment was spent already", "org", organisationID, "payment", p.Payment,
			"returned", p.Amount.String(), "withdrawn", p.Withdrawn.String(), "spent", p.Spent.String())
	}
}
