package app

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// PayOpenInvoice pays the organisation's open invoice, or starts the authentication of a trial's card.
type PayOpenInvoice struct {
	provider interface {
		subscriptionReader
		customerReader
		cardReader
	}
	ops  operations
	sync *billingSync
}

// PayRequest contains the parameters of PayOpenInvoice.
type PayRequest struct {
	InvoiceID   string
	Amount      int64  // the amount displayed, in minor units
	MethodID    string // a saved card, or one that the browser has entered at the provider; "" for the default one
	MakeDefault bool   // makes the card the default one unless it is declined
	// Setup requests the authentication of the trial's card instead of a payment. If MethodID is set, that card
	// becomes the default one first.
	Setup bool
}

// OpenPaymentError is the Conflict for a request that names another invoice or amount than the open one.
type OpenPaymentError struct {
	OpenPayment *billing.OpenPayment // nil when nothing is open
}

// Error returns the message for the customer.
func (e *OpenPaymentError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the Conflict.
func (e *OpenPaymentError) Unwrap() error {
	if e.OpenPayment == nil {
		return fault.New(fault.Conflict, "There is nothing to pay any more.")
	}
	return fault.New(fault.Conflict, "The amount to pay has changed, and nothing was charged. Please look at it again.")
}

// Do returns the subscription after the attempt, with the payment or authentication that the browser has to complete, if
// any. A declined charge is not an error, but Do detaches a new card whose charge was declined. It does not charge an
// invoice that is already paid or whose payment is in progress. It returns an *OpenPaymentError when another invoice or
// amount is open, Declined when a new card can't be saved, and NotFound for a card that is not the organisation's.
func (u *PayOpenInvoice) Do(ctx context.Context, caller identity.Identity, req PayRequest) (billing.Subscription, error) {
	p := payOpenInvoiceCall{PayOpenInvoice: u, organisationID: caller.OrganisationID, req: req}
	return run(ctx, u.ops, request[billing.Subscription]{
		organisationID: caller.OrganisationID, kind: billing.SubscriptionOperation,
		fingerprint: newFingerprint("pay", req.InvoiceID, strconv.FormatInt(req.Amount, 10), req.MethodID,
			strconv.FormatBool(req.MakeDefault), strconv.FormatBool(req.Setup)),
		decide: p.decide, result: subscriptionResult,
	})
}

// payOpenInvoiceCall executes one call of PayOpenInvoice.Do.
type payOpenInvoiceCall struct {
	*PayOpenInvoice
	organisationID string
	req            PayRequest
}

// decide returns the actions for the provider's current report, or none if the invoice is paid.
func (p payOpenInvoiceCall) decide(ctx context.Context, _ bool) (subscriptionDecision, error) {
	org, err := p.sync.refresh(ctx, p.organisationID)
	if err != nil {
		return subscriptionDecision{}, err
	}
	if sub := p.req.findPaidSubscription(&org.Billing); sub != nil {
		return p.decidePaidInvoice(ctx, org, *sub)
	}
	if processingPayment := org.Billing.ProcessingPayment(); processingPayment != nil {
		return p.decideProcessingPayment(ctx, *processingPayment)
	}
	openPayment := org.Billing.OpenPayment()
	if !p.req.matches(openPayment) {
		return subscriptionDecision{}, &OpenPaymentError{OpenPayment: openPayment}
	}
	if err := org.Billing.CheckPaymentHold(*openPayment); err != nil {
		return subscriptionDecision{}, err
	}
	choice := billing.PaymentChoice{MethodID: p.req.MethodID, MakeDefault: p.req.MakeDefault}
	if p.req.MethodID != "" && !p.req.Setup {
		cards, err := p.provider.Cards(ctx, org.Billing.CustomerID)
		if err != nil {
			return subscriptionDecision{}, err
		}
		choice.NewMethod = !containsCard(cards, p.req.MethodID)
	}
	actions := billing.DecideOpenPayment(&org.Billing, *openPayment, choice)
	if len(actions) == 0 {
		return decideNoActions(ctx, p.provider, openPayment.SubscriptionID)
	}
	return subscriptionDecision{actions: actions, org: &org}, nil
}

// decideProcessingPayment returns the decision while a payment is in progress. A request for the invoice of this payment
// has no actions and returns the subscription. Any other request is refused.
func (p payOpenInvoiceCall) decideProcessingPayment(
	ctx context.Context, processingPayment billing.ProcessingPayment,
) (subscriptionDecision, error) {
	if p.req.Setup || p.req.InvoiceID != processingPayment.InvoiceID {
		return subscriptionDecision{}, billing.ErrPaymentProcessing()
	}
	return decideNoActions(ctx, p.provider, processingPayment.SubscriptionID)
}

// decidePaidInvoice returns the decision for an invoice that is paid. If an earlier execution of the request was
// interrupted after the charge, the card may still have to become the default one.
func (p payOpenInvoiceCall) decidePaidInvoice(
	ctx context.Context, org account.Organisation, sub billing.Subscription,
) (subscriptionDecision, error) {
	if p.req.MakeDefault && p.req.MethodID != "" {
		customer, err := p.provider.Customer(ctx, org.Billing.CustomerID)
		if err != nil {
			return subscriptionDecision{}, err
		}
		cards, err := p.provider.Cards(ctx, customer.ID)
		if err != nil {
			return subscriptionDecision{}, err
		}
		if containsCard(cards, p.req.MethodID) && (customer.Default == nil || customer.Default.ID != p.req.MethodID) {
			action := billing.SetDefaultCard(customer.ID, p.req.MethodID)
			action.SubscriptionID = sub.ID
			return subscriptionDecision{org: &org, actions: []billing.Action{action}}, nil
		}
	}
	return decideNoActions(ctx, p.provider, sub.ID)
}

// matches reports whether the request is for the open payment.
func (req PayRequest) matches(openPayment *billing.OpenPayment) bool {
	switch {
	case openPayment == nil:
		return false
	case req.Setup:
		return openPayment.Kind == billing.Authentication
	}
	return openPayment.Kind != billing.Authentication && req.InvoiceID == openPayment.InvoiceID &&
		req.Amount == openPayment.Amount.Minor()
}

// findPaidSubscription returns the subscription whose latest invoice is the requested one and is paid, or nil.
func (req PayRequest) findPaidSubscription(a *billing.Account) *billing.Subscription {
	for i := range a.Subscriptions {
		inv := a.Subscriptions[i].LatestInvoice
		if !req.Setup && inv != nil && inv.Status == billing.InvoicePaid && inv.ID == req.InvoiceID {
			return &a.Subscriptions[i]
		}
	}
	return nil
}
