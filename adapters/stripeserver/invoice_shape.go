package stripeserver

import (
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// invoice is an invoice. It has had no payment_intent since API version 2025-03-31: what there is
// to know of its payments is hidden until it is asked for.
func (v view) invoice(id string) object {
	inv, found := v.Invoice(id)
	if !found {
		return nil
	}
	paid := int64(0)
	if inv.Status == "paid" {
		paid = inv.Amount
	}
	s, _ := v.Subscription(inv.Subscription)
	next := any(nil)
	if s.Invoice == id && inv.Status == "open" {
		next = unix(s.RetryAt)
	}
	return object{
		"auto_advance": inv.Status == "open" && !v.notes.held[id], "next_payment_attempt": next,
		"id": id, "object": "invoice", "livemode": false, "status": string(inv.Status), "customer": inv.Customer,
		"currency": small(inv.Currency), "created": unix(inv.Created), "billing_reason": reasonOf(inv),
		"total": inv.Amount, "amount_due": inv.Amount, "amount_paid": paid, "amount_remaining": inv.Amount - paid,
		"collection_method": "charge_automatically", "default_payment_method": nil, "metadata": object{},
		"parent": object{"type": "subscription_details", "quote_details": nil,
			"subscription_details": object{"subscription": inv.Subscription, "metadata": v.notes.metadataOf(inv.Subscription)}},
	}
}

func reasonOf(inv fakepayment.InvoiceRecord) string {
	if inv.Previous == "" {
		return "subscription_create"
	}
	return "subscription_cycle"
}

// confirmationSecret is what a browser pays the invoice with; null when there is nothing to pay.
func (v view) confirmationSecret(id string) any {
	inv, _ := v.Invoice(id)
	in, found := v.Intent(inv.Payment)
	if !found {
		return nil
	}
	return object{"type": "payment_intent", "client_secret": in.Secret}
}

// paymentsOf is the invoice's payments: none when there was nothing to pay, as for a trial.
func (v view) paymentsOf(id string) any {
	inv, _ := v.Invoice(id)
	in, found := v.Intent(inv.Payment)
	if !found {
		return listed("/v1/invoices/"+id+"/payments", nil)
	}
	paid := any(nil)
	if in.Status == "succeeded" {
		paid = in.Amount
	}
	return listed("/v1/invoices/"+id+"/payments", []object{{
		"id": "inpay_" + strings.TrimPrefix(in.ID, "pi_"), "object": "invoice_payment", "livemode": false, "invoice": id,
		"is_default": true, "status": paymentStatus(in), "currency": small(in.Currency), "created": unix(inv.Created),
		"amount_requested": in.Amount, "amount_paid": paid, "payment": object{"type": "payment_intent", "payment_intent": in.ID},
	}})
}

func paymentStatus(in fakepayment.IntentRecord) string {
	switch in.Status {
	case "succeeded":
		return "paid"
	case "canceled":
		return "canceled"
	}
	return "open"
}
