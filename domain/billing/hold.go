package billing

import (
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/domain/timezone"
)

// Hold is the reason why an organisation can't subscribe or change its plan, and why its credit is not used. The
// provider reports the hold with every subscription of the customer, including ended ones. A hold ends when its
// disputes are won or an operator lifts it.
type Hold string

// The holds.
const (
	NoHold       Hold = ""
	HoldDisputed Hold = "disputed" // a payment is or was disputed
)

// Hold returns the hold of the account, which may have been reported with a former subscription.
func (a *Account) Hold() Hold {
	for i := range a.Subscriptions {
		if hold := a.Subscriptions[i].Hold; hold != NoHold {
			return hold
		}
	}
	return NoHold
}

// LastDispute returns when the latest dispute of a payment of the invoices was opened, and the time zone of its invoice. It
// ignores disputes that caused a hold that was lifted. It returns zero values if the provider has reported no other dispute
// with an invoice. queuedNotices contains at least the notices of the kinds PaymentReturned and HoldLifted that were queued,
// as storage.Invoices.Notices lists them.
func LastDispute(invoices []Invoice, queuedNotices []Notice) (at time.Time, zone timezone.Zone) {
	noticesSinceLift, liftCount := splitLiftedHolds(queuedNotices)
	for _, inv := range invoices {
		for _, d := range inv.disputes() {
			isOfHold := liftCount == 0 || slices.Contains(noticesSinceLift, inv.disputeNotice(d))
			if isOfHold && d.At.After(at) {
				at, zone = d.At, inv.TimeZone
			}
		}
	}
	return at, zone
}

// LiftHoldsOfFormerCustomers removes the holds of subscriptions of former customers. The provider no longer reports these
// subscriptions.
func (a *Account) LiftHoldsOfFormerCustomers() {
	for i := range a.Subscriptions {
		if s := &a.Subscriptions[i]; s.CustomerID != a.CustomerID && s.Hold != NoHold {
			s.Hold = NoHold
			a.Revision++
		}
	}
}

// ErrOnHold is wrapped by every error that HoldConflict returns.
var ErrOnHold = errors.New("the account is on hold")

// HoldConflict returns the Conflict for a request that is refused while the account is on hold.
func HoldConflict() error {
	return fault.Wrap(ErrOnHold, fault.Conflict, "A payment of your organisation is disputed. "+
		"Until this is settled, you can't subscribe or change your plan. Please contact us.")
}

// checkHold returns HoldConflict while the account is on hold.
func (a *Account) checkHold() error {
	if a.Hold() != NoHold {
		return obstacleError{HoldConflict(), HoldObstacle, a.DisputedAt}
	}
	return nil
}

// CheckPaymentHold returns HoldConflict for a payment that would start a subscription or change the plan while the account
// is on hold. Overdue and owed invoices can be paid.
func (a *Account) CheckPaymentHold(p OpenPayment) error {
	if p.Kind == FirstPayment || p.Kind == PlanChangePayment {
		return a.checkHold()
	}
	return nil
}

// DisputeStatus is the status of a dispute.
type DisputeStatus string

// The statuses of disputes.
const (
	NoDispute   DisputeStatus = ""
	DisputeOpen DisputeStatus = "open"
	DisputeWon  DisputeStatus = "won"  // the seller keeps the payment
	DisputeLost DisputeStatus = "lost" // the customer keeps the payment
)

// ReturnedPayment reports how much of a payment was refunded or disputed, and the effect on the customer's credit;
// see engine.ReturnedPayment.
type ReturnedPayment struct {
	Payment   string        // the number of the paid invoice, or the provider's id of a payment without an invoice
	Dispute   DisputeStatus // NoDispute for refunds
	Amount    money.Amount  // the returned amount; zero after a dispute was won
	Withdrawn money.Amount  // the amount that was withdrawn from the customer's credit
	Spent     money.Amount  // credit that could not be withdrawn, because it was used before
	At        time.Time     // the time of the last refund or change of the dispute
}
