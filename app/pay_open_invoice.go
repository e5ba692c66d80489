package app

import (
	"context"
	"slices"
	"strconv"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
	"github.com/vc-admin/diy/ports/payment"
)

// PayOpenInvoice pays what an organisation still has to pay, or fetches what its browser needs to
// finish the authentication of a trial's card.
type PayOpenInvoice struct {
	provider payment.Provider
	ops      operations
	steps    steps
	sync     *syncBilling
}

// PayRequest names what the customer has agreed to pay.
type PayRequest struct {
	InvoiceID   string
	Amount      int64  // in minor units
	CardID      string // a saved card, or one made in the browser; "" for the default card
	MakeDefault bool   // also charge this card from now on, unless it is declined
	// Setup asks for the authentication of the trial's card instead. A card that is named becomes
	// the default one first.
	Setup bool
}

// OpenPaymentError is a Conflict: something else is open than the request names.
type OpenPaymentError struct {
	Open *billing.OpenPayment // what is open now; nil when nothing is
}

// Error is the sentence for the customer.
func (e *OpenPaymentError) Error() string { return e.Unwrap().Error() }

// Unwrap returns the Conflict.
func (e *OpenPaymentError) Unwrap() error {
	if e.Open == nil {
		return fault.New(fault.Conflict, "There is nothing to pay any more.")
	}
	return fault.New(fault.Conflict, "The amount to pay has changed, and nothing was charged. Please look at it again.")
}

// Do returns the subscription as it is after the attempt, with what the browser may have to finish.
// A declined card is not an error; a new one is not saved then. An invoice that was paid meanwhile is not charged again. Another
// open invoice or amount than named is an *OpenPaymentError; Declined when a new card can't be
// saved, and NotFound for one that is not the organisation's.
func (u *PayOpenInvoice) Do(ctx context.Context, who identity.Identity, in PayRequest) (billing.Subscription, error) {
	p := openPayment{PayOpenInvoice: u, organisationID: who.OrganisationID, in: in}
	err := u.ops.run(ctx, request{
		organisationID: who.OrganisationID, kind: billing.SubscriptionOperation,
		fingerprint: fingerprint("pay", in.InvoiceID, strconv.FormatInt(in.Amount, 10), in.CardID,
			strconv.FormatBool(in.MakeDefault), strconv.FormatBool(in.Setup)),
		plan: p.plan, do: p.do,
	})
	return p.paid, err
}

// openPayment is one request to pay what is open on its way.
type openPayment struct {
	*PayOpenInvoice
	organisationID string
	in             PayRequest
	paid           billing.Subscription
}

// plan decides by what the provider reports as open. What is paid already takes no steps.
func (p *openPayment) plan(ctx context.Context) (plan, error) {
	org, err := p.sync.do(ctx, p.organisationID)
	if err != nil {
		return plan{}, err
	}
	if settled := paidWith(&org.Billing, p.in); settled != nil {
		p.paid, err = p.provider.Subscription(ctx, settled.ID)
		return plan{}, err
	}
	open := org.Billing.OpenPayment()
	if !p.in.names(open) {
		return plan{}, &OpenPaymentError{Open: open}
	}
	steps := p.in.steps(org.Billing.CustomerID, open)
	if len(steps) == 0 {
		p.paid, err = p.provider.Subscription(ctx, open.SubscriptionID)
	}
	return plan{steps: steps, org: &org}, err
}

// steps saves the card, charges it, and makes it the default one if that was asked for. The
// authentication of a trial only takes the card, and the subscription shows what is to be done.
func (in PayRequest) steps(customerID string, open *billing.OpenPayment) []billing.Step {
	var steps []billing.Step
	card := billing.Step{
		Kind: billing.SaveCardStep, CustomerID: customerID, SubscriptionID: open.SubscriptionID, CardID: in.CardID, KeepDefault: !in.Setup,
	}
	if in.CardID != "" {
		steps = append(steps, card)
	}
	if in.Setup {
		return steps
	}
	steps = append(steps, billing.Step{
		Kind: billing.PayInvoiceStep, CustomerID: customerID, SubscriptionID: open.SubscriptionID,
		InvoiceID: open.InvoiceID, Amount: open.Amount, CardID: in.CardID,
	})
	if in.MakeDefault && in.CardID != "" {
		card.KeepDefault = false
		steps = append(steps, card)
	}
	return steps
}

