package fakepayment

import (
	"context"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// PayInvoice charges an open invoice to the named card, or to the customer's default one.
func (p *Provider) PayInvoice(ctx context.Context, in payment.InvoicePayment) (billing.Subscription, error) {
	return once(ctx, p, "pay invoice", in.Key, in, func(t *tx) (billing.Subscription, error) {
		inv, found := t.invoices.get(in.InvoiceID)
		if !found {
			return billing.Subscription{}, errNoInvoice()
		}
		if inv.Status != invoicePaid {
			cardID, err := t.mayPay(inv, in)
			if err != nil {
				return billing.Subscription{}, err
			}
			t.settle(t.attempt(t.intents.rows[inv.Payment], cardID))
		}
		return t.showSubscription(t.subscriptions.rows[inv.Subscription]), nil
	})
}

// mayPay returns the card to charge, or why the invoice can't be paid.
func (t *tx) mayPay(inv invoice, in payment.InvoicePayment) (cardID string, err error) {
	switch {
	case inv.Status != invoiceOpen, t.subscriptions.rows[inv.Subscription].Status.Ended():
		return "", fault.New(fault.Conflict, "The invoice can't be paid any more.")
	case in.Amount != amountOf(inv.Amount, inv.Currency):
		return "", fault.New(fault.Conflict, "Another amount is due.")
	case in.MethodID != "":
		_, found, err := t.ownCard(inv.Customer, in.MethodID)
		return found.ID, err
	}
	cardID = t.customers.rows[inv.Customer].Default
	if cardID == "" {
		err = errNoCard()
	}
	return cardID, err
}

func errNoInvoice() error { return fault.New(fault.NotFound, "There is no such invoice.") }

// amountOf returns minor units as an amount. Every currency here comes from a price.
func amountOf(minor int64, currency string) money.Amount {
	amount, err := money.New(minor, currency)
	if err != nil {
		return money.Amount{}
	}
	return amount
}
