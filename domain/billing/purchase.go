package billing

import (
	"cmp"
	"time"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// Purchase is a request to subscribe to a plan.
type Purchase struct {
	Plan     catalogue.Plan
	Price    catalogue.PriceRef // of the plan
	MethodID string             // the card to save and charge from now on; "" for the default card
	NoTrial  bool               // skips the trial, if there is one
	// PaymentSavesMethod is true if the first payment itself saves the card of MethodID, which is new.
	PaymentSavesMethod bool
}

// CheckSubscribe returns an error when the account may not start a subscription. It returns Forbidden for a developer
// license, and Conflict
//   - for a second live subscription;
//   - for a currency other than that of the first subscription;
//   - for an organisation without a customer;
//   - while an order is pending or a payment is processing;
//   - while an invoice is owed or the account is on hold.
//
// It allows a purchase while another first payment is open; see DecidePurchase.
func CheckSubscribe(a *Account, ref catalogue.PriceRef) error {
	if a.DevLicense != nil {
		return errDeveloperLicense()
	}
	if liveSub := a.LiveSubscription(); liveSub != nil {
		return liveSub.errAlreadySubscribed()
	}
	if a.CustomerID == "" {
		return fault.New(fault.Conflict, "Your organisation is not set up for payments yet. Choose a plan to begin.")
	}
	if err := cmp.Or(checkNoOrder(a), a.checkNotProcessing()); err != nil {
		return err
	}
	if owedInvoice := a.OwedInvoice(); owedInvoice != nil {
		return fault.Newf(fault.Conflict, "The last invoice of your former subscription, %s, is not paid. "+
			"You can pay it on the payment page; then you can subscribe again.", owedInvoice.AmountRemaining().FormatWithSymbolAndCode())
	}
	if err := a.checkHold(); err != nil {
		return err
	}
	return checkCurrency(a, ref)
}

// errAlreadySubscribed returns the error for a purchase while the subscription is live.
func (s *Subscription) errAlreadySubscribed() error {
	switch {
	case s.Status == PastDue && s.NeedsBankApproval():
		return fault.New(fault.Conflict,
			"Your organisation has a subscription whose last payment your bank wants you to approve. "+
				"Approve it instead of subscribing again.")
	case s.Status == PastDue && s.Next.isProcessing():
		return fault.New(fault.Conflict,
			"Your organisation has a subscription whose payment is on its way. Please don't pay a second time.")
	case s.Status == PastDue && s.LatestInvoice != nil && !s.LatestInvoice.Status.IsPayable():
		return fault.New(fault.Conflict, "Your organisation has a subscription whose last payment did not go through, "+
			"and its invoice can't be paid here at the moment. Please contact us.")
	case s.Managed && s.Status != PastDue:
		return ErrManaged()
	}
	return ErrAlreadySubscribed(s.Status)
}

// TrialDays returns the length of the trial of a new subscription to the plan. An organisation has one trial for all
// plans together. With noTrial, TrialDays returns 0.
func TrialDays(a *Account, plan catalogue.Plan, noTrial bool) int {
	if noTrial || !a.TrialUsedAt.IsZero() {
		return 0
	}
	return max(plan.TrialPeriodDays, 0)
}

// TrialUsed reports whether the organisation is offered no further trial, because it has had its trial, or has or had a
// subscription. DecidePurchase refuses a trial only after TrialUsedAt. An order that was withdrawn, or a first payment that was not made, does not use the trial.
func (a *Account) TrialUsed() bool {
	hadSubscription := a.firstWithStatus(func(s Status) bool { return s.Ended() && s != IncompleteExpired }) != nil
	return !a.TrialUsedAt.IsZero() || a.LiveSubscription() != nil || hadSubscription
}

// Trial describes the trial that an organisation is offered with a plan; it is zero without a trial.
type Trial struct {
	Days   int
	EndsAt time.Time // also the time of the first charge if the subscription starts now; a day has 24 hours
}

// OfferTrial returns the trial with which a subscription to the plan would begin now.
func OfferTrial(a *Account, plan catalogue.Plan, now time.Time) Trial {
	days := TrialDays(a, plan, a.TrialUsed())
	if days == 0 {
		return Trial{}
	}
	return Trial{Days: days, EndsAt: now.UTC().Add(time.Duration(days) * 24 * time.Hour)}
}

// DecidePurchase returns the actions of the purchase, or the error of CheckSubscribe.
//
// If there is an open subscription for the same price, the actions pay its invoice and start no other subscription, so
// that a double click creates only one. The actions end an open subscription whose invoice can't be paid any more, and
// one for another price, because the customer must pay the displayed price. They also end an unpaid subscription, because
// a late payment would create a second live subscription. They save the card before they end a subscription, unless the
// payment saves it.
func DecidePurchase(a *Account, p Purchase) ([]Action, error) {
	if err := CheckSubscribe(a, p.Price); err != nil {
		return nil, err
	}
	openSub := a.OpenSubscription()
	continuesOpen := openSub != nil && openSub.canContinue(p.Price)
	endActions := endUnpaidActions(a, p.Price)
	var actions []Action
	if p.MethodID != "" && !p.PaymentSavesMethod && (continuesOpen || len(endActions) > 0) {
		actions = append(actions, SaveCard(a.CustomerID, p.MethodID))
	}
	actions = append(actions, endActions...)
	if continuesOpen {
		pay := payLatestInvoiceAction(a, *openSub)
		if p.PaymentSavesMethod {
			pay.MethodID, pay.NewMethod = p.MethodID, true
		}
		return append(actions, pay), nil
	}
	return append(actions, Action{
		Kind: StartSubscriptionAction, CustomerID: a.CustomerID, MethodID: p.MethodID, Price: p.Price,
		TrialDays: TrialDays(a, p.Plan, p.NoTrial), FirstSubscription: len(a.Subscriptions) == 0,
	}), nil
}

// canContinue reports whether a purchase at the price pays the invoice of the open subscription.
func (s *Subscription) canContinue(price catalogue.PriceRef) bool {
	return s.Price == price && (s.LatestInvoice == nil || s.LatestInvoice.Status != InvoiceVoid)
}

// endUnpaidActions returns the actions that end unpaid subscriptions, and open subscriptions that can't be continued.
func endUnpaidActions(a *Account, price catalogue.PriceRef) []Action {
	var actions []Action
	for _, s := range a.Subscriptions {
		if s.Status == Unpaid || s.Status == Incomplete && !s.canContinue(price) {
			actions = append(actions, a.subscriptionAction(EndUnpaidAction, s.ID))
		}
	}
	return actions
}

// payLatestInvoiceAction returns the action that pays the subscription's latest invoice with the default card.
func payLatestInvoiceAction(a *Account, s Subscription) Action {
	if s.LatestInvoice == nil {
		return a.subscriptionAction(PayInvoiceAction, s.ID)
	}
	return a.payInvoiceAction(s.ID, s.LatestInvoice.ID, s.LatestInvoice.AmountRemaining())
}

// DecideOverduePayment returns the action that pays an overdue invoice, or no action if there is none, its payment is
// processing, or an operator has written it off.
func DecideOverduePayment(a *Account) []Action {
	liveSub := a.LiveSubscription()
	if liveSub == nil || liveSub.Status != PastDue || liveSub.LatestInvoice == nil || liveSub.Next.isProcessing() ||
		liveSub.LatestInvoice.Status != InvoiceOpen {
		return nil
	}
	return []Action{payLatestInvoiceAction(a, *liveSub)}
}

// ErrAlreadySubscribed returns the error for a purchase while a live subscription in the status exists.
func ErrAlreadySubscribed(status Status) error {
	if status == PastDue {
		return fault.New(fault.Conflict, "Your organisation has a subscription whose last payment did not go through. "+
			"Pay the invoice instead of subscribing again.")
	}
	return fault.New(fault.Conflict, "Your organisation already has a subscription. Change its plan instead.")
}

func errDeveloperLicense() error {
	return fault.New(fault.Forbidden, "Your organisation has a developer licence, which can't be bought or changed here.")
}

// checkCurrency returns Conflict if the organisation pays in another currency.
func checkCurrency(a *Account, ref catalogue.PriceRef) error {
	if a.Currency == "" || a.Currency == ref.Currency {
		return nil
	}
	return fault.Newf(fault.Conflict, "Your organisation pays in %s, and the currency can't be changed.", a.Currency)
}
