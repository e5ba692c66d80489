package stripepayment

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
)

// paymentSummary contains the payments of an invoice and the amounts that the customer got back, in Stripe's units.
type paymentSummary struct {
	payments      []billing.ReceivedPayment // newest first
	refundedUnits int64                     // to the payment method, or outside of Stripe
	failedUnits   int64                     // refunds to the payment method that did not arrive
	creditedUnits int64                     // to the customer's balance
	returns       []stripeReturn
}

// stripeReturn is a return with the id of its refund at Stripe, if there is one.
type stripeReturn struct {
	billing.Return
	refundID string
}

// setPaymentSummaries sets ReceivedPayments, Returns, Refunded and Credited of the converted invoices of a customer. It
// lists the customer's charges if anything was paid, the disputes of each disputed charge, and the credit notes if there
// are any. Charges need a separate request, because they are six levels below a list of invoices and Stripe expands only
// four. A charge does not contain its disputes.
func (p *Provider) setPaymentSummaries(
	ctx context.Context, customerID string, stripeInvoices []*stripe.Invoice, invoices []billing.Invoice,
) error {
	summaries := make(map[string]paymentSummary, len(stripeInvoices)) // by the id of the invoice
	if err := p.addCharges(ctx, customerID, stripeInvoices, summaries); err != nil {
		return err
	}
	if err := p.addCreditNotes(ctx, customerID, stripeInvoices, summaries); err != nil {
		return err
	}
	for i, inv := range stripeInvoices {
		currency, summary := currencyCode(inv.Currency), summaries[inv.ID]
		slices.Reverse(summary.payments)
		slices.SortStableFunc(summary.returns, func(x, y stripeReturn) int { return x.At.Compare(y.At) })
		for _, r := range summary.returns {
			invoices[i].Returns = append(invoices[i].Returns, r.Return)
		}
		invoices[i].ReceivedPayments = append(summary.payments, paymentsOutside(inv)...)
		invoices[i].Refunded = fromStripeUnits(summary.refundedUnits, currency)
		invoices[i].Credited = fromStripeUnits(summary.creditedUnits, currency)
		if summary.failedUnits > 0 {
			invoices[i].FailedRefunds = fromStripeUnits(summary.failedUnits, currency)
		}
	}
	return nil
}

// paymentsOutside returns the payments of an invoice that were made outside of Stripe: those with a payment record, or the
// whole amount if the invoice is paid without any payment at Stripe.
func paymentsOutside(inv *stripe.Invoice) []billing.ReceivedPayment {
	if inv.Payments == nil || inv.Status != stripe.InvoiceStatusPaid {
		return nil
	}
	var payments []billing.ReceivedPayment
	hasOtherPayment := false
	for _, p := range inv.Payments.Data {
		switch {
		case p.Status != invoicePaymentPaid || p.Payment == nil:
		case p.Payment.PaymentRecord != nil:
			payments = append(payments, newPaymentOutside(inv, p.AmountPaid, paidAtOf(p)))
		default:
			hasOtherPayment = true
		}
	}
	if units := paidUnitsOf(inv); len(payments) == 0 && !hasOtherPayment && units > 0 {
		payments = append(payments, newPaymentOutside(inv, units, 0))
	}
	return payments
}

// paidAtOf returns when the payment was made, or 0 if it is unknown.
func paidAtOf(p *stripe.InvoicePayment) int64 {
	if p.StatusTransitions == nil {
		return 0
	}
	return p.StatusTransitions.PaidAt
}

// newPaymentOutside returns a payment of the invoice that was made outside of Stripe. If its time is 0, it is that of the
// invoice.
func newPaymentOutside(inv *stripe.Invoice, units, at int64) billing.ReceivedPayment {
	if at == 0 && inv.StatusTransitions != nil {
		at = inv.StatusTransitions.PaidAt
	}
	currency := currencyCode(inv.Currency)
	return billing.ReceivedPayment{
		Amount: fromStripeUnits(units, currency), Excess: fromStripeUnits(0, currency), At: timeOf(cmp.Or(at, inv.Created)),
		Method: &billing.PaymentMethod{Kind: billing.OtherMethod, Label: billing.PaidOutsideLabel},
	}
}

