package fakepayment

import (
	"context"
	"slices"

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
	case amount.Minor() > inv.refundable():
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

// refundable returns how much of the payment was neither refunded nor returned by a dispute.
func (i invoice) refundable() int64 { return i.amountPaid() - i.Refunded - i.amountDisputed() }

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
