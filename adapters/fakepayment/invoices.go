package fakepayment

import (
	"github.com/vc-admin/diy/domain/billing"
)

// bill makes the subscription's next invoice, lowered by the customer's credit, and charges it to
// the default card. It returns the subscription as it then is.
func (t *tx) bill(s subscription, amount int64) subscription {
	inv := t.nextInvoice(s, amount)
	s.Invoice = inv.ID
	if inv.Amount == 0 {
		return t.billNothing(s, inv)
	}
	return t.charge(s, inv)
}

// nextInvoice makes an invoice, lowered by the customer's credit, without storing it.
func (t *tx) nextInvoice(s subscription, amount int64) invoice {
	due, credit := t.lowered(s.Customer, amount)
	return invoice{
		ID: newID(invoicePrefix), Customer: s.Customer, Subscription: s.ID, Previous: s.Invoice, Created: t.now,
		Status: invoiceOpen, Amount: due, Credit: credit, Currency: s.Price.Currency,
	}
}

// charge stores the invoice and the subscription and tries the default card.
func (t *tx) charge(s subscription, inv invoice) subscription {
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
// to pay and how much credit was used.
func (t *tx) lowered(customerID string, amount int64) (due, used int64) {
	c := t.customers.rows[customerID]
	rest := amount - c.Credit
	left := max(-rest, 0)
	used = max(c.Credit-left, 0)
	t.giveCredit(customerID, left-c.Credit)
	return max(rest, 0), used
}

func (t *tx) giveCredit(customerID string, amount int64) {
	c, known := t.customers.get(customerID)
	if known && amount != 0 {
		c.Credit += amount
		t.saveCustomer(c)
	}
}

// voidInvoice makes the latest invoice one that can't be paid any more, if it is open.
func (t *tx) voidInvoice(s subscription) {
	if inv, billed := t.invoices.get(s.Invoice); billed && inv.Status == invoiceOpen {
		t.void(inv)
	}
}

// void makes the invoice unpayable and returns the credit that it used.
func (t *tx) void(inv invoice) {
	t.giveCredit(inv.Customer, inv.Credit)
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
