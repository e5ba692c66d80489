package billing

import (
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// When selects when a plan change takes effect.
type When string

// The times of a plan change.
const (
	ChangeNow       When = ""
	ChangeAtRenewal When = "renewal" // when the current period or the trial ends
)

// Change is a request to change the plan.
type Change struct {
	To   catalogue.PriceRef
	When When
	At   time.Time // the proration date of a quoted change now; zero for the provider's current time
}

// CheckChange returns an error when the plan may not be changed. Developer licenses are Forbidden;
// everything else is Conflict: no subscription or more than one, another currency, the current price, a
// hold, an overdue payment, and an invoice that is being collected. The plans of the catalogue name the
// current plan in messages.
//
// One change is made at a time. A subscription that is ending must be resumed first. A scheduled change
// can be replaced by another scheduled one, and must be dropped before a change now. A pending change
// refuses every other change; for a change now to the same price CheckChange returns nil, because its
// invoice is paid instead.
//
// A change credits the unused part of the current period. It waits for an invoice that is being
// collected, because otherwise an unpaid period would become a credit for the new plan.
func CheckChange(a *Account, plans *catalogue.Catalogue, c Change) error {
	if a.DevLicense != nil {
		return errDeveloper()
	}
	live, err := a.changeable()
	if err != nil {
		return err
	}
	if err := checkCurrency(a, c.To); err != nil {
		return err
	}
	if err := live.checkOneChange(plans, c); err != nil || live.Pending != nil {
		return err
	}
	return live.checkPaid(c.To)
}

// changeable returns the live subscription if it is the only one and not on hold.
func (a *Account) changeable() (*Subscription, error) {
	if len(a.Surplus) > 0 {
		return nil, errSurplus()
	}
	live := a.Live()
	if live == nil {
		return nil, fault.New(fault.Conflict, "Your organisation has no subscription to change. Choose a plan to start one.")
	}
	if live.Hold != NoHold {
		return nil, ErrHold()
	}
	return live, nil
}

// checkOneChange refuses a change beside an end or another change.
func (s *Subscription) checkOneChange(plans *catalogue.Catalogue, c Change) error {
	switch {
	case !s.EndsAt.IsZero():
		return fault.New(fault.Conflict, "Resume first: your subscription is ending.")
	case s.Scheduled != nil && c.When == ChangeNow:
		return fault.Newf(fault.Conflict, "Keep %s first: a change of your plan is scheduled.", plans.PlanName(s.Price.Product))
	case s.Pending != nil && (c.When != ChangeNow || s.Pending.To != c.To):
		return fault.New(fault.Conflict, "Another plan change is waiting for its payment. "+
			"Pay for it or drop it; then you can choose another plan.")
	case s.Pending != nil && s.Next.isOutsideBrowser():
		return fault.New(fault.Conflict, "This change is made when its invoice is paid. You find the invoice on the billing page.")
	}
	return nil
}

func (s *Subscription) checkPaid(to catalogue.PriceRef) error {
	switch {
	case s.Price == to:
		return fault.New(fault.Conflict, "This is your current plan already.")
	case s.Next.isOutsideBrowser():
		return fault.New(fault.Conflict, "Please pay your open invoice first. Your plan can be changed when it is paid.")
	case s.Status == PastDue:
		return fault.New(fault.Conflict, "Your last payment did not go through. "+
			"Update your card; the plan can be changed once the payment is made.")
	case s.LatestInvoice != nil && s.LatestInvoice.Status.Collecting():
		return ErrInvoiceOpen()
	}
	return nil
}

// ErrInvoiceOpen returns the error for a plan change while an invoice of the subscription is a draft
// or open.
func ErrInvoiceOpen() error {
	return fault.New(fault.Conflict, "Your current bill is being collected. Please try again in about an hour.")
}

// ErrHold returns the error for a change of a subscription on hold.
func ErrHold() error {
	return fault.New(fault.Conflict, "A payment of your subscription was refunded or disputed. Please contact us.")
}

func errSurplus() error {
	return fault.New(fault.Conflict, "Your organisation has more than one subscription. "+
		"Please contact us, so that you pay for one only; the plan can be changed then.")
}

// PlanChange returns the steps that change the plan, or the error of CheckChange. Choosing the price
// of a pending change again pays its invoice. A change that is scheduled already has no steps.
func PlanChange(a *Account, plans *catalogue.Catalogue, c Change) ([]Step, error) {
	if err := CheckChange(a, plans, c); err != nil {
		return nil, err
	}
	live := a.Live()
	step := Step{Kind: ChangePlanStep, CustomerID: a.CustomerID, SubscriptionID: live.ID}
	switch {
	case live.Pending != nil:
		step.Kind, step.InvoiceID, step.Amount = PayInvoiceStep, live.Pending.InvoiceID, live.Pending.Amount
		return []Step{step}, nil
	case live.Scheduled != nil && live.Scheduled.To == c.To:
		return nil, nil
	}
	step.From, step.Price = live.Price, c.To
	if c.When == ChangeAtRenewal {
		step.Kind = ScheduleChangeStep
		return []Step{step}, nil
	}
	step.EndTrial, step.At = live.Status == Trialing, c.At
	return []Step{step}, nil
}

// PlanDrop returns the step that drops a pending change, or none without one. Conflict without a
// subscription.
func PlanDrop(a *Account) ([]Step, error) {
	live := a.Live()
	switch {
	case live == nil:
		return nil, errNoSubscription()
	case live.Pending == nil:
		return nil, nil
	}
	return []Step{{
		Kind: DropChangeStep, CustomerID: a.CustomerID, SubscriptionID: live.ID, InvoiceID: live.Pending.InvoiceID,
	}}, nil
}

// PlanKeep returns the step that drops a scheduled change, or none without one. Conflict without a
// subscription.
func PlanKeep(a *Account) ([]Step, error) {
	live := a.Live()
	switch {
	case live == nil:
		return nil, errNoSubscription()
	case live.Scheduled == nil:
		return nil, nil
	}
	return []Step{{Kind: CancelScheduleStep, CustomerID: a.CustomerID, SubscriptionID: live.ID}}, nil
}

func errNoSubscription() error {
	return fault.New(fault.Conflict, "Your organisation has no subscription.")
}
