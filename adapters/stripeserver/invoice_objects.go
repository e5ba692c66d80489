package stripeserver

import (
	"cmp"
	"maps"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// invoiceObject returns the invoice object, or nil.
func (v view) invoiceObject(id string) object {
	inv, found := v.Invoice(id)
	if !found {
		return nil
	}
	return v.renderInvoice(inv)
}

// renderInvoice returns the invoice object of a record. Since API version 2025-03-31 invoices have no payment_intent, and
// their payments and confirmation secret must be expanded.
func (v view) renderInvoice(inv fakepayment.InvoiceRecord) object {
	id, total := inv.ID, inv.AmountDue+inv.Credit
	amountPaid, paidAt := int64(0), any(nil)
	if inv.Status == "paid" {
		amountPaid, paidAt = inv.AmountDue, unixOrNull(inv.PaidAt)
	}
	amountRemaining := inv.AmountDue - amountPaid
	if inv.PaidOutside {
		amountPaid = 0 // Stripe has received nothing
	}
	taxes := []any{}
	if inv.Tax != 0 {
		taxes = append(taxes, object{"amount": inv.Tax, "taxable_amount": total - inv.Tax, "type": "tax_rate_details",
			"taxability_reason": "not_available",
			"tax_behavior":      "inclusive"}) //nolint:misspell // Stripe's spelling
	}
	s, _ := v.Subscription(inv.SubscriptionID)
	nextAttempt := any(nil)
	if s.LatestInvoiceID == id && inv.Status == "open" && !s.PaymentProcessing {
		nextAttempt = unixOrNull(s.RetryAt)
	}
	fields := object{
		"id": id, "object": "invoice", "livemode": false, "status": string(inv.Status), "customer": inv.CustomerID,
		"currency": stripeCurrency(inv.Currency), "created": unixOrNull(inv.Created), "billing_reason": billingReason(inv),
		"auto_advance":         inv.Status == "open" && !v.state.autoAdvanceDisabled[id] && s.Status != "canceled",
		"next_payment_attempt": nextAttempt,
		"starting_balance":     -inv.CreditBefore, "ending_balance": inv.Credit - inv.CreditBefore,
		"total": total, "total_taxes": taxes, "amount_due": inv.AmountDue, "amount_paid": amountPaid,
		"amount_remaining":                amountRemaining,
		"pre_payment_credit_notes_amount": 0, "post_payment_credit_notes_amount": v.state.creditNoteSum(id),
		"number": inv.Number, "lines": v.renderLines(inv), "due_date": nil,
		"invoice_pdf": "http://" + v.host + "/local/invoices/" + id + "/pdf",
		"status_transitions": object{"paid_at": paidAt, "voided_at": nil, "marked_uncollectible_at": nil,
			"finalized_at": unixOrNull(inv.Created)}, //nolint:misspell // Stripe's spelling
		"collection_method": "charge_automatically", "default_payment_method": nil, "metadata": object{},
		"attempt_count": inv.AttemptCount, "attempted": inv.AttemptCount > 0 || inv.Status == "paid",
		"subtotal": total, "discounts": []any{}, "default_tax_rates": v.taxRateObjects(v.state.subscriptionTaxRates[s.ID]),
		"amount_overpaid": 0, "amount_shipping": 0, "automatic_tax": disabledAutomaticTax(), "issuer": object{"type": "self"},
		"payment_settings": object{"default_mandate": nil, "payment_method_types": v.state.methodTypes[s.ID],
			"payment_method_options": nil},
		"period_start": v.periodBefore(inv).start.Unix(), "period_end": v.periodBefore(inv).end.Unix(),
		"parent": object{"type": "subscription_details", "quote_details": nil,
			"subscription_details": object{"subscription": inv.SubscriptionID,
				"metadata": v.state.metadataOf(inv.SubscriptionID)}},
	}
	maps.Copy(fields, buyerFields(inv))
	return fields
}

// disabledAutomaticTax returns the field automatic_tax of invoices and subscriptions. The provider calculates taxes from
// the catalogue.
func disabledAutomaticTax() object {
	return object{"enabled": false, "disabled_reason": nil, "liability": nil, "provider": nil, "status": nil}
}

// periodBefore returns the period in which the items of an invoice were added. For a renewal it is the period that has
// ended. Otherwise it starts and ends when the invoice is created.
func (v view) periodBefore(inv fakepayment.InvoiceRecord) phase {
	if billingReason(inv) != "subscription_cycle" {
		return phase{start: inv.Created, end: inv.Created}
	}
	previous, _ := v.Invoice(inv.PreviousID)
	start := cmp.Or(previous.Created, inv.Created)
	if len(previous.Lines) > 0 {
		start = previous.Lines[len(previous.Lines)-1].Start
	}
	return phase{start: start, end: inv.Created}
}

// buyerFields returns the invoice's fields with the customer's details at the time of the invoice.
func buyerFields(inv fakepayment.InvoiceRecord) object {
	b := inv.Buyer.Details.Buyer(inv.Buyer.Name)
	fields := object{"customer_name": textOrNull(b.Name), "customer_address": nil, "customer_tax_ids": []any{},
		"custom_fields": nil}
	if b.Country != "" {
		fields["customer_address"] = object{
			"line1": b.Line1, "line2": textOrNull(b.Line2), "city": b.City, "state": b.State, "postal_code": b.PostalCode,
			"country": b.Country,
		}
	}
	if b.TaxID != "" {
		fields["customer_tax_ids"] = []any{object{"type": b.TaxIDType, "value": b.TaxID}}
	}
	if b.PurchaseOrder != "" {
		fields["custom_fields"] = []any{object{"name": "Purchase order", "value": b.PurchaseOrder}}
	}
	return fields
}

func billingReason(inv fakepayment.InvoiceRecord) string {
	switch {
	case inv.IsPlanChange:
		return "subscription_update"
	case inv.PreviousID == "":
		return "subscription_create"
	}
	return "subscription_cycle"
}

// confirmationSecret returns the client secret with which a browser confirms the payment, or null without a payment.
func (v view) confirmationSecret(id string) any {
	inv, _ := v.Invoice(id)
	pi, found := v.Intent(inv.PaymentID)
	if !found {
		return nil
	}
	return object{"type": "payment_intent", "client_secret": pi.Secret}
}

// paymentsOf returns the list of the invoice's payments. It is empty if nothing was due, for example for a trial.
func (v view) paymentsOf(id string) any {
	inv, _ := v.Invoice(id)
	pi, found := v.Intent(inv.PaymentID)
	if !found {
		return newListObject("/v1/invoices/"+id+"/payments", nil)
	}
	return newListObject("/v1/invoices/"+id+"/payments", []object{v.renderInvoicePayment(pi)})
}

// renderInvoicePayment returns the payment of an invoice.
func (v view) renderInvoicePayment(pi fakepayment.IntentRecord) object {
	inv, _ := v.Invoice(pi.InvoiceID)
	amountPaid, paidAt := any(nil), any(nil)
	if pi.Status == "succeeded" {
		amountPaid, paidAt = pi.Amount, unixOrNull(chargeTime(inv))
	}
	return object{
		"id": "inpay_" + strings.TrimPrefix(pi.ID, "pi_"), "object": "invoice_payment", "livemode": false,
		"invoice":    pi.InvoiceID,
		"is_default": true, "status": invoicePaymentStatus(pi), "currency": stripeCurrency(pi.Currency),
		"created":            unixOrNull(inv.Created),
		"status_transitions": object{"paid_at": paidAt, "canceled_at": nil},
		"amount_requested":   pi.Amount, "amount_paid": amountPaid,
		"payment": object{"type": "payment_intent", "payment_intent": pi.ID},
	}
}

func invoicePaymentStatus(pi fakepayment.IntentRecord) string {
	switch pi.Status {
	case "succeeded":
		return "paid"
	case "canceled":
		return "canceled"
	}
	return "open"
}
