package stripeserver

import (
	"crypto/rand"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

var refundEndpoints = map[string]endpoint{
	"POST /v1/refunds": {kind: "refund", params: "payment_intent amount reason metadata", do: (*call).createRefund},
}

// createRefund refunds a part of the payment of an invoice.
func (c *call) createRefund() (renderFunc, error) {
	id, err := c.form.required("payment_intent")
	if err != nil {
		return nil, unsupported("charge", "")
	}
	missing := noSuchObject("payment_intent", id, "payment_intent")
	in, err := readRecord(c, missing, func(v view) (fakepayment.IntentRecord, bool) { return v.Intent(id) })
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
