package stripepayment

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// movements are the payments of an invoice and the amounts that its customer got back afterwards, in Stripe's units.
type movements struct {
	received []billing.ReceivedPayment // newest first
	refunded int64                     // to the payment method, or outside of Stripe
	credited int64                     // to the customer's balance
}

// readMovements adds Received, Refunded and Credited to out, which are the found invoices of a customer. An invoice has
// none of them, and a charge with its refunds is six levels below a list of invoices, of which Stripe expands four.
// The charges of the customer are therefore read with one request, if anything was paid, and the credit notes
// with another one, if there are any.
func (p *Provider) readMovements(
	ctx context.Context, customerID string, found []*stripe.Invoice, out []billing.Invoice,
) error {
	all := make(map[string]movements, len(found)) // by invoice
	if err := p.addCharges(ctx, customerID, found, all); err != nil {
		return err
	}
	if err := p.addCreditNotes(ctx, customerID, found, all); err != nil {
		return err
	}
	for i, inv := range found {
		currency, moved := currencyCode(inv.Currency), all[inv.ID]
		slices.Reverse(moved.received)
		out[i].Received, out[i].Refunded, out[i].Credited = moved.received, fromStripeUnits(moved.refunded,
			currency), fromStripeUnits(moved.credited, currency)
	}
	return nil
}

// addCharges adds the charges that paid the invoices, with their refunds. A charge is never older than its invoice.
func (p *Provider) addCharges(
	ctx context.Context, customerID string, found []*stripe.Invoice, all map[string]movements,
) error {
	invoices, oldest := paidInvoices(found)
	if len(invoices) == 0 {
		return nil
	}
	params := &stripe.ChargeListParams{Customer: &customerID,
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: oldest}}
	params.Limit = new(int64(pageSize))
	for charge, err := range p.stripe.V1Charges.List(ctx, params).All(ctx) {
		if err != nil {
			return p.fault(ctx, "list charges", err)
		}
		if charge.PaymentIntent == nil || charge.Status != stripe.ChargeStatusSucceeded {
			continue
		}
		if id, ok := invoices[charge.PaymentIntent.ID]; ok {
			moved := all[id]
			moved.received = append(moved.received, receivedPaymentOf(charge))
			moved.refunded += charge.AmountRefunded
			all[id] = moved
		}
	}
	return nil
}

// receivedPaymentOf returns the payment that a successful charge has made.
func receivedPaymentOf(charge *stripe.Charge) billing.ReceivedPayment {
	currency := currencyCode(charge.Currency)
	return billing.ReceivedPayment{
		Amount: fromStripeUnits(charge.Amount, currency), Excess: fromStripeUnits(0, currency),
		At: timeOf(charge.Created), Method: chargedMethod(charge.PaymentMethodDetails),
	}
}

// chargedMethod returns the payment method as it was when it was charged; nil for one that has no details.
func chargedMethod(d *stripe.ChargePaymentMethodDetails) *billing.PaymentMethod {
	var method billing.PaymentMethod
	switch {
	case d == nil:
		return nil
	case d.Card != nil:
		method.Card = billing.Card{Brand: string(d.Card.Brand), Last4: d.Card.Last4, ExpMonth: int(d.Card.ExpMonth),
			ExpYear: int(d.Card.ExpYear)}
	case d.AUBECSDebit != nil:
		method = bankDebit(becsDebit, d.AUBECSDebit.Last4, "")
	case d.BACSDebit != nil:
		method = bankDebit(bacsDebit, d.BACSDebit.Last4, "")
	case d.SEPADebit != nil:
		method = bankDebit(sepaDebit, d.SEPADebit.Last4, "")
	case d.USBankAccount != nil:
		method = bankDebit(d.USBankAccount.BankName, d.USBankAccount.Last4, "")
	default:
		method.Kind, method.Label = billing.OtherMethod, string(d.Type)
	}
	return &method
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
func (p *Provider) addCreditNotes(
	ctx context.Context, customerID string, found []*stripe.Invoice, all map[string]movements,
) error {
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
		moved := all[note.Invoice.ID]
		moved.refunded += note.OutOfBandAmount
		moved.credited += note.PostPaymentAmount - note.OutOfBandAmount
		for _, refund := range note.Refunds {
			moved.credited -= refund.AmountRefunded
		}
		all[note.Invoice.ID] = moved
	}
	return nil
}
