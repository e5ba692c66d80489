package engine

import "github.com/vc-admin/diy/domain/billing"

// collection is what depends on how the invoices of an account are collected.
type collection interface {
	subscribe(a *Account, o Order) error
	quoteSubscribe(a *Account, o Order) (Quote, error)
	// checkChange returns why a change now is refused that Subscription.CheckChange allows, or nil.
	checkChange(a *Account, s AccountSubscription, to PriceChange) error
	// collect begins to collect a new invoice of a subscription, unless it is paid, while the customer is present.
	collect(a *Account, inv Invoice, src Source)
	// collectRenewal begins to collect the invoice of a renewal.
	collectRenewal(a *Account, inv Invoice)
	// settle changes the subscription after its invoice was paid.
	settle(a *Account, s AccountSubscription, inv Invoice)
	// nextStep returns what happens to the subscription next if nothing else does.
	nextStep(a *Account, s AccountSubscription) accountStep
}

func (a *Account) collection() collection {
	if a.Terms.Charging != nil {
		return charges{a.Terms.Charging}
	}
	return transfers{}
}

// stop carries out a request to end the subscription or to drop its pending change, when the open payment of its latest
// invoice is canceled. Conflict if that payment can't be canceled.
func (a *Account) stop(s AccountSubscription, request Stop) error {
	mayMove := s.Status.Live() && s.Pending.Invoice == "" && request == StopPlan
	canceled, err := a.cancelPayments(s.Invoice, mayMove)
	if err != nil {
		return err
	}
	s, err = a.Subscription(s.ID)
	if err != nil {
		return err
	}
	if !canceled {
		s.Stopping = request
		a.put(s)
		return nil
	}
	a.carryOut(s, request)
	return nil
}

// carryOut ends the subscription now, or drops its pending change.
func (a *Account) carryOut(s AccountSubscription, request Stop) {
	s.Stopping = StopNothing
	switch {
	case request == StopChange:
		a.dropChange(s)
	case s.Status == billing.Incomplete:
		a.expire(s, a.Now)
	default:
		a.end(s, request == StopPlanUnpaid)
	}
}
