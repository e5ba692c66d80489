package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// PayInvoice charges an open invoice to the named card, or to the customer's default one. How that
// went is told by the subscription as it then is, not by the response to the payment.
func (p *Provider) PayInvoice(ctx context.Context, in payment.InvoicePayment) (billing.Subscription, error) {
	if err := checkKey(in.Key); err != nil {
		return billing.Subscription{}, err
	}
	inv, err := p.invoice(ctx, in.InvoiceID)
	if err != nil {
		return billing.Subscription{}, err
	}
	of := subscriptionOfInvoice(inv)
	if of == nil {
		return billing.Subscription{}, noSuch("invoice") // not one of a subscription
	}
	if inv.Status != stripe.InvoiceStatusPaid {
		if err := p.charge(ctx, in, inv, of); err != nil {
			return billing.Subscription{}, err
		}
	}
	return p.Subscription(ctx, of.ID)
}

// invoice reads an invoice with its customer, whose default card it shows, and its subscription.
func (p *Provider) invoice(ctx context.Context, id string) (*stripe.Invoice, error) {
	if err := known(id, "invoice"); err != nil {
		return nil, err
	}
	params := &stripe.InvoiceRetrieveParams{}
	params.AddExpand("customer")
	params.AddExpand("parent.subscription_details.subscription")
	found, err := p.stripe.V1Invoices.Retrieve(ctx, id, params)
	return found, p.fault(ctx, "read invoice", err)
}

// subscriptionOfInvoice returns the subscription that the invoice bills, or nil.
func subscriptionOfInvoice(inv *stripe.Invoice) *stripe.Subscription {
	if inv.Parent == nil || inv.Parent.SubscriptionDetails == nil {
		return nil
	}
	return inv.Parent.SubscriptionDetails.Subscription
}

// charge pays the invoice while the card's holder is present: without saying so, Stripe would
// decline a card that wants authentication. A declined card, an authentication that is wanted, and
// an invoice that was paid meanwhile are not errors here.
func (p *Provider) charge(ctx context.Context, in payment.InvoicePayment, inv *stripe.Invoice, of *stripe.Subscription) error {
	switch {
	case !payable(inv), statusOf(of).Ended():
		return fault.New(fault.Conflict, "The invoice can't be paid any more.")
	case amountOf(inv.AmountDue, code(inv.Currency)) != in.Amount:
		return fault.New(fault.Conflict, "Another amount is due.")
	}
	card := in.MethodID
	if card == "" {
		standing := defaultOf(inv.Customer)
		if standing == nil {
			return errNoCard()
		}
		card = standing.ID
	} else if err := p.checkOwn(ctx, inv.Customer.ID, card); err != nil {
		return err
	}
	params := &stripe.InvoicePayParams{PaymentMethod: &card, OffSession: new(false)}
	params.SetIdempotencyKey(in.Key)
	_, err := p.stripe.V1Invoices.Pay(ctx, inv.ID, params)
	if err == nil {
		return nil
	}
	why := failureOf(err)
	out := p.keyFault(ctx, "pay invoice", inv.Customer.ID, in.Key, err)
	if why.kind == stripe.ErrorTypeCard || why.refused() || why.missing() {
		return nil
	}
	return out
}

func payable(inv *stripe.Invoice) bool { return inv != nil && inv.Status == stripe.InvoiceStatusOpen }
