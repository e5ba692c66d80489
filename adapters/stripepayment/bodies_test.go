package stripepayment_test

import (
	"maps"
	"net/http"
	"strings"
)

// Names of parameters, as Stripe spells them.
const (
	paymentBehaviour   = "payment_behavior"   //nolint:misspell // American
	prorationBehaviour = "proration_behavior" //nolint:misspell // American
)

// object is one of Stripe's, as far as these tests care.
type object map[string]any

// with is the object with some fields changed.
func (o object) with(fields object) object {
	out := object{}
	maps.Copy(out, o)
	maps.Copy(out, fields)
	return out
}

func fine(body any) answer { return answer{status: http.StatusOK, body: body} }

func refusal(status int, fault object) answer {
	return answer{status: status, body: object{"error": fault}}
}

func invalidRequest(fields object) answer {
	return refusal(http.StatusBadRequest, object{"type": "invalid_request_error", "message": "It is not right: ann@clinic.example"}.with(fields))
}

func missing(param string) answer {
	return refusal(http.StatusNotFound, object{"type": "invalid_request_error", "code": "resource_missing", "message": "No such thing", "param": param})
}

func declined() answer {
	return refusal(http.StatusPaymentRequired, object{
		"type": "card_error", "code": "card_declined", "decline_code": "insufficient_funds",
		"message":        "Your card has insufficient funds.",
		"payment_intent": object{"id": "pi_1", "object": "payment_intent", "client_secret": "pi_1_secret_hush"},
	})
}

func list(items ...any) object {
	return object{"object": "list", "has_more": false, "data": append([]any{}, items...)}
}

func card(id string) object {
	return object{"id": id, "object": "payment_method", "type": "card", "customer": "cus_1",
		"card": object{"brand": "visa", "last4": "4242", "exp_month": 12, "exp_year": 2034}}
}

// customer is cus_1 with pm_1 as its default card.
var customer = object{
	"id": "cus_1", "object": "customer", "currency": nil,
	"metadata":         object{"org_id": "org_1", "currency": "AUD"},
	"invoice_settings": object{"default_payment_method": card("pm_1")},
	"subscriptions":    list(),
}

// cardless is the same without a card.
var cardless = customer.with(object{"invoice_settings": object{"default_payment_method": nil}})

// active is sub_1, paid, on the standard plan, yearly, in AUD.
var active = object{
	"id": "sub_1", "object": "subscription", "customer": "cus_1", "status": "active", "currency": "aud",
	"created": 1772366400, "trial_end": nil, "metadata": object{"org_id": "org_1"},
	"items": list(object{"id": "si_1", "object": "subscription_item", "current_period_end": 1803902400,
		"price": object{"id": "price_1", "object": "price", "lookup_key": "standard_yearly"}}),
	"latest_invoice": invoice("paid", "paid"), "pending_setup_intent": nil, "pending_update": nil,
}

// trialing is the same in its trial, whose first invoice is of nothing.
var trialing = active.with(object{
	"status": "trialing", "trial_end": 1772971200,
	"latest_invoice": object{"id": "in_1", "object": "invoice", "status": "paid", "amount_due": 0, "currency": "aud", "confirmation_secret": nil, "payments": list()},
})

// incomplete is the same with its first payment still to be made.
var incomplete = active.with(object{"status": "incomplete", "latest_invoice": invoice("open", "open")})

// openInvoice is in_1 of the incomplete subscription, with both and the customer.
var openInvoice = invoiceOf(incomplete, customer)

// invoiceOf is in_1, open, with its subscription and customer.
func invoiceOf(s, of object) object {
	return invoice("open", "open").with(object{"customer": of,
		"parent": object{"type": "subscription_details", "subscription_details": object{"subscription": s}}})
}

func invoice(status, payment string) object {
	return object{
		"id": "in_1", "object": "invoice", "status": status, "amount_due": 42000, "currency": "aud", "created": 1772366400,
		"confirmation_secret": object{"client_secret": "pi_1_secret_x", "type": "payment_intent"},
		"payments": list(object{"id": "inpay_1", "object": "invoice_payment", "is_default": true, "status": payment,
			"payment": object{"type": "payment_intent", "payment_intent": "pi_1"}}),
	}
}

func paymentIntent(status string) object {
	return object{"id": "pi_1", "object": "payment_intent", "status": status, "client_secret": "pi_1_secret_x"}
}

// price is a price of the embedded catalogue: its own amount in AUD, another in USD.
func price(key string, aud, usd int) object {
	interval := "month"
	if strings.HasSuffix(key, "yearly") {
		interval = "year"
	}
	return object{
		"id": "price_" + key, "object": "price", "active": true, "lookup_key": key, "currency": "aud", "unit_amount": aud,
		"product": "prod_1", "metadata": object{"price_id": key},
		"recurring":        object{"interval": interval, "interval_count": 1},
		"currency_options": object{"aud": object{"unit_amount": aud}, "usd": object{"unit_amount": usd}},
	}
}

// prices answers every look-up with the two plans' yearly prices.
func prices() answer {
	return fine(list(price("standard_yearly", 42000, 30000), price("professional_yearly", 81600, 58800)))
}
