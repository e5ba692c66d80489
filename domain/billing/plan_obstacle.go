package billing

import (
	"errors"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/timezone"
)

// PlanObstacleKind is the kind of a PlanObstacle. It determines the meaning of PlanObstacle.At.
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
	// TimeZone is the zone of the invoice to which At belongs; "" for the zone of the organisation.
	TimeZone timezone.Zone
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
	obstacle := PlanObstacle{Kind: OtherObstacle, Reason: fault.MessageOf(err)}
	if e, ok := errors.AsType[obstacleError](err); ok {
		obstacle.Kind, obstacle.At = e.kind, e.at
	}
	if obstacle.Kind == HoldObstacle {
		obstacle.TimeZone = a.DisputeTimeZone
	}
	return &obstacle
}

// obstacleError is an error of CheckSubscribe or CheckChange with the kind and the time of its PlanObstacle.
type obstacleError struct {
	error
	kind PlanObstacleKind
	at   time.Time
}

// Unwrap returns the error for the customer.
func (e obstacleError) Unwrap() error { return e.error }
