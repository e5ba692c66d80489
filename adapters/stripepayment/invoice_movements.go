package stripepayment

import (
	"context"
	"slices"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// movements contains the payments of an invoice and the amounts that the customer got back, in Stripe's units.
type movements struct {
	payments      []billing.ReceivedPayment // newest first
	refundedUnits int64                     // to the payment method, or outside of Stripe
	creditedUnits int64                     // to the customer's balance
}

// addMovements sets ReceivedPayments, Refunded and Credited of the converted invoices of a customer. It lists the
// customer's charges if anything was paid, and the credit notes if there are any. Charges need a separate request,
// because they are six levels below a list of invoices and Stripe expands only four.
func (p *Provider) addMovements(
	ctx context.Context, customerID string, stripeInvoices []*stripe.Invoice, invoices []billing.Invoice,
) error {
	byInvoice := make(map[string]movements, len(stripeInvoices))
	if err := p.addCharges(ctx, customerID, stripeInvoices, byInvoice); err != nil {
		return err
	}
	if err := p.addCreditNotes(ctx, customerID, stripeInvoices, byInvoice); err != nil {
		return err
	}
	for i, inv := range stripeInvoices {
		currency, m := currencyCode(inv.Currency), byInvoice[inv.ID]
		slices.Reverse(m.payments)
		invoices[i].ReceivedPayments = m.payments
		invoices[i].Refunded = fromStripeUnits(m.refundedUnits, currency)
		invoices[i].Credited = fromStripeUnits(m.creditedUnits, currency)
	}
	return nil
}

// addCharges adds the charges that paid the invoices, with their refunds. It lists charges since the oldest of the invoices,
// because a charge is never older than its invoice.
func (p *Provider) addCharges(
	ctx context.Context, customerID string, invoices []*stripe.Invoice, byInvoice map[string]movements,
) error {
	invoiceIDs, oldest := invoicesByPayment(invoices)
	if len(invoiceIDs) == 0 {
		return nil
	}
	params := &stripe.ChargeListParams{Customer: &customerID,
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: oldest}}
	params.Limit = new(int64(pageSize))
	for charge, err := range p.stripe.V1Charges.List(ctx, params).All(ctx) {
		if err != nil {
			return p.logFault(ctx, "list charges", err)
		}
		if charge.PaymentIntent == nil || charge.Status != stripe.ChargeStatusSucceeded {
			continue
		}
		if id, ok := invoiceIDs[charge.PaymentIntent.ID]; ok {
			m := byInvoice[id]
			m.payments = append(m.payments, receivedPaymentOf(charge))
			m.refundedUnits += charge.AmountRefunded
			byInvoice[id] = m
		}
	}
	return nil
}

// receivedPaymentOf converts a successful charge.
func receivedPaymentOf(charge *stripe.Charge) billing.ReceivedPayment {
	currency := currencyCode(charge.Currency)
	return billing.ReceivedPayment{
		Amount: fromStripeUnits(charge.Amount, currency), Excess: fromStripeUnits(0, currency),
		At: timeOf(charge.Created), Method: chargedMethodOf(charge.PaymentMethodDetails),
	}
}

// chargedMethodOf converts the payment method as it was when it was charged. It returns nil without details.
func chargedMethodOf(d *stripe.ChargePaymentMethodDetails) *billing.PaymentMethod {
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

// invoicesByPayment returns the ids of the invoices with payments by the ids of their payment intents, and the creation
// time of the oldest of these invoices.
func invoicesByPayment(newestFirst []*stripe.Invoice) (invoiceIDs map[string]string, oldest int64) {
	invoiceIDs = map[string]string{}
	for _, inv := range newestFirst {
		if inv.Payments == nil || inv.AmountPaid == 0 {
			continue
		}
		for _, invoicePayment := range inv.Payments.Data {
			if invoicePayment.Payment != nil && invoicePayment.Payment.PaymentIntent != nil {
				invoiceIDs[invoicePayment.Payment.PaymentIntent.ID] = inv.ID
				oldest = inv.Created
			}
		}
	}
	return invoiceIDs, oldest
}

// addCreditNotes adds the amounts that credit notes returned after the payment, to the customer's balance or outside of
// Stripe. The refunds of the charges already contain the amounts that credit notes returned to the payment method.
func (p *Provider) addCreditNotes(
	ctx context.Context, customerID string, invoices []*stripe.Invoice, byInvoice map[string]movements,
) error {
	hasNotes := map[string]bool{}
	for _, inv := range invoices {
		if inv.PostPaymentCreditNotesAmount > 0 {
			hasNotes[inv.ID] = true
		}
	}
	if len(hasNotes) == 0 {
		return nil
	}
	params := &stripe.CreditNoteListParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	for note, err := range p.stripe.V1CreditNotes.List(ctx, params).All(ctx) {
		if err != nil {
			return p.logFault(ctx, "list credit notes", err)
		}
		if note.Invoice == nil || !hasNotes[note.Invoice.ID] || note.Status == stripe.CreditNoteStatusVoid {
			continue
		}
		m := byInvoice[note.Invoice.ID]
		m.refundedUnits += note.OutOfBandAmount
		m.creditedUnits += note.PostPaymentAmount - note.OutOfBandAmount
		for _, refund := range note.Refunds {
			m.creditedUnits -= refund.AmountRefunded
		}
		byInvoice[note.Invoice.ID] = m
	}
	return nil
}
