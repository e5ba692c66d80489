package billing

import (
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// PlanObstacleKind states what At of a PlanObstacle is.
type PlanObstacleKind string

// The kinds of plan obstacles.
const (
	OtherObstacle      PlanObstacleKind = "other"          // At is zero
	ProcessingObstacle PlanObstacleKind = "processing"     // a payment is expected by At
	EndingObstacle     PlanObstacleKind = "ending"         // the plan ends at At
	PendingObstacle    PlanObstacleKind = "pending_change" // another change can be paid until At
	OrderObstacle      PlanObstacleKind = "order"          // an order expires at At
	PausedObstacle     PlanObstacleKind = "paused"         // the charges are paused until At
	HoldObstacle       PlanObstacleKind = "hold"           // a payment was disputed at At
)

// PlanObstacle is the reason why an organisation can't subscribe to a price or change to it now.
type PlanObstacle struct {
	Kind   PlanObstacleKind
	Reason string    // for the customer
	At     time.Time // see Kind; zero when unknown
}

// PlanObstacle returns the reason why DecidePurchase or DecideChange refuse the price, or nil. It returns nil for the
// current price, for an organisation without a customer, and if only an operator can change the plan.
func (a *Account) PlanObstacle(price catalogue.PriceRef) *PlanObstacle {
	liveSub := a.LiveSubscription()
	if a.CustomerID == "" || liveSub != nil && (liveSub.Managed || liveSub.Price == price) {
		return nil
	}
	var err error
	if liveSub == nil {
		err = CheckSubscribe(a, price)
	} else {
		err = CheckChange(a, Change{To: price})
	}
	if !fault.Is(err, fault.Conflict) {
		return nil
	}
	kind, at := a.planObstacleTime()
	if errors.Is(err, ErrOnHold) {
		kind, at = HoldObstacle, a.DisputedAt
	}
	return &PlanObstacle{Kind: kind, Reason: fault.MessageOf(err), At: at}
}

// planObstacleTime returns the kind and the time of an obstacle other than a hold, in the order in which CheckSubscribe
// and CheckChange check them.
func (a *Account) planObstacleTime() (PlanObstacleKind, time.Time) {
	if liveSub := a.LiveSubscription(); liveSub != nil {
		switch {
		case len(a.SurplusSubscriptionIDs) > 0:
			return OtherObstacle, time.Time{}
		case liveSub.Pause != nil:
			return PausedObstacle, liveSub.Pause.Until
		case !liveSub.EndsAt.IsZero():
			return EndingObstacle, liveSub.EndsAt
		case liveSub.Pending != nil && !liveSub.Next.isProcessing():
			return PendingObstacle, liveSub.Pending.ExpiresAt
		}
	}
	if order := a.PendingOrder(); order != nil {
		return OrderObstacle, order.ExpiresAt
	}
	if p := a.ProcessingPayment(); p != nil {
		return ProcessingObstacle, p.ExpectedBy
	}
	return OtherObstacle, time.Time{}
}