// addCharges adds the charges that paid the invoices, with their refunds, to the summaries. It lists charges since the
// oldest of the invoices, because a charge is never older than its invoice.
func (p *Provider) addCharges(
	ctx context.Context, customerID string, invoices []*stripe.Invoice, summaries map[string]paymentSummary,
) error {
	invoiceIDs, oldestCreated := invoiceIDsByPaymentIntent(invoices)
	if len(invoiceIDs) == 0 {
		return nil
	}
	params := &stripe.ChargeListParams{Customer: &customerID,
		CreatedRange: &stripe.RangeQueryParams{GreaterThanOrEqual: oldestCreated}}
	params.Limit = new(int64(pageSize))
	params.AddExpand(expandRefunds)
	for charge, err := range p.stripe.V1Charges.List(ctx, params).All(ctx) {
		if err != nil {
			return p.logFault(ctx, "list charges", err)
		}
		if charge.PaymentIntent == nil || charge.Status != stripe.ChargeStatusSucceeded {
			continue
		}
		if id, ok := invoiceIDs[charge.PaymentIntent.ID]; ok {
			summary := summaries[id]
			summary.payments = append(summary.payments, receivedPaymentOf(charge))
			refundedUnits, failedUnits := refundsOf(charge)
			summary.refundedUnits += refundedUnits
			summary.failedUnits += failedUnits
			disputes, err := p.readDisputeReturns(ctx, charge)
			if err != nil {
				return err
			}
			summary.returns = slices.Concat(summary.returns, refundReturnsOf(charge), disputes)
			summaries[id] = summary
		}
	}
	return nil
}

// refundReturnsOf returns the refunds of the charge that have returned money. It returns nil if Stripe's sum has another
// amount; then only the sum is known.
func refundReturnsOf(charge *stripe.Charge) (returns []stripeReturn) {
	if charge.Refunds == nil {
		return nil
	}
	rest, _ := refundsOf(charge)
	for _, refund := range charge.Refunds.Data {
		if isReturned(refund) {
			rest -= refund.Amount
			returns = append(returns, stripeReturn{newReturn(charge, billing.ReturnRefund, refund.Amount, refund.Created), refund.ID})
		}
	}
	if rest != 0 {
		return nil
	}
	return returns
}

// readDisputeReturns reads the disputes of the charge. Stripe reports no time of a lost dispute's decision, so DecidedAt is
// the time at which the event about the decision arrived. The charge's metadata contains this time only for the dispute
// that was decided last; DecidedAt of an earlier one is zero.
func (p *Provider) readDisputeReturns(ctx context.Context, charge *stripe.Charge) (returns []stripeReturn, err error) {
	if !charge.Disputed && charge.Metadata[metaDispute] == "" {
		return nil, nil
	}
	disputes, err := p.listDisputes(ctx, charge)
	if err != nil {
		return nil, err
	}
	isLastDecided := true
	for _, d := range disputes { // newest first
		r := newReturn(charge, billing.ReturnByDispute, d.Amount, d.Created)
		r.Dispute, _ = disputeStatusOf(d)
		isDecided := r.Dispute != billing.DisputeOpen
		switch {
		case r.Dispute == billing.DisputeWon && len(d.BalanceTransactions) > 1:
			r.DecidedAt = timeOf(d.BalanceTransactions[len(d.BalanceTransactions)-1].Created)
		case isDecided && isLastDecided:
			seconds, _ := strconv.ParseInt(charge.Metadata[metaDisputeDecided], 10, 64) // 0 if the event has not arrived
			r.DecidedAt = timeOf(seconds)
		}
		isLastDecided = isLastDecided && !isDecided
		returns = append(returns, stripeReturn{Return: r})
	}
	return returns, nil
}

// newReturn returns a return of a part of the charge.
func newReturn(charge *stripe.Charge, kind billing.ReturnKind, units, at int64) billing.Return {
	return billing.Return{
		Kind: kind, Amount: fromStripeUnits(units, currencyCode(charge.Currency)), At: timeOf(at),
		Method: chargedMethodOf(charge.PaymentMethodDetails),
	}
}

