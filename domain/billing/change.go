package billing

import (
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// CheckChange refuses a change of plan: Forbidden for a developer license; Conflict without a
// subscription, for another currency, for the current price, for another price than that of a
// pending change, while another invoice is being collected, and while there is more than one
// subscription. With a pending change to the same price it returns nil: its invoice is to be paid
// instead of beginning another change.
//
// The rule about invoices is about money. A change credits the rest of the current period. If that
// period has not been paid for, an unpaid bill would become a credit that pays for the new plan.
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
	if live.Pending != nil {
		return live.checkPending(ref)
	}
	switch {
	case live.Price == ref:
		return fault.New(fault.Conflict, "This is your current plan already.")
	case live.Status == PastDue:
		return fault.New(fault.Conflict, "Your last payment did not go through. "+
			"Update your card; the plan can be changed once the payment is made.")
	case live.LatestInvoice != nil && live.LatestInvoice.Status.Collecting():
		return ErrBillCollected()
	}
	return nil
}

func (s *Subscription) checkPending(ref catalogue.PriceRef) error {
	if s.Pending.To != ref {
		return fault.New(fault.Conflict, "Another plan change is waiting for its payment. "+
			"Pay for it or drop it; then you can choose another plan.")
	}
	return nil
}

// ErrBillCollected is the refusal of a plan change while an invoice of the subscription is a draft
// or open.
func ErrBillCollected() error {
	return fault.New(fault.Conflict, "Your current bill is being collected. Please try again in about an hour.")
}
