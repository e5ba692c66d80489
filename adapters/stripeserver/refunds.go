package stripeserver

import (
	"crypto/rand"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var supportEndpoints = map[string]endpoint{
	"POST /v1/refunds": {kind: "refund", params: "payment_intent amount reason metadata", do: (*call).createRefund},
	"POST /v1/customers/{id}/balance_transactions": {
		kind: "customer_balance_transaction", params: "amount currency description metadata", do: (*call).createBalanceTransaction,
	},
}

// createRefund refunds a part of the payment of an invoice.
func (c *call) createRefund() (renderFunc, error) {
	id, err := c.form.required("payment_intent")
	if err != nil {
		return nil, unsupported("charge", "")
	}
	var in fakepayment.IntentRecord
	err = c.read(func(v view) error {
		var found bool
		if in, found = v.Intent(id); !found {
			return noSuchObject("payment_intent", id, "payment_intent")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	amount, err := c.amount(in.Currency)
	if err != nil {
		return nil, err
	}
	_, err = c.provider.Refund(c.ctx(), payment.Refund{Key: rand.Text(), InvoiceID: in.Invoice, Amount: amount})
	switch {
	case fault.Is(err, fault.Conflict):
		return nil, invalidRequest("", "amount", "Refund amount is greater than unrefunded amount on charge.")
	case err != nil:
		return nil, err
	}
	refund := object{
		"id": "re_" + rand.Text(), "object": "refund", "status": "succeeded", "charge": chargeID(id), "payment_intent": id,
		"amount": amount.Minor(), "currency": lower(in.Currency), "reason": nil, "metadata": object{},
	}
	return func(view) (object, error) { return refund, nil }, nil
}

// createBalanceTransaction adds credit, which Stripe counts as a negative amount.
func (c *call) createBalanceTransaction() (renderFunc, error) {
	id := c.id("id")
	if err := c.read(func(v view) error { return v.checkCustomerExists(id, "id") }); err != nil {
		return nil, err
	}
	amount, err := c.amount(c.form.text("currency"))
	if err != nil {
		return nil, err
	}
	credit, err := amount.Mul(-1)
	if err != nil {
		return nil, err
	}
	after, err := c.provider.AddCredit(c.ctx(), payment.Credit{Key: rand.Text(), CustomerID: id, Amount: credit})
	if err != nil {
		return nil, err
	}
	transaction := object{
		"id": "cbtxn_" + rand.Text(), "object": "customer_balance_transaction", "livemode": false, "type": "adjustment", "customer": id,
		"amount": amount.Minor(), "currency": c.form.text("currency"), "ending_balance": -after.Credit.Minor(),
		"description": orNull(c.form.text("description")), "metadata": object{},
	}
	return func(view) (object, error) { return transaction, nil }, nil
}

// amount returns the parameter amount in the currency.
func (c *call) amount(currency string) (money.Amount, error) {
	if _, err := c.form.required("amount"); err != nil {
		return money.Amount{}, err
	}
	minor, _, err := c.form.number("amount")
	if err != nil {
		return money.Amount{}, err
	}
	amount, err := money.New(minor, currency)
	if err != nil {
		return amount, invalidRequest("", "currency", "Invalid currency: "+currency)
	}
	return amount, nil
}
