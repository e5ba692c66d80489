package former

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/engine"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// bill issues the invoice for the subscription, less the customer's credit. An invoice that credit pays
// is paid at once. The subscription's latest invoice is this one.
func (l *ledger) bill(s subscription, inv invoice) invoice {
	b := engine.NewBill(inv.Lines, l.customer.Credit, 0)
	l.customer.Credit = b.CreditAfter
	inv.ID, inv.Subscription, inv.Currency = newID(invoicePrefix), s.ID, s.Price.Currency
	inv.Status, inv.Total, inv.Due, inv.Credit = billing.InvoiceOpen, b.Total, b.Due, b.CreditBefore-b.CreditAfter
	tax, _ := l.Catalogue.Tax(inv.Currency)
	inv.Tax, inv.TaxName = l.Catalogue.TaxIncluded(amountOf(inv.Total, inv.Currency)).Minor(), tax.Label()
	inv.Buyer, inv.TimeZone = buyer{l.customer.Name, l.customer.Details}, l.customer.Details.Address.TimeZone()
	if inv.Due == 0 {
		inv.Status, inv.PaidAt = billing.InvoicePaid, inv.Created
	}
	l.putInvoice(inv)
	s.Invoice = inv.ID
	l.put(s)
	return inv
}

// void voids an open invoice. Its credit and part payments become credit again.
func (l *ledger) void(inv invoice) {
	if inv.Status != billing.InvoiceOpen {
		return
	}
	l.returnCredit(inv, inv.Credit)
	l.customer.Credit += inv.Paid
	inv.Status, inv.Returned, inv.Credit, inv.Paid = billing.InvoiceVoid, inv.Paid, 0, 0
	l.putInvoice(inv)
}

// release gives back an invoice for a period that will not begin: it voids it, or makes what was paid
// and not refunded credit.
func (l *ledger) release(inv invoice) {
	if inv.Status == billing.InvoicePaid {
		l.credit(inv, inv.Credit+inv.refundable())
		return
	}
	l.void(inv)
}

// released returns the credit that release gives for a paid invoice.
func (l *ledger) released(inv invoice) int64 {
	var owed int64
	for _, other := range l.invoices {
		owed += other.Refund.Owed(inv.Created)
	}
	return inv.refundable() + max(0, inv.Credit-owed)
}

// credit turns an amount of a paid invoice into the customer's credit. It is taken from the payment and then from
// the credit that the invoice has used.
func (l *ledger) credit(inv invoice, amount int64) {
	paid := min(amount, inv.refundable())
	inv.Returned = inv.credited() + amount
	inv.Credited += paid
	l.customer.Credit += paid
	l.putInvoice(inv)
	l.returnCredit(inv, amount-paid)
}

// releasePrepaid releases the invoice for the period after the trial.
func (l *ledger) releasePrepaid(s *subscription) {
	if s.Prepaid != "" {
		l.release(l.invoice(s.Prepaid))
		s.Prepaid = ""
	}
}

// receive records a payment of an invoice and returns how much of it the invoice needed. The rest
// becomes credit.
func (l *ledger) receive(inv invoice, amount int64, at time.Time) (applied int64) {
	if inv.Status == billing.InvoiceOpen {
		applied = min(amount, inv.balance())
	}
	l.customer.Credit += amount - applied
	if applied == 0 {
		return 0
	}
	inv.Paid += applied
	if inv.balance() > 0 {
		l.putInvoice(inv)
		return applied
	}
	inv.Status, inv.PaidAt = billing.InvoicePaid, at
	l.putInvoice(inv)
	if s, err := l.subscription(inv.Subscription); err == nil {
		l.settle(s, inv)
	}
	return applied
}

// settle changes the subscription after its invoice was paid. If it has ended, the unused part of the
// period becomes credit.
func (l *ledger) settle(s subscription, inv invoice) {
	switch {
	case s.Pending.Invoice == inv.ID:
		s.Subscription, s.Prepaid = s.Apply(s.Pending), ""
	case s.Status == billing.PastDue:
		s.Status = billing.Active
	case s.Status.Ended():
		var unused int64
		for _, line := range inv.Lines {
			unused += engine.Prorate(max(line.Amount, 0), s.EndedAt, line.Start, line.End)
		}
		l.credit(inv, unused)
	}
	l.put(s)
}

// unpaidInvoice returns an unpaid invoice of the customer.
func (l *ledger) unpaidInvoice() (invoice, bool) {
	i := slices.IndexFunc(l.invoices, func(inv invoice) bool { return inv.Status == billing.InvoiceOpen })
	if i < 0 {
		return invoice{}, false
	}
	return l.invoices[i], true
}

// ListInvoices returns the customer's invoices, newest first.
func (p *Provider) ListInvoices(ctx context.Context, in payment.InvoicePage) (out payment.InvoiceList, err error) {
	err = p.readInTx(ctx, in.CustomerID, func(tx plugin.Tx, l *ledger) error {
		received, err := receivedTransfers(ctx, tx, in.CustomerID)
		if err != nil {
			return err
		}
		var all []billing.Invoice
		for _, inv := range l.invoices {
			listed := l.billingInvoice(inv)
			listed.BilledTo = inv.Buyer.Details.Buyer(inv.Buyer.Name)
			for _, t := range received[inv.ID] {
				listed.Received = append(listed.Received, t.receivedPayment(inv.Currency))
			}
			all = append(all, listed)
		}
		out, err = payment.PageOf(all, in)
		return err
	})
	return out, err
}

// number returns the number as it is on the invoice and in the reference of the transfer.
func (p *Provider) number(inv invoice) string {
	return fmt.Sprintf("%s%06d", p.Terms.Prefix, inv.Number)
}

func (l *ledger) billingInvoice(inv invoice) billing.Invoice {
	return billing.Invoice{
		ID: inv.ID, Number: l.number(inv), SubscriptionID: inv.Subscription, Status: inv.Status,
		Lines: engine.BillingLines(inv.Lines, l.Catalogue.PlanName), HasPDF: true,
		Tax: amountOf(inv.Tax, inv.Currency), Total: amountOf(inv.Total, inv.Currency), CreditUsed: amountOf(inv.Credit, inv.Currency),
		AmountDue: amountOf(inv.Due, inv.Currency), AmountPaid: amountOf(inv.Paid, inv.Currency),
		Refunded: amountOf(inv.Refunded, inv.Currency), Credited: amountOf(inv.credited(), inv.Currency),
		CreatedAt: inv.Created, DueAt: inv.DueAt, PaidAt: inv.PaidAt, TimeZone: inv.zone(),
	}
}
