package fakepayment

import (
	"context"
	"fmt"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

const invoiceNumberPrefixLength = 8

// PayInvoice charges an open invoice to the named card, or to the customer's default card.
func (p *Provider) PayInvoice(ctx context.Context, req payment.InvoicePayment) (billing.Subscription, error) {
	return runOnce(ctx, p, "pay invoice", req.Key, req, func(t *tx) (billing.Subscription, error) {
		inv, ok := t.invoices.get(req.InvoiceID)
		if !ok {
			return billing.Subscription{}, errNoInvoice()
		}
		if inv.Status != invoicePaid {
			cardID, err := t.cardForInvoice(inv, req)
			if err != nil {
				return billing.Subscription{}, err
			}
			if cardID != "" {
				t.applyResult(t.attempt(t.intents.rows[inv.PaymentID], cardID))
			}
		}
		return t.billingSubscription(t.subscriptions.rows[inv.SubscriptionID]), nil
	})
}

// cardForInvoice returns the id of the named saved card, or else of the card that cardToCharge selects. The id is ""
// if the customer has to choose a card on a page. cardForInvoice returns an error if the request can't pay the invoice.
func (t *tx) cardForInvoice(inv invoice, req payment.InvoicePayment) (cardID string, err error) {
	switch {
	case inv.Status != invoiceOpen, !req.Allows(t.subscriptions.rows[inv.SubscriptionID].Status):
		return "", fault.New(fault.Conflict, "The invoice can't be paid any more.")
	case t.isProcessing(inv.ID):
		return "", billing.ErrPaymentProcessing()
	case req.Amount != amountOf(inv.AmountDue, inv.Currency):
		return "", fault.New(fault.Conflict, "Another amount is due.")
	case req.MethodID != "":
		saved, err := t.findSavedCard(t.customers.rows[inv.CustomerID], req.MethodID)
		return saved.ID, err
	}
	return t.cardToCharge(t.customers.rows[inv.CustomerID], "")
}

func errNoInvoice() error { return fault.New(fault.NotFound, "There is no such invoice.") }

// amountOf converts minor units to an amount. It returns the zero amount if the customer has no currency yet.
func amountOf(minor int64, currency string) money.Amount {
	amount, err := money.New(minor, currency)
	if err != nil {
		return money.Amount{}
	}
	return amount
}

// chargePeriod stores the invoice of the subscription's period, charges it to the card and returns the updated
// subscription.
func (t *tx) chargePeriod(s subscription, cardID string) subscription {
	inv := t.beginInvoice(s, s.PeriodLines())
	s.LatestInvoiceID = inv.ID
	if inv.AmountDue == 0 {
		return t.payZeroInvoice(s, inv)
	}
	return t.charge(s, inv, cardID)
}

// beginInvoice applies the customer's credit to the lines and stores the customer's new credit and invoice count. If nothing
// is due, it also applies the deductions. It returns the invoice; the caller stores it.
func (t *tx) beginInvoice(s subscription, lines []engine.Line, deductions ...engine.Deduction) invoice {
	c := t.customers.rows[s.CustomerID]
	draft := engine.NewInvoiceDraft(lines, c.Credit, engine.MinimumCharge(s.Price.Currency))
	if draft.Total < 0 {
		draft = draft.Withdraw(t.creditToWithdraw(s, deductions))
	}
	if draft.AmountDue == 0 {
		t.applyDeductions(deductions)
		deductions = nil
	}
	if draft.Withdrawn > 0 {
		t.withdrawOwedCredit(c.ID, draft.Withdrawn, t.lastRenewalTime(s), engine.ReturnedPayment.WithdrawOwed)
	}
	c.Credit = draft.CreditAfter
	c.InvoiceCount++
	t.saveCustomer(c)
	return invoice{
		ID: newID(invoicePrefix), Number: invoiceNumber(c), CustomerID: c.ID, SubscriptionID: s.ID, PreviousID: s.LatestInvoiceID,
		Created: t.now, Status: invoiceOpen, Lines: draft.Lines, AmountDue: draft.AmountDue,
		Credit: draft.CreditBefore - draft.CreditAfter - draft.Withdrawn, CreditBefore: draft.CreditBefore,
		Tax: t.TaxIncluded(amountOf(draft.Total, s.Price.Currency)).Minor(), Currency: s.Price.Currency,
		Deductions: deductions, Buyer: c.Buyer, TimeZone: c.Buyer.Details.Address.TimeZone(),
	}
}

// invoiceNumber returns the number of the customer's latest invoice. As at Stripe, each customer has a
// sequence with a prefix.
func invoiceNumber(c customer) string {
	return fmt.Sprintf("%s-%04d", c.ID[max(0, len(c.ID)-invoiceNumberPrefixLength):], c.InvoiceCount)
}

// charge stores the invoice and the subscription and charges the card.
func (t *tx) charge(s subscription, inv invoice, cardID string) subscription {
	t.applyResult(t.attempt(t.storeWithNewPayment(s, inv), cardID))
	return t.subscriptions.rows[s.ID]
}

// storeWithNewPayment stores the subscription, and the invoice with the id of a new payment. It returns the payment; the
// caller stores it.
func (t *tx) storeWithNewPayment(s subscription, inv invoice) intent {
	id := newID(paymentPrefix)
	pi := intent{
		ID: id, Kind: kindPayment, Secret: newID(id + secretInfix), CustomerID: s.CustomerID, SubscriptionID: s.ID,
		InvoiceID: inv.ID, Amount: inv.AmountDue, Currency: inv.Currency, Created: t.now,
	}
	inv.PaymentID = pi.ID
	t.invoices.put(inv)
	t.saveSubscription(s)
	return pi
}

// payZeroInvoice stores an invoice without an amount due as paid, and returns the updated subscription.
func (t *tx) payZeroInvoice(s subscription, inv invoice) subscription {
	if s.Status != billing.Trialing {
		s.Subscription = s.PaymentSucceeded(inv.ID, t.now)
	}
	inv.Status, inv.PaidAt = invoicePaid, t.now
	t.invoices.put(inv)
	t.saveSubscription(s)
	t.emit("invoice.paid", invoiceObject(inv))
	return s
}

// voidLatestInvoice voids the subscription's latest invoice if it is open and its payment is not processing.
func (t *tx) voidLatestInvoice(s subscription) {
	if inv, ok := t.invoices.get(s.LatestInvoiceID); ok && inv.Status == invoiceOpen && !t.isProcessing(inv.ID) {
		t.void(inv)
	}
}

// void voids the invoice and gives its credit back to the customer.
func (t *tx) void(inv invoice) {
	t.restoreCredit(inv)
	inv.Status = invoiceVoid
	t.invoices.put(inv)
	t.emit("invoice.voided", invoiceObject(inv))
	if pi, ok := t.intents.get(inv.PaymentID); ok {
		pi.Status = billing.IntentCanceled
		t.intents.put(pi)
	}
}
