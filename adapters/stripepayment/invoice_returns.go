package stripepayment

import (
	"context"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// returned are the amounts that an invoice's customer got back after the payment, in Stripe's units.
type returned struct {
	refunded int64 // to the payment method, or outside of Stripe
	credited int64 // to the customer's balance
}

// readReturns adds Refunded and Credited to out, which are the found invoices of a customer. An invoice has
// neither, and a charge with its refunds is six levels below a list of invoices, of which Stripe expands four.
// The charges of the customer are therefore read with one request, if anything was paid, and the credit notes
// with another one, if there are any.
func (p *Provider) readReturns(ctx context.Context, customerID string, found []*stripe.Invoice, out []billing.Invoice) error {
	returns := make(map[string]returned, len(found)) // by invoice
	if err := p.addRefunds(ctx, customerID, found, returns); err != nil {
		return err
	}
	if err := p.addCreditNotes(ctx, customerID, found, returns); err != nil {
		return err
	}
	for i, inv := range found {
		currency, of := currencyCode(inv.Currency), returns[inv.ID]
		out[i].Refunded, out[i].Credited = fromStripeUnits(of.refunded, currency), fromStripeUnits(of.credited, currency)
	}
	return nil
}

// addRefunds adds the refunds of the charges that paid the invoices. A charge is never older than its invoice.
func (p *Provider) addRefunds(ctx context.Context, customerID string, found []*stripe.Invoice, returns map[string]returned) error {
	invoices, oldest := paidInvoices(found)
	if len(invoices) == 0 {
		return nil
	}
	params := &stripe.ChargeListParams{Customer: &customerID, CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: oldest}}
	params.Limit = new(int64(pageSize))
	for charge, err := range p.stripe.V1Charges.List(ctx, params).All(ctx) {
		if err != nil {
			return p.fault(ctx, "list charges", err)
		}
		if charge.PaymentIntent == nil || charge.AmountRefunded == 0 {
			continue
		}
		if id, ok := invoices[charge.PaymentIntent.ID]; ok {
			of := returns[id]
			of.refunded += charge.AmountRefunded
			returns[id] = of
		}
	}
	return nil
}

// paidInvoices returns the ids of the invoices that were paid by their payment intents, and when the oldest of
// them was created.
func paidInvoices(newestFirst []*stripe.Invoice) (byPayment map[string]string, oldest int64) {
	byPayment = map[string]string{}
	for _, inv := range newestFirst {
		if inv.Payments == nil || inv.AmountPaid == 0 {
			continue
		}
		for _, paid := range inv.Payments.Data {
			if paid.Payment != nil && paid.Payment.PaymentIntent != nil {
				byPayment[paid.Payment.PaymentIntent.ID] = inv.ID
				oldest = inv.Created
			}
		}
	}
	return byPayment, oldest
}

// addCreditNotes adds what credit notes returned after the payment: to the customer's balance, or outside of
// Stripe. Their refunds are those of the charges.
func (p *Provider) addCreditNotes(ctx context.Context, customerID string, found []*stripe.Invoice, returns map[string]returned) error {
	notes := map[string]bool{}
	for _, inv := range found {
		if inv.PostPaymentCreditNotesAmount > 0 {
			notes[inv.ID] = true
		}
	}
	if len(notes) == 0 {
		return nil
	}
	params := &stripe.CreditNoteListParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	for note, err := range p.stripe.V1CreditNotes.List(ctx, params).All(ctx) {
		if err != nil {
			return p.fault(ctx, "list credit notes", err)
		}
		if note.Invoice == nil || !notes[note.Invoice.ID] || note.Status == stripe.CreditNoteStatusVoid {
			continue
		}
		of := returns[note.Invoice.ID]
		of.refunded += note.OutOfBandAmount
		of.credited += note.PostPaymentAmount - note.OutOfBandAmount
		for _, refund := range note.Refunds {
			of.credited -= refund.AmountRefunded
		}
		returns[note.Invoice.ID] = of
	}
	return nil
}