// do sends the steps and records the answer. A card that was declined does not become the default one,
// and is detached when the request brought it.
func (p *openPayment) do(ctx context.Context, at attempt) (string, error) {
	isNew, err := p.bringsNewCard(ctx, at)
	if err != nil {
		return "", err
	}
	if p.paid, err = p.pay(ctx, at); err != nil {
		return "", err
	}
	if isNew && p.paid.Next.Kind == billing.NewPaymentMethod {
		p.detach(ctx, at)
	}
	return noSubscription, p.sync.keep(ctx, at.org, p.paid)
}

// pay sends the steps. The last one, which makes the card the default one, waits for the outcome of
// the payment.
func (p *openPayment) pay(ctx context.Context, at attempt) (billing.Subscription, error) {
	steps, last := at.steps, []billing.Step(nil)
	if n := len(steps) - 1; n > 0 && steps[n].Kind == billing.SaveCardStep {
		steps, last = steps[:n], steps[n:]
	}
	done, err := p.steps.send(ctx, at.org.ID, steps)
	if err == nil && (p.in.Setup || at.joined) {
		done.made, err = p.provider.Subscription(ctx, at.steps[0].SubscriptionID)
	}
	if err == nil && done.made.Next.Kind != billing.NewPaymentMethod {
		_, err = p.steps.send(ctx, at.org.ID, last)
	}
	return done.made, err
}

// bringsNewCard reports whether the request pays with a card that was not saved before it. A request
// that joined another one can't tell.
func (p *openPayment) bringsNewCard(ctx context.Context, at attempt) (bool, error) {
	if p.in.CardID == "" || p.in.Setup || at.joined {
		return false, nil
	}
	cards, err := p.provider.Cards(ctx, at.org.Billing.CustomerID)
	isSaved := slices.ContainsFunc(cards, func(m billing.PaymentMethod) bool { return m.ID == p.in.CardID })
	return err == nil && !isSaved, err
}

// detach takes the declined card off the customer. A failure is only logged: a card too many is
// harmless.
func (p *openPayment) detach(ctx context.Context, at attempt) {
	err := p.provider.DeleteCard(ctx, payment.SavedCard{
		Key: at.key + "-detach", CustomerID: at.org.Billing.CustomerID, CardID: p.in.CardID,
	})
	if err != nil {
		p.ops.log.InfoContext(ctx, "declined card not detached", "org", at.org.ID, "error", err)
	}
}

// defaultCard returns the customer's default card; Invalid when there is none.
func defaultCard(ctx context.Context, provider payment.Customers, customerID string) (billing.PaymentMethod, error) {
	customer, err := provider.Customer(ctx, customerID)
	if err == nil && customer.Default == nil {
		err = fault.New(fault.Invalid, "There is no card to charge. Please add one first.")
	}
	if err != nil {
		return billing.PaymentMethod{}, err
	}
	return *customer.Default, nil
}

// names reports whether the request is about what is open.
func (in PayRequest) names(open *billing.OpenPayment) bool {
	switch {
	case open == nil:
		return false
	case in.Setup:
		return open.Kind == billing.Authentication
	}
	return open.Kind != billing.Authentication && in.InvoiceID == open.InvoiceID && in.Amount == open.Amount.Minor()
}

// paidWith returns the subscription whose latest invoice is the one named and paid, or nil.
func paidWith(a *billing.Account, in PayRequest) *billing.Subscription {
	for i := range a.Subscriptions {
		inv := a.Subscriptions[i].LatestInvoice
		if !in.Setup && inv != nil && inv.Status == billing.InvoicePaid && inv.ID == in.InvoiceID && inv.AmountDue.Minor() == in.Amount {
			return &a.Subscriptions[i]
		}
	}
	return nil
}
