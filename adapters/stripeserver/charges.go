package stripeserver

import (
	"cmp"
	"strings"
	"time"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/money"
)

var chargeEndpoints = map[string]endpoint{
	"GET /v1/charges": {objectType: "charge", isList: true, params: "customer payment_intent created",
		serve: (*call).listCharges},
	"GET /v1/invoice_payments": {objectType: "invoice_payment", isList: true, params: "payment invoice status",
		serve: (*call).listInvoicePayments},
	"POST /v1/charges/{id}": {objectType: "charge", params: "metadata", serve: (*call).updateCharge},
}

// listCharges lists the successful and pending charges for the customer's invoices, newest first. Stripe also lists
// failed charges.
func (c *call) listCharges() (renderFunc, error) {
	customerID, err := c.form.requiredText("customer")
	if err != nil {
		return nil, unsupportedError("customer", "")
	}
	createdSince, err := c.parseCreatedSince()
	if err != nil {
		return nil, err
	}
	intentID := c.form.text("payment_intent")
	return func(v view) (object, error) {
		var charges []object
		for _, inv := range v.CustomerInvoices(customerID) {
			isListed := (intentID == "" || intentID == inv.PaymentID) && chargeTime(inv).Unix() >= createdSince
			if charge := v.renderCharge(inv); charge != nil && isListed {
				charges = append(charges, charge)
			}
		}
		return c.newListPage("charge", charges)
	}, nil
}

// parseCreatedSince returns the value of the parameter created[gte], or 0 without it. It refuses other bounds.
func (c *call) parseCreatedSince() (int64, error) {
	for _, name := range c.form.hashKeys("created") {
		if name != "gte" {
			return 0, unsupportedError("created["+name+"]", "")
		}
	}
	createdSince, _, err := c.form.number("created[gte]")
	return createdSince, err
}

// listInvoicePayments lists the payment of an invoice. The request names the invoice or the payment intent. The list is
// empty for an unknown payment intent.
func (c *call) listInvoicePayments() (renderFunc, error) {
	if err := c.form.allowOnly("payment[type]", "payment_intent"); err != nil {
		return nil, err
	}
	invoiceID, intentID := c.form.text("invoice"), c.form.text("payment[payment_intent]")
	if invoiceID == "" && intentID == "" {
		return nil, unsupportedError("invoice", "")
	}
	return func(v view) (object, error) {
		inv, found := v.Invoice(invoiceID)
		if invoiceID != "" && !found {
			return nil, unknownReferenceError("invoice", invoiceID, "invoice")
		}
		pi, found := v.Intent(cmp.Or(intentID, inv.PaymentID))
		if !found || !c.matchesPayment(pi) {
			return c.newListPage("invoice_payment", nil)
		}
		return c.newListPage("invoice_payment", []object{v.renderInvoicePayment(pi)})
	}, nil
}

// matchesPayment reports whether the payment of an invoice matches the filters invoice and status.
func (c *call) matchesPayment(pi fakepayment.IntentRecord) bool {
	invoiceID, status := c.form.text("invoice"), c.form.text("status")
	return pi.InvoiceID != "" && (invoiceID == "" || invoiceID == pi.InvoiceID) &&
		(status == "" || status == invoicePaymentStatus(pi))
}

// renderCharge returns the successful or pending charge for the invoice, or nil.
func (v view) renderCharge(inv fakepayment.InvoiceRecord) object {
	pi, found := v.Intent(inv.PaymentID)
	if !found || pi.Status != "succeeded" && pi.Status != "processing" {
		return nil
	}
	status, method, createdAt := "succeeded", inv.PaidWith, chargeTime(inv)
	if pi.Status == "processing" {
		status, method, createdAt = "pending", pi.Debited, pi.AcceptedAt
	}
	return object{
		"billing_details": emptyBillingDetails(), "outcome": chargeOutcome(method), "failure_code": nil, "failure_message": nil,
		"id": chargeID(pi.ID), "object": "charge", "livemode": false, "status": status, "paid": status == "succeeded",
		"captured": true,
		"customer": inv.CustomerID, "payment_intent": pi.ID, "payment_method": pi.CardID, "created": unixOrNull(createdAt),
		"amount": pi.Amount, "amount_captured": pi.Amount, "currency": stripeCurrency(pi.Currency),
		"amount_refunded": inv.Refunded, "refunded": inv.Refunded == pi.Amount, "disputed": inv.Disputed,
		"payment_method_details": chargedMethodDetails(method),
		"metadata":               v.state.metadataOf(chargeID(pi.ID)),
	}
}

// chargeOutcome returns the outcome of a charge that the bank has accepted.
func chargeOutcome(method fakepayment.CardRecord) object {
	riskLevel := "normal"
	if method.AccountLast4 != "" {
		riskLevel = "not_assessed"
	}
	return object{
		"advice_code": nil, "network_advice_code": nil, "network_decline_code": nil, "network_status": "approved_by_network",
		"reason": nil, "risk_level": riskLevel, "seller_message": "Payment complete.", "type": "authorized",
	}
}

// chargeTime returns when the invoice was paid or, while its payment is processing, when it was created.
func chargeTime(inv fakepayment.InvoiceRecord) time.Time { return cmp.Or(inv.PaidAt, inv.Created) }

// invoiceOfCharge returns the invoice that was paid with the charge.
func (v view) invoiceOfCharge(id string) (fakepayment.InvoiceRecord, bool) {
	pi, found := v.intentOfCharge(id)
	if !found || pi.Status != "succeeded" {
		return fakepayment.InvoiceRecord{}, false
	}
	return v.Invoice(pi.InvoiceID)
}

// chargeObject returns the charge with the id, or nil.
func (v view) chargeObject(id string) object {
	pi, _ := v.intentOfCharge(id)
	inv, found := v.Invoice(pi.InvoiceID)
	if !found {
		return nil
	}
	return v.renderCharge(inv)
}

// updateCharge changes the metadata of a charge.
func (c *call) updateCharge() (renderFunc, error) {
	id := c.pathValue("id")
	inv, err := readRecord(c, notFoundError("charge", id, "id"),
		func(v view) (fakepayment.InvoiceRecord, bool) { return v.invoiceOfCharge(id) })
	if err == nil {
		err = c.checkMetadata()
	}
	if err != nil {
		return nil, err
	}
	c.saveMetadata(id)
	return func(v view) (object, error) { return v.renderCharge(inv), nil }, nil
}

// chargeID returns the id of the successful charge of a payment intent.
func chargeID(intentID string) string { return "ch_" + strings.TrimPrefix(intentID, "pi_") }

// intentOfCharge returns the payment intent of the charge.
func (v view) intentOfCharge(id string) (fakepayment.IntentRecord, bool) {
	return v.Intent("pi_" + strings.TrimPrefix(id, "ch_"))
}

// requiredAmount returns the value of the parameter amount, in the currency. It returns an error without that parameter.
func (c *call) requiredAmount(currency string) (money.Amount, error) {
	if _, err := c.form.requiredText("amount"); err != nil {
		return money.Amount{}, err
	}
	minor, _, err := c.form.number("amount")
	if err != nil {
		return money.Amount{}, err
	}
	amount, err := money.New(minor, currency)
	if err != nil {
		return amount, invalidRequestError("", "currency", "Invalid currency: "+currency)
	}
	return amount, nil
}
