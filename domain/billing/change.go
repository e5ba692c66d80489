package billing

import (
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// CheckChange returns an error when the plan may not be changed to the price: Forbidden for a
// developer license; Conflict without a subscription, with more than one, for another currency, for
// the current price, for a price other than that of a pending change, and while another invoice is
// being collected. With a pending change to the same price it returns nil: its invoice is paid instead
// of beginning another change.
//
// A change credits the unused part of the current period. It waits for an invoice that is being
// collected, because otherwise an unpaid period would become a credit for the new plan.
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

// ErrBillCollected returns the error for a plan change while an invoice of the subscription is a draft
// or open.
func ErrBillCollected() error {
	return fault.New(fault.Conflict, "Your current bill is being collected. Please try again in about an hour.")
}

// PlanChange returns the steps that change the plan, or the error of CheckChange. Choosing the price
// of a pending change again pays its invoice.
func PlanChange(a *Account, to catalogue.PriceRef) ([]Step, error) {
	if err := CheckChange(a, to); err != nil {
		return nil, err
	}
	live := a.Live()
	if live.Pending != nil {
		return []Step{{
			Kind: PayInvoiceStep, CustomerID: a.CustomerID, SubscriptionID: live.ID,
			InvoiceID: live.Pending.InvoiceID, Amount: live.Pending.Amount,
		}}, nil
	}
	return []Step{{
		Kind: ChangePlanStep, CustomerID: a.CustomerID, SubscriptionID: live.ID,
		From: live.Price, Price: to, EndTrial: live.Status == Trialing,
	}}, nil
}
