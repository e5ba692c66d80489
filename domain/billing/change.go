package billing

import (
	"cmp"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// ChangeTiming selects when a plan change takes effect.
type ChangeTiming string

// The timings of plan changes.
const (
	ChangeNow       ChangeTiming = ""
	ChangeAtRenewal ChangeTiming = "renewal" // when the current period or the trial ends
)

// Change is a customer's request to change the plan.
type Change struct {
	To     catalogue.PriceRef
	Timing ChangeTiming
}

// IsMadeOrScheduled reports whether the requested change was made or is scheduled. For a change now it also returns true if
// a change to any price is pending.
func (c Change) IsMadeOrScheduled(s *Subscription) bool {
	if c.Timing == ChangeAtRenewal {
		return s.Scheduled != nil && s.Scheduled.To == c.To || s.Price == c.To
	}
	return s.Pending != nil || s.Price == c.To
}

// CheckChange returns an error when the plan may not be changed. It returns Forbidden for a developer license, and Conflict
//   - without a subscription, or with more than one;
//   - for the current price, or a price in another currency;
//   - if the plan is managed, on hold, or its charges are paused;
//   - while a payment is overdue or an invoice is being collected.
//
// One change is made at a time. A subscription that is ending must be resumed first. Any change replaces a scheduled
// one. While a change is pending, every other change is refused. A repeat of the pending change is allowed, and
// DecideChange then pays the invoice of the pending change. A repeat is refused if the payment is processing or is made
// outside of the browser.
//
// A change credits the unused part of the current period. A change is refused while an invoice is being collected,
// because the unused part of an unpaid period would otherwise become credit.
func CheckChange(a *Account, c Change) error {
	if a.DevLicense != nil {
		return errDeveloperLicense()
	}
	liveSub, err := a.changeableSubscription()
	if err != nil {
		return err
	}
	if err := checkCurrency(a, c.To); err != nil {
		return err
	}
	if err := liveSub.checkNoOtherChange(c); err != nil || liveSub.Pending != nil {
		return err
	}
	return liveSub.checkPriceAndInvoice(c.To)
}

// changeableSubscription returns the live subscription. It returns an error if there is none or more than one, if the
// subscription is managed or paused, or if the account is on hold.
func (a *Account) changeableSubscription() (*Subscription, error) {
	if len(a.SurplusSubscriptionIDs) > 0 {
		return nil, errSeveralSubscriptions()
	}
	liveSub := a.LiveSubscription()
	if liveSub == nil {
		return nil, fault.New(fault.Conflict, "Your organisation has no subscription to change. Choose a plan to start one.")
	}
	if liveSub.Managed {
		return nil, cmp.Or(a.checkHold(), ErrManaged())
	}
	if liveSub.Pause != nil {
		return nil, cmp.Or[error](a.checkHold(), obstacleError{ErrPaused(), PausedObstacle, liveSub.Pause.Until})
	}
	return liveSub, a.checkHold()
}

// checkNoOtherChange returns Conflict while the subscription is ending or has another pending change, and if the invoice
// of the pending change can't be paid in the browser now.
func (s *Subscription) checkNoOtherChange(c Change) error {
	switch {
	case !s.EndsAt.IsZero():
		err := fault.New(fault.Conflict, "Resume first: your subscription is ending.")
		return obstacleError{err, EndingObstacle, s.EndsAt}
	case s.Pending != nil && s.Next.isProcessing():
		return s.checkChangeNotProcessing()
	case s.Pending != nil && (c.Timing != ChangeNow || s.Pending.To != c.To):
		err := fault.New(fault.Conflict, "Another plan change is waiting for its payment. "+
			"Pay for it or drop it; then you can choose another plan.")
		return obstacleError{err, PendingObstacle, s.Pending.ExpiresAt}
	case s.Pending != nil && s.Next.isOutsideBrowser():
		err := fault.New(fault.Conflict,
			"This change is made when its invoice is paid. You find the invoice on your dashboard.")
		return obstacleError{err, PendingObstacle, s.Pending.ExpiresAt}
	}
	return nil
}

// checkPriceAndInvoice returns Conflict for the current price, and while an invoice is not paid.
func (s *Subscription) checkPriceAndInvoice(price catalogue.PriceRef) error {
	switch {
	case s.Price == price:
		return fault.New(fault.Conflict, "This is your current plan already.")
	case s.Next.isProcessing():
		err := fault.New(fault.Conflict, "Your last payment is on its way. Your plan can be changed when it has arrived.")
		return obstacleError{err, ProcessingObstacle, s.Next.Until}
	case s.Next.isOutsideBrowser():
		return fault.New(fault.Conflict, "Please pay your open invoice first. Your plan can be changed when it is paid.")
	case s.Status == PastDue && s.NeedsBankApproval():
		return fault.New(fault.Conflict, "Your bank wants you to approve your last payment. "+
			"Approve it on the payment page; then the plan can be changed.")
	case s.Status == PastDue:
		return fault.New(fault.Conflict, "Your last payment did not go through. "+
			"Pay the invoice; then the plan can be changed.")
	case s.LatestInvoice != nil && s.LatestInvoice.Status.IsCollectible():
		return ErrInvoiceOpen()
	}
	return nil
}

// ErrInvoiceOpen returns the error for a plan change while an invoice of the subscription is a draft
// or open.
func ErrInvoiceOpen() error {
	return fault.New(fault.Conflict, "Your current invoice is being collected. Please try again in about an hour.")
}

// ErrPaused returns the error for a change of a subscription whose charges are paused. Such changes are refused because
// the provider would make them without a charge.
func ErrPaused() error {
	return fault.New(fault.Conflict, "Your payments are paused. Please contact us to change your plan.")
}

// ErrManaged returns the error for a change of a plan that an operator has agreed with the customer at the provider.
func ErrManaged() error {
	return fault.New(fault.Conflict, "Your plan was agreed with our sales team. Please contact us to change it.")
}

func errSeveralSubscriptions() error {
	return fault.New(fault.Conflict, "Your organisation has more than one subscription. "+
		"Please contact us, so that you pay for one only; the plan can be changed then.")
}

// DecideChange returns the actions that change the plan, or the error of CheckChange. A repeat of the pending change
// pays its invoice. DecideChange returns no actions if the change is scheduled already.
func DecideChange(a *Account, c Change) ([]Action, error) {
	if err := CheckChange(a, c); err != nil {
		return nil, err
	}
	liveSub := a.LiveSubscription()
	switch {
	case liveSub.Pending != nil:
		return []Action{a.payInvoiceAction(liveSub.ID, liveSub.Pending.InvoiceID, liveSub.Pending.Amount)}, nil
	case c.Timing != ChangeAtRenewal:
		return []Action{a.changePriceAction(ChangePlanAction, c.To)}, nil
	case liveSub.Scheduled != nil && liveSub.Scheduled.To == c.To:
		return nil, nil
	}
	return []Action{a.changePriceAction(ScheduleChangeAction, c.To)}, nil
}

// DecideCancelPendingChange returns the action that cancels a pending change, or no action if there is none. It returns
// Conflict without a subscription, and while the payment of the change is processing.
func DecideCancelPendingChange(a *Account) ([]Action, error) {
	liveSub := a.LiveSubscription()
	switch {
	case liveSub == nil:
		return nil, errNoSubscription()
	case liveSub.Pending == nil:
		return nil, nil
	}
	if err := liveSub.checkChangeNotProcessing(); err != nil {
		return nil, err
	}
	action := a.subscriptionAction(CancelPendingChangeAction, liveSub.ID)
	action.InvoiceID = liveSub.Pending.InvoiceID
	return []Action{action}, nil
}

// DecideRestoreScheduledChange returns the action that schedules a lapsed change again. It returns no action if no change
// has lapsed or the subscription is on hold or paused, and Conflict without a subscription.
func DecideRestoreScheduledChange(a *Account) ([]Action, error) {
	liveSub := a.LiveSubscription()
	switch {
	case liveSub == nil:
		return nil, errNoSubscription()
	case !a.ScheduleLapsed || liveSub.Scheduled == nil || liveSub.Hold != NoHold || liveSub.Pause != nil:
		return nil, nil
	}
	return []Action{a.changePriceAction(ScheduleChangeAction, liveSub.Scheduled.To)}, nil
}

// DecideCancelScheduledChange returns the action that cancels a scheduled change, or no action if there is none.
// It returns Conflict without a subscription.
func DecideCancelScheduledChange(a *Account) ([]Action, error) {
	liveSub := a.LiveSubscription()
	switch {
	case liveSub == nil:
		return nil, errNoSubscription()
	case liveSub.Scheduled == nil:
		return nil, nil
	}
	return []Action{a.subscriptionAction(CancelScheduledChangeAction, liveSub.ID)}, nil
}

func errNoSubscription() error {
	return fault.New(fault.Conflict, "Your organisation has no subscription.")
}