// addNoteReturn adds an amount that the credit note has returned without a refund at Stripe.
func (s *paymentSummary) addNoteReturn(note *stripe.CreditNote, kind billing.ReturnKind, units int64) {
	if units > 0 {
		s.returns = append(s.returns, stripeReturn{Return: billing.Return{
			Kind: kind, Amount: fromStripeUnits(units, currencyCode(note.Currency)), At: timeOf(note.Created),
			CreditNote: creditNoteNumberOf(note),
		}})
	}
}

// setCreditNote sets the number of the credit note for which the refund was made.
func (s *paymentSummary) setCreditNote(refund *stripe.CreditNoteRefund, number string) {
	for i, r := range s.returns {
		if refund.Refund != nil && r.refundID == refund.Refund.ID {
			s.returns[i].CreditNote = number
		}
	}
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
	case d.ACHDebit != nil:
		method = newBankDebitMethod(string(d.Type), d.ACHDebit.BankName, d.ACHDebit.Last4, "")
	case d.ACSSDebit != nil:
		method = newBankDebitMethod(string(d.Type), "", d.ACSSDebit.Last4, "")
	case d.AUBECSDebit != nil:
		method = newBankDebitMethod(string(d.Type), "", d.AUBECSDebit.Last4, "")
	case d.BACSDebit != nil:
		method = newBankDebitMethod(string(d.Type), "", d.BACSDebit.Last4, "")
	case d.NzBankAccount != nil:
		method = newBankDebitMethod(string(d.Type), d.NzBankAccount.BankName, d.NzBankAccount.Last4, "")
	case d.SEPADebit != nil:
		method = newBankDebitMethod(string(d.Type), "", d.SEPADebit.Last4, "")
	case d.USBankAccount != nil:
		method = newBankDebitMethod(string(d.Type), d.USBankAccount.BankName, d.USBankAccount.Last4, "")
	default:
		method.Kind, method.Label = billing.OtherMethod, string(d.Type)
	}
	return &method
}

// invoiceIDsByPaymentIntent maps the ids of payment intents to the ids of the invoices that they paid, and returns the
// creation time of the oldest of these invoices. The invoices must be sorted from newest to oldest.
func invoiceIDsByPaymentIntent(invoices []*stripe.Invoice) (invoiceIDs map[string]string, oldestCreated int64) {
	invoiceIDs = map[string]string{}
	for _, inv := range invoices {
		if inv.Payments == nil || inv.AmountPaid == 0 {
			continue
		}
		for _, invoicePayment := range inv.Payments.Data {
			if invoicePayment.Payment != nil && invoicePayment.Payment.PaymentIntent != nil {
				invoiceIDs[invoicePayment.Payment.PaymentIntent.ID] = inv.ID
				oldestCreated = inv.Created
			}
		}
	}
	return invoiceIDs, oldestCreated
}

// addCreditNotes adds to the summaries the amounts that credit notes returned to the customer's balance or outside of
// Stripe after the payment. The refunds of the charges already contain the amounts that credit notes returned to the
// payment method.
func (p *Provider) addCreditNotes(
	ctx context.Context, customerID string, invoices []*stripe.Invoice, summaries map[string]paymentSummary,
) error {
	hasCreditNotes := map[string]bool{}
	for _, inv := range invoices {
		if inv.PostPaymentCreditNotesAmount > 0 {
			hasCreditNotes[inv.ID] = true
		}
	}
	if len(hasCreditNotes) == 0 {
		return nil
	}
	params := &stripe.CreditNoteListParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	for note, err := range p.stripe.V1CreditNotes.List(ctx, params).All(ctx) {
		if err != nil {
			return p.logFault(ctx, "list credit notes", err)
		}
		if note.Invoice == nil || !hasCreditNotes[note.Invoice.ID] || note.Status == stripe.CreditNoteStatusVoid {
			continue
		}
		summary := summaries[note.Invoice.ID]
		creditedUnits := note.PostPaymentAmount - note.OutOfBandAmount
		for _, refund := range note.Refunds {
			creditedUnits -= refund.AmountRefunded
			summary.setCreditNote(refund, creditNoteNumberOf(note))
		}
		summary.refundedUnits += note.OutOfBandAmount
		summary.creditedUnits += creditedUnits
		summary.addNoteReturn(note, billing.ReturnRefund, note.OutOfBandAmount)
		summary.addNoteReturn(note, billing.ReturnAsCredit, creditedUnits)
		summaries[note.Invoice.ID] = summary
	}
	return nil
}
