package stripepayment

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
)

// recordReturnsOfPayment records the refunded and disputed amounts of a payment intent's charge, see recordReturns. It
// records nothing unless the payment is for an invoice of a subscription. It returns the invoice, or nil if the payment
// is not for an invoice.
func (p *Provider) recordReturnsOfPayment(ctx context.Context, paymentID string) (*stripe.Invoice, error) {
	inv, err := p.readInvoiceOfPayment(ctx, paymentID)
	if err != nil || inv == nil {
		return nil, err
	}
	if inv, err = p.readInvoice(ctx, inv.ID); err != nil || subscriptionOfInvoice(inv) == nil {
		return inv, err
	}
	return inv, p.recordReturnsOfInvoice(ctx, inv, paymentID)
}

// readInvoiceOfPayment returns the invoice that the payment intent pays, without its customer and subscription. It
// returns nil if the payment is not for an invoice.
func (p *Provider) readInvoiceOfPayment(ctx context.Context, paymentID string) (*stripe.Invoice, error) {
	params := &stripe.InvoicePaymentListParams{
		Payment: &stripe.InvoicePaymentListPaymentParams{Type: new("payment_intent"), PaymentIntent: &paymentID},
	}
	params.Limit = new(int64(1))
	params.AddExpand("data.invoice")
	for invoicePayment, err := range p.stripe.V1InvoicePayments.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "find invoice of payment", err)
		}
		return invoicePayment.Invoice, nil
	}
	return nil, nil //nolint:nilnil // a payment need not be for an invoice
}

