package fakepayment

import (
	"github.com/vc-admin/diy/domain/billing"
)

// bill makes the subscription's next invoice, lowered by the customer's credit, and charges it to
// the default card. It returns the subscription as it then is.
func (t *tx) bill(s subscription, amount int64) subscription {
	inv := invoice{
		ID: newID(invoicePrefix), Customer: s.Customer, Subscription: s.ID, Previous: s.Invoice, Created: t.now,
		Status: invoiceOpen, Amount: t.lowered(s.Customer, amount), Currency: s.Price.Currency,
	}
	s.Invoice = inv.ID
	if inv.Amount == 0 {
		return t.billNothing(s, inv)
	}
	id := newID(paymentPrefix)
	in := intent{
		ID: id, Kind: kindPayment, Secret: newID(id + secretInfix), Customer: s.Customer, Subscription: s.ID,
		Invoice: inv.ID, Amount: inv.Amount, Currency: inv.Currency,
	}
	inv.Payment = in.ID
	t.invoices.put(inv)
	t.saveSubscription(s)
	t.settle(t.attempt(in, t.customers.rows[s.Customer].Default))
	return t.subscriptions.rows[s.ID]
}

// billNothing makes an invoice that is paid as it stands, as a trial's first one is.
func (t *tx) billNothing(s subscription, inv invoice) subscription {
	if s.Status != billing.Trialing {
		s = activated(s)
	}
	inv.Status = invoicePaid
	t.invoices.put(inv)
	t.saveSubscription(s)
	t.emit("invoice.paid", invoiceObject(inv))
	return s
}

// lowered uses up the customer's credit, or adds to it what is negative, and returns what is left
// to pay.
func (t *tx) lowered(customerID string, amount int64) int64 {
	c := t.customers.rows[customerID]
	rest := amount - c.Credit
	if credit := max(-rest, 0); credit != c.Credit {
		c.Credit = credit
		t.saveCustomer(c)
	}
	return max(rest, 0)
}

// voidInvoice makes the latest invoice one that can't be paid any more, and returns what was open
// on it.
func (t *tx) voidInvoice(s subscription) int64 {
	inv, billed := t.invoices.get(s.Invoice)
	if !billed || inv.Status != invoiceOpen {
		return 0
	}
	t.void(inv)
	return inv.Amount
}

// void has nobody pay the invoice any more.
func (t *tx) void(inv invoice) {
	inv.Status = invoiceVoid
	t.invoices.put(inv)
	if in, found := t.intents.get(inv.Payment); found {
		in.Status = billing.IntentCanceled
		t.intents.put(in)
	}
}

// activated is the subscription with everything paid that there was to pay.
func activated(s subscription) subscription {
	s.Status = billing.Active
	return calm(s)
}
