package billing

import (
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// CheckChange refuses a change of plan: Forbidden for a developer license; Conflict without a
// subscription, for another currency, for the price the organisation has already, while a payment
// is overdue, and while there is more than one subscription.
//
// The overdue one is about money. A change credits the rest of the period that has begun, and an
// overdue period was never paid for: going from a yearly plan to a monthly one would turn an
// unpaid bill into a credit that pays for months of the new plan. The bill is settled first.
func CheckChange(a *Account, ref catalogue.PriceRef) error {
	if a.DevLicense != nil {
		return errDeveloper()
	}
	if len(a.Surplus) > 0 {
		return fault.New(fault.Conflict, "Your organisation has more than one subscription. "+
			"Please contact us, so that you pay for one only; the plan can be changed then.")
	}
	live := a.Live()
	if live == nil {
		return fault.New(fault.Conflict, "Your organisation has no subscription to change. Choose a plan to start one.")
	}
	if err := checkCurrency(a, ref); err != nil {
		return err
	}
	switch {
	case live.Price == ref:
		return fault.New(fault.Conflict, "This is your current plan already.")
	case live.Status == PastDue:
		return fault.New(fault.Conflict, "Your last payment did not go through. "+
			"Update your card; the plan can be changed once the payment is made.")
	}
	return nil
}
