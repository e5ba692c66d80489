package app

import (
	"context"
	"strconv"

	"github.com/vc-admin/diy/app/internal/billingsync"
	"github.com/vc-admin/diy/app/internal/operation"
	"github.com/vc-admin/diy/app/internal/timeouts"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// PayOpenInvoice pays the organisation's open invoice, or starts the authentication of a trial's card.
type PayOpenInvoice struct {
	provider interface {
		customerReader
		cardReader
	}
	capabilities payment.Capabilities
	ops          *operation.Runner
	sync         *billingsync.Sync
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
// any. A declined charge is not an error, but the new card of a declined charge is not saved. It does not charge an
// invoice that is already paid or whose payment is in progress. It returns an *OpenPaymentError when another invoice or
// amount is open, Declined when a new card can't be saved, and NotFound for a card that is not the organisation's.
func (u *PayOpenInvoice) Do(ctx context.Context, caller identity.Identity, req PayRequest) (billing.Subscription, error) {
	if err := caller.Require(account.ManageBilling); err != nil {
		return billing.Subscription{}, err
	}
	ctx, cancel := operation.Detach(ctx, timeouts.Request)
	defer cancel()
	outcome, err := u.ops.Run(ctx, operation.Request{
		OrganisationID: caller.OrganisationID, Kind: billing.SubscriptionOperation,
		Parameters: []string{"pay", req.InvoiceID, strconv.FormatInt(req.Amount, 10), req.MethodID,
			strconv.FormatBool(req.MakeDefault), strconv.FormatBool(req.Setup)},
		Decide: func(ctx context.Context) (account.Organisation, []billing.Action, error) {
			return u.decide(ctx, caller.OrganisationID, req)
		},
	})
	if err != nil {
		return billing.Subscription{}, err
	}
	if len(outcome.Actions) == 0 {
		return u.ops.CurrentSubscription(ctx, req.subscriptionID(&outcome.Organisation.Billing))
	}
	return outcome.Subscription, nil
}

// decide returns the actions for the provider's current report. It returns none if the invoice is paid, if its payment is
// in progress, and if the customer authenticates the card that the subscription already has.
func (u *PayOpenInvoice) decide(
	ctx context.Context, organisationID string, req PayRequest,
) (account.Organisation, []billing.Action, error) {
	org, err := u.sync.Refresh(ctx, organisationID)
	if err != nil {
		return org, nil, err
	}
	if sub := req.findPaidSubscription(&org.Billing); sub != nil {
		actions, err := u.decidePaidInvoice(ctx, org.Billing.CustomerID, *sub, req)
		return org, actions, err
	}
	if processingPayment := org.Billing.ProcessingPayment(); processingPayment != nil {
		return org, nil, req.checkProcessing(*processingPayment)
	}
	openPayment := org.Billing.OpenPayment()
	if !req.matches(openPayment) {
		return org, nil, &OpenPaymentError{OpenPayment: openPayment}
	}
	if err := org.Billing.CheckPaymentHold(*openPayment); err != nil {
		return org, nil, err
	}
	choice := billing.PaymentChoice{
		MethodID: req.MethodID, MakeDefault: req.MakeDefault, PaymentSavesMethod: u.capabilities.ChargesNewMethods,
	}
	if req.MethodID != "" && !req.Setup {
		cards, err := u.provider.Cards(ctx, org.Billing.CustomerID)
		if err != nil {
			return org, nil, err
		}
		choice.NewMethod = !containsCard(cards, req.MethodID)
	}
	return org, billing.DecideOpenPayment(&org.Billing, *openPayment, choice), nil
}

// checkProcessing returns Conflict unless the request is for the invoice whose payment is in progress.
func (req PayRequest) checkProcessing(processingPayment billing.ProcessingPayment) error {
	if req.Setup || req.InvoiceID != processingPayment.InvoiceID {
		return billing.ErrPaymentProcessing()
	}
	return nil
}

// decidePaidInvoice returns the actions for an invoice that is paid. If an earlier execution of the request was
// interrupted after the charge, the card may still have to become the default one.
func (u *PayOpenInvoice) decidePaidInvoice(
	ctx context.Context, customerID string, sub billing.Subscription, req PayRequest,
) ([]billing.Action, error) {
	if !req.MakeDefault || req.MethodID == "" {
		return nil, nil
	}
	customer, err := u.provider.Customer(ctx, customerID)
	if err != nil {
		return nil, err
	}
	cards, err := u.provider.Cards(ctx, customer.ID)
	if err != nil || !containsCard(cards, req.MethodID) || customer.DefaultID() == req.MethodID {
		return nil, err
	}
	action := billing.SetDefaultCard(customer.ID, req.MethodID)
	action.SubscriptionID = sub.ID
	return []billing.Action{action}, nil
}

// subscriptionID returns the id of the subscription whose invoice the request pays.
func (req PayRequest) subscriptionID(a *billing.Account) string {
	if sub := req.findPaidSubscription(a); sub != nil {
		return sub.ID
	}
	if processingPayment := a.ProcessingPayment(); processingPayment != nil {
		return processingPayment.SubscriptionID
	}
	return a.OpenPayment().SubscriptionID
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