// recordReturnsOfInvoice records the refunded and disputed amounts of the charge with which the payment intent has paid
// the invoice, see recordReturns.
func (p *Provider) recordReturnsOfInvoice(ctx context.Context, inv *stripe.Invoice, paymentID string) error {
	a, err := p.loadCreditAccount(ctx, inv.Customer.ID)
	if err != nil {
		return err
	}
	for _, charge := range a.charges {
		isOfPayment := charge.PaymentIntent != nil && charge.PaymentIntent.ID == paymentID &&
			charge.Status == stripe.ChargeStatusSucceeded
		if isOfPayment {
			if err := a.recordReturns(ctx, charge); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordReturns records the refunded and disputed amounts of the charge, and withdraws them from the customer's credit.
// A dispute that is not recorded yet puts the customer on hold, unless it was won already. When the disputes of a hold are
// won, the hold ends.
func (a *creditAccount) recordReturns(ctx context.Context, charge *stripe.Charge) error {
	disputedAmount, disputes, summary, err := a.provider.readDisputeSummary(ctx, charge)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(disputes, func(d *stripe.Dispute) bool { return !isRecorded(charge, d) && !isWon(d) }) {
		if err := a.putOnHold(ctx); err != nil {
			return err
		}
		charge = a.findCharge(charge.ID) // putOnHold may have read the charges again
	}
	if err := a.holdCredit(ctx); err != nil {
		return err
	}
	refundedAmount, _ := refundsOf(charge)
	if err := a.recordReturnsOfKind(ctx, charge, metaRefund, refundedAmount, disputeSummary{}, nil); err != nil {
		return err
	}
	if err := a.recordReturnsOfKind(ctx, charge, metaDispute, disputedAmount, summary, disputes); err != nil {
		return err
	}
	if len(disputes) > 0 && a.isOnHold() {
		return a.liftHoldIfWon(ctx)
	}
	return nil
}

// recordReturnsOfKind records how much of the charge refunds or disputes have returned; kind is metaRefund or
// metaDispute, and disputes contains all disputes. If the amount has changed, it withdraws the difference from the credit or
// gives credit back.
func (a *creditAccount) recordReturnsOfKind(
	ctx context.Context, charge *stripe.Charge, kind string, amount int64, summary disputeSummary, disputes []*stripe.Dispute,
) error {
	record := parseReturnRecord(charge, kind)
	if amount == record.Amount && summary == record.disputeSummary { // a new dispute changes the summary
		return nil
	}
	var usedCredit int64
	if amount-record.Amount > a.availableCredit() {
		var err error
		if usedCredit, err = a.readCreditUsedSince(ctx, charge); err != nil {
			return err
		}
	}
	updatedPayment, change := record.SetAmount(amount, a.availableCredit(), usedCredit, a.provider.Clock.Now())
	if updatedPayment.At.IsZero() { // a dispute that is first seen after it was won has returned nothing
		updatedPayment.At = a.provider.Clock.Now()
	}
	entries := a.recordOfDisputes(charge, disputes)
	entries[kind] = returnRecord{updatedPayment, summary}.String()
	if summary.isDecided() {
		entries[metaDisputeDecided] = strconv.FormatInt(a.provider.Clock.Now().Unix(), 10)
	}
	if change != 0 {
		// The time is part of the key, because the same amounts can follow each other again after a dispute was won.
		key := fmt.Sprintf("%s-%s-%d-%d-%d", kind, charge.ID, record.At.Unix(), record.Amount, amount)
		entries[metaCreditChange] = a.newCreditChange(change, key).String()
	}
	if err := a.updateChargeMetadata(ctx, charge, entries); err != nil {
		return err
	}
	if updatedPayment.Spent > record.Spent {
		payment.ReportSpentCredit(ctx, a.provider.Log, a.customer.Metadata[metaOrganisation], returnedPaymentOf(charge, kind))
	}
	return a.applyRecordedChanges(ctx)
}

// readCreditUsedSince returns how much credit the customer has used since the invoice of the charge was issued, see
// engine.CreditUsedSince.
func (a *creditAccount) readCreditUsedSince(ctx context.Context, targetCharge *stripe.Charge) (int64, error) {
	invoices, err := a.provider.listOpenAndPaidInvoices(ctx, a.customer.ID)
	if err != nil {
		return 0, err
	}
	var targetInvoiceID string
	var invoiceCredits []engine.InvoiceCredit
	for _, inv := range invoices {
		invoiceCredit := engine.InvoiceCredit{
			Invoice: inv.ID, Created: timeOf(inv.Created), Open: isOpen(inv), Used: creditUsedOnFinalisation(inv),
		}
		for _, charge := range a.chargesOfInvoice(inv) {
			invoiceCredit.Spent += parseReturnRecord(charge, metaRefund).Spent + parseReturnRecord(charge, metaDispute).Spent
			if charge.ID == targetCharge.ID {
				targetInvoiceID = inv.ID
			}
		}
		invoiceCredits = append(invoiceCredits, invoiceCredit)
	}
	return engine.CreditUsedSince(targetInvoiceID, invoiceCredits), nil
}

// chargesOfInvoice returns the charges of the invoice's current payment.
func (a *creditAccount) chargesOfInvoice(inv *stripe.Invoice) (charges []*stripe.Charge) {
	invoicePayment := currentPayment(inv)
	if invoicePayment == nil {
		return nil
	}
	for _, charge := range a.charges {
		if charge.PaymentIntent != nil && charge.PaymentIntent.ID == invoicePayment.Payment.PaymentIntent.ID {
			charges = append(charges, charge)
		}
	}
	return charges
}

// listOpenAndPaidInvoices returns the customer's open and paid invoices, newest first, with their payments.
func (p *Provider) listOpenAndPaidInvoices(ctx context.Context, customerID string) (invoices []*stripe.Invoice, err error) {
	params := &stripe.InvoiceListParams{Customer: &customerID}
	params.Limit = new(int64(pageSize))
	params.AddExpand("data.payments")
	for inv, err := range p.stripe.V1Invoices.List(ctx, params).All(ctx) {
		if err != nil {
			return nil, p.logFault(ctx, "list invoices", err)
		}
		if isOpen(inv) || inv.Status == stripe.InvoiceStatusPaid {
			invoices = append(invoices, inv)
		}
	}
	return invoices, nil
}

// creditUsedOnFinalisation returns the credit that was deducted from the invoice's total when the invoice was finalised.
// Unlike usedCreditOf it does not change when the invoice is voided. It is negative if the invoice has created credit.
func creditUsedOnFinalisation(inv *stripe.Invoice) int64 { return inv.Total - inv.AmountDue }

// ReturnedPayments returns the refunded and disputed amounts of the customer's charges, the latest first. It reads the
// invoice of each returned charge, because a charge does not name its invoice.
func (p *Provider) ReturnedPayments(ctx context.Context, customerID string) (payments []billing.ReturnedPayment, err error) {
	if _, err := p.readCustomer(ctx, customerID); err != nil {
		return nil, err
	}
	charges, err := p.listCharges(ctx, customerID)
	if err != nil {
		return nil, err
	}
	for _, charge := range charges {
		chargePayments, err := p.readReturnedPaymentsOfCharge(ctx, charge)
		if err != nil {
			return nil, err
		}
		payments = append(payments, chargePayments...)
	}
	slices.SortStableFunc(payments, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
	return payments, nil
}

// readReturnedPaymentsOfCharge returns the refunded and disputed amounts of a charge, with the number of its invoice.
func (p *Provider) readReturnedPaymentsOfCharge(
	ctx context.Context, charge *stripe.Charge,
) (payments []billing.ReturnedPayment, err error) {
	for _, kind := range []string{metaRefund, metaDispute} {
		if charge.Metadata[kind] != "" {
			payments = append(payments, returnedPaymentOf(charge, kind))
		}
	}
	if len(payments) == 0 || charge.PaymentIntent == nil {
		return payments, nil
	}
	inv, err := p.readInvoiceOfPayment(ctx, charge.PaymentIntent.ID)
	if err != nil || inv == nil {
		return payments, err
	}
	for i := range payments {
		payments[i].Payment = inv.Number
	}
	return payments, nil
}

// returnedPaymentOf converts the charge's record of its refunds or disputes. Payment is the id of the charge, by which an
// operator finds it in Stripe's dashboard.
func returnedPaymentOf(c *stripe.Charge, kind string) billing.ReturnedPayment {
	r, currency := parseReturnRecord(c, kind), currencyCode(c.Currency)
	return billing.ReturnedPayment{
		Payment: c.ID, Dispute: r.status, Amount: fromStripeUnits(r.Amount, currency),
		Withdrawn: fromStripeUnits(r.Withdrawn, currency), Spent: fromStripeUnits(r.Spent, currency), At: r.At,
	}
}
