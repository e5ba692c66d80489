package stripeserver

import (
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

var chargeEndpoints = map[string]endpoint{
	"GET /v1/charges":          {kind: "charge", list: true, params: "customer payment_intent", do: (*call).listCharges},
	"GET /v1/invoice_payments": {kind: "invoice_payment", list: true, params: "payment invoice", do: (*call).listInvoicePayments},
}

// listCharges lists the successful charges for the customer's invoices, newest first. Stripe lists
// failed ones too.
func (c *call) listCharges() (renderFunc, error) {
	customer, err := c.form.required("customer")
	if err != nil {
		return nil, unsupported("customer", "")
	}
	return func(v view) (object, error) {
		var found []object
		for _, inv := range v.CustomerInvoices(customer) {
			charge := v.chargeOf(inv)
			if payment := c.form.text("payment_intent"); charge != nil && (payment == "" || payment == inv.Payment) {
				found = append(found, charge)
			}
		}
		return c.page("charge", found)
	}, nil
}

// listInvoicePayments lists the payments of the invoice that a payment intent is for.
func (c *call) listInvoicePayments() (renderFunc, error) {
	id, err := c.form.required("payment[payment_intent]")
	if err != nil {
		return nil, unsupported("payment[payment_intent]", "")
	}
	return func(v view) (object, error) {
		in, found := v.Intent(id)
		if !found || in.Invoice == "" {
			return c.page("invoice_payment", nil)
		}
		return c.page("invoice_payment", []object{v.paymentOf(in)})
	}, nil
}

// chargeOf returns the successful charge for the invoice, or nil.
func (v view) chargeOf(inv fakepayment.InvoiceRecord) object {
	in, found := v.Intent(inv.Payment)
	if !found || in.Status != "succeeded" {
		return nil
	}
	return object{
		"id": chargeID(in.ID), "object": "charge", "livemode": false, "status": "succeeded", "paid": true, "captured": true,
		"customer": inv.Customer, "payment_intent": in.ID, "payment_method": in.Card, "created": unixOrNull(inv.Created),
		"amount": in.Amount, "amount_captured": in.Amount, "currency": lower(in.Currency),
		"amount_refunded": inv.Refunded, "refunded": inv.Refunded == in.Amount, "disputed": inv.Disputed,
	}
}

// chargeID returns the id of the successful charge of a payment.
func chargeID(paymentID string) string { return "ch_" + strings.TrimPrefix(paymentID, "pi_") }
