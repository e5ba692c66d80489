package fakepayment

import (
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// Refund refunds a part of the payment of an invoice and withdraws it from the customer's credit.
func (p *Provider) Refund(ctx context.Context, req payment.RefundRequest) (billing.Invoice, error) {
	var spent spentCreditReport
	out, err := runOnce(ctx, p, "refund", req.Key, req, func(t *tx) (billing.Invoice, error) {
		inv, err := t.refund(req.InvoiceID, req.Amount)
		if err != nil {
			return billing.Invoice{}, err
		}
		spent = t.adjustCredit(inv.ID)
		return t.invoiceWithLines(t.invoices.rows[inv.ID]), nil
	})
	spent.report(ctx, p, err)
	return out, err
}

// refund refunds a part of the payment. As at Stripe, it emits an event about the charge, but none about the invoice.
func (t *tx) refund(invoiceID string, amount money.Amount) (invoice, error) {
	inv, ok := t.invoices.get(invoiceID)
	switch {
	case !ok:
		return inv, errNoInvoice()
	case amount.Minor() <= 0 || amount.Currency().Code != inv.Currency:
		return inv, fault.Newf(fault.Invalid, "The refund must be a positive amount of %s.", inv.Currency)
	case amount.Minor() > inv.amountPaid()-inv.Refunded-inv.amountDisputed():
		return inv, fault.New(fault.Conflict, "More than was paid can't be refunded.")
	}
	inv.Refunded += amount.Minor()
	inv.Returns, inv.CreditNotes = inv.Returns.AddCreditNote(engine.Return{
		Kind: billing.ReturnRefund, Amount: amount.Minor(), At: t.now, Method: inv.PaidWith.paidMethod(),
	}, inv.CreditNotes)
	t.invoices.put(inv)
	t.emit("charge.refunded", chargeObject(inv))
	return inv, nil
}

// Dispute disputes the payment of an invoice, as the cardholder does at the bank. It withdraws the amount from the
// customer's credit and puts the customer on hold. It changes nothing while a dispute is open. After a won dispute, it
// opens another one.
func (p *Provider) Dispute(ctx context.Context, invoiceID string) error {
	return p.changeDispute(ctx, func(t *tx) (invoice, error) {
		isOpen := t.invoices.rows[invoiceID].disputeStatus() == billing.DisputeOpen
		inv, err := t.openDispute(invoiceID)
		if err == nil && !isOpen {
			t.stopPurchases(inv.CustomerID)
			t.putOnHold(inv.CustomerID)
		}
		return inv, err
	})
}

// CloseDispute ends the dispute of an invoice. If the dispute was won, the customer gets the withdrawn credit back.
// CloseDispute does not lift the hold.
func (p *Provider) CloseDispute(ctx context.Context, invoiceID string, won bool) error {
	return p.changeDispute(ctx, func(t *tx) (invoice, error) { return t.closeDispute(invoiceID, won) })
}

// changeDispute calls change, which changes a dispute, and adjusts the customer's credit.
func (p *Provider) changeDispute(ctx context.Context, change func(*tx) (invoice, error)) error {
	var spent spentCreditReport
	err := p.transact(ctx, func(t *tx) error {
		inv, err := change(t)
		if err == nil {
			spent = t.adjustCredit(inv.ID)
		}
		return err
	})
	spent.report(ctx, p, err)
	return err
}

// openDispute opens a dispute of the invoice's payment and returns the invoice. It changes nothing while a dispute is open.
func (t *tx) openDispute(invoiceID string) (invoice, error) {
	inv, ok := t.invoices.get(invoiceID)
	switch {
	case !ok:
		return inv, errNoInvoice()
	case inv.amountPaid() == 0:
		return inv, fault.New(fault.Conflict, "Nothing was paid for this invoice.")
	case inv.disputeStatus() == billing.DisputeOpen:
		return inv, nil
	case inv.disputeStatus() == billing.DisputeLost:
		return inv, fault.New(fault.Conflict, "A dispute has returned the payment of this invoice already.")
	case inv.disputeStatus() == billing.DisputeWon:
		inv.DisputesWon++
	}
	inv.DisputedAt = append([]time.Time{t.now}, inv.DisputedAt...)
	inv.Disputed, inv.DisputeOutcome = true, ""
	inv.Returns = inv.Returns.Add(engine.Return{
		Kind: billing.ReturnByDispute, Amount: inv.amountDisputed(), At: t.now, Method: inv.PaidWith.paidMethod(),
		Dispute: billing.DisputeOpen,
	})
	t.invoices.put(inv)
	t.emit("charge.dispute.created", disputeObject(inv))
	return inv, nil
}

// closeDispute ends the dispute of the invoice's payment and returns the invoice. It changes nothing if the dispute has
// ended already.
func (t *tx) closeDispute(invoiceID string, won bool) (invoice, error) {
	inv, ok := t.invoices.get(invoiceID)
	switch {
	case !ok:
		return inv, errNoInvoice()
	case !inv.Disputed:
		return inv, fault.New(fault.Conflict, "The payment of this invoice is not disputed.")
	case inv.DisputeOutcome != "":
		return inv, nil
	}
	amount, outcome := inv.amountDisputed(), billing.DisputeLost
	if won {
		outcome = billing.DisputeWon
	}
	inv.DisputeOutcome, inv.Returns = outcome, inv.Returns.SetDispute(amount, outcome, t.now)
	t.invoices.put(inv)
	t.emit("charge.dispute.closed", disputeObject(inv))
	return inv, nil
}

// adjustCredit withdraws the returned amount of the invoice's payment from the customer's credit, or gives it back
// after a dispute that was won. If the customer has already spent credit from the payment, it returns a report of this.
func (t *tx) adjustCredit(invoiceID string) spentCreditReport {
	inv := t.invoices.rows[invoiceID]
	c, err := t.customer(inv.CustomerID)
	if err != nil {
		return spentCreditReport{} // a deleted customer has no credit
	}
	previous := inv
	inv.Refund, c = t.withdraw(inv.Refund, inv.Refunded, inv, c)
	inv.Dispute, c = t.withdraw(inv.Dispute, inv.amountDisputed(), inv, c)
	t.invoices.put(inv)
	t.customers.put(c)
	switch {
	case inv.Dispute.Spent > previous.Dispute.Spent:
		return spentCreditReport{organisation: c.OrganisationID, payment: inv.returnedPayment(inv.Dispute, inv.disputeStatus())}
	case inv.Refund.Spent > previous.Refund.Spent:
		return spentCreditReport{organisation: c.OrganisationID, payment: inv.returnedPayment(inv.Refund, billing.NoDispute)}
	}
	return spentCreditReport{}
}

// withdraw withdraws the returned amount of the invoice's payment from the customer's credit. It returns the updated
// record of the returned payment, and the customer with the changed credit.
func (t *tx) withdraw(r engine.ReturnedPayment, amount int64, inv invoice, c customer) (engine.ReturnedPayment, customer) {
	returned, creditChange := r.SetAmount(amount, c.unspentCredit(), engine.CreditUsedSince(inv.ID, t.invoiceCredits(c.ID)), t.now)
	return returned, c.withCreditChange(creditChange)
}

// invoiceCredits returns the credit that each of the customer's invoices has used.
func (t *tx) invoiceCredits(customerID string) (credits []engine.InvoiceCredit) {
	for _, inv := range (Snapshot{t}).CustomerInvoices(customerID) {
		if inv.Status != invoiceVoid {
			credits = append(credits, engine.InvoiceCredit{
				Invoice: inv.ID, Created: inv.Created, Open: inv.Status == invoiceOpen, Used: inv.Credit,
				Spent: inv.Refund.Spent + inv.Dispute.Spent,
			})
		}
	}
	return credits
}

// ReturnedPayments returns the refunds and disputes of the customer's payments, newest first.
func (p *Provider) ReturnedPayments(ctx context.Context, customerID string) ([]billing.ReturnedPayment, error) {
	return run(ctx, p, func(t *tx) ([]billing.ReturnedPayment, error) {
		if _, err := t.customer(customerID); err != nil {
			return nil, err
		}
		var payments []billing.ReturnedPayment
		for _, inv := range (Snapshot{t}).CustomerInvoices(customerID) {
			if inv.Refunded > 0 {
				payments = append(payments, inv.returnedPayment(inv.Refund, billing.NoDispute))
			}
			if inv.Disputed {
				payments = append(payments, inv.returnedPayment(inv.Dispute, inv.disputeStatus()))
			}
		}
		slices.SortStableFunc(payments, func(x, y billing.ReturnedPayment) int { return y.At.Compare(x.At) })
		return payments, nil
	})
}

func (i invoice) returnedPayment(r engine.ReturnedPayment, dispute billing.DisputeStatus) billing.ReturnedPayment {
	return billing.ReturnedPayment{
		Payment: i.Number, Dispute: dispute, Amount: amountOf(r.Amount, i.Currency),
		Withdrawn: amountOf(r.Withdrawn, i.Currency), Spent: amountOf(r.Spent, i.Currency), At: r.At,
	}
}

// spentCreditReport describes a returned payment whose credit the organisation has already spent. The zero value
// describes none.
type spentCreditReport struct {
	organisation string // id
	payment      billing.ReturnedPayment
}

// report logs the spent credit unless the request has failed.
func (s spentCreditReport) report(ctx context.Context, p *Provider, err error) {
	if err == nil {
		payment.ReportSpentCredit(ctx, p.config.Log, s.organisation, s.payment)
	}
}
