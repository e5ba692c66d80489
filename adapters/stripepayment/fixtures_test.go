package stripepayment_test

import (
	"maps"
	"net/http"
	"strings"

	"github.com/vc-admin/diy/domain/money"
)

// Parameter names in Stripe's spelling.
const (
	paymentBehaviourParam   = "payment_behavior"   //nolint:misspell // American
	prorationBehaviourParam = "proration_behavior" //nolint:misspell // American
)

// object is a JSON object of Stripe's API.
type object map[string]any

// customer is cus_1 with pm_1 as its default card.
var customer = object{
	"id": "cus_1", "object": "customer", "currency": nil,
	"metadata":         object{"org_id": "org_1", "currency": "AUD"},
	"invoice_settings": object{"default_payment_method": card("pm_1")},
	"subscriptions":    list(),
}

// customerWithoutCard has no default card.
var customerWithoutCard = customer.withFields(object{"invoice_settings": object{"default_payment_method": nil}})

// activeSubscription is sub_1: the yearly standard plan in AUD, paid.
var activeSubscription = object{
	"id": "sub_1", "object": "subscription", "customer": "cus_1", "status": "active", "currency": "aud",
	"created": 1772366400, "trial_end": nil, "metadata": object{"org_id": "org_1"},
	"items": list(object{"id": "si_1", "object": "subscription_item", "quantity": 1, "current_period_start": 1772366400,
		"current_period_end": 1803902400,
		"price": object{"id": "price_1", "object": "price", "lookup_key": "standard_yearly", "currency": "aud",
			"unit_amount": 42000}}),
	"latest_invoice": invoice("paid", "paid"), "pending_setup_intent": nil, "pending_update": nil,
	"schedule": nil, "cancel_at": nil, "cancel_at_period_end": false, "pause_collection": nil,
}

// trialingSubscription is sub_1 during its trial, with a first invoice of zero.
var trialingSubscription = activeSubscription.withFields(object{
	"status": "trialing", "trial_end": 1772971200,
	"latest_invoice": object{"id": "in_1", "object": "invoice", "status": "paid", "amount_due": 0, "currency": "aud",
		"confirmation_secret": nil, "payments": list()},
})

// subscriptionWithScheduledChange is the active subscription with a change to the professional plan at its renewal.
var subscriptionWithScheduledChange = activeSubscription.withFields(object{"schedule": schedule(schedulePhase(1772366400,
	1803902400, "price_1"),
	schedulePhase(1803902400, 1835438400, "price_2"))})

// subscriptionWithFinishedSchedule is the active subscription with a schedule that has no next phase.
var subscriptionWithFinishedSchedule = activeSubscription.withFields(object{
	"schedule": schedule(schedulePhase(1772366400, 1803902400, "price_1")),
})

// incompleteSubscription is sub_1 with an open first invoice.
var incompleteSubscription = activeSubscription.withFields(object{
	"status": "incomplete", "latest_invoice": invoice("open", "open"),
})

// openInvoice is in_1 of incompleteSubscription.
var openInvoice = expandedInvoice(incompleteSubscription, customer)

// paidInvoice is in_1 of activeSubscription, paid.
var paidInvoice = openInvoice.withFields(object{
	"status": "paid", "number": "A-0001", "amount_paid": 42000, "invoice_pdf": "https://pay.stripe.com/invoice/pdf",
	"status_transitions": object{"paid_at": 1772366460},
	"payments": list(object{"id": "inpay_1", "object": "invoice_payment", "is_default": true, "status": "paid",
		"payment": object{"type": "payment_intent", "payment_intent": "pi_1"}}),
	"parent":      object{"type": "subscription_details", "subscription_details": object{"subscription": activeSubscription}},
	"total_taxes": []any{object{"amount": 3818, "tax_behavior": "inclusive"}}, //nolint:misspell // Stripe's spelling
	"lines":       list(line("price_2", 42000, false)),
})

// line returns an invoice line for the year from 12:00 UTC on 1 March 2026.
func line(priceID string, amount int, proration bool) object {
	return object{
		"id": "il_1", "object": "line_item", "amount": amount, "currency": "aud",
		"description": "1 × Clinic (at $420.00 / year)",
		"period":      object{"start": 1772366400, "end": 1803902400},
		"parent":      object{"type": "subscription_item_details", "subscription_item_details": object{"proration": proration}},
		"pricing":     object{"type": "price_details", "price_details": object{"price": priceID}},
	}
}

// withFields returns a copy of the object in which the fields are added or replaced.
func (o object) withFields(fields object) object {
	clone := object{}
	maps.Copy(clone, o)
	maps.Copy(clone, fields)
	return clone
}

func okResponse(body any) response { return response{status: http.StatusOK, body: body} }

func errorResponse(status int, errorObject object) response {
	return response{status: status, body: object{"error": errorObject}}
}

func invalidRequestResponse(fields object) response {
	return errorResponse(http.StatusBadRequest,
		object{"type": "invalid_request_error", "message": "Invalid parameter: ann@clinic.example"}.withFields(fields))
}

// resourceMissingResponse returns the error for a parameter that names an object that does not exist.
func resourceMissingResponse(param string) response {
	return errorResponse(http.StatusNotFound,
		object{"type": "invalid_request_error", "code": "resource_missing", "message": "No such thing", "param": param})
}

func declinedResponse() response {
	return errorResponse(http.StatusPaymentRequired, object{
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

// expandedInvoice returns in_1, open, expanded with the subscription and the customer.
func expandedInvoice(subscription, customer object) object {
	return invoice("open", "open").withFields(object{"customer": customer,
		"parent": object{"type": "subscription_details", "subscription_details": object{"subscription": subscription}}})
}

// invoice returns in_1 with the statuses of the invoice and of its payment.
func invoice(status, paymentStatus string) object {
	amountPaid := map[string]int{"paid": 42000}[status]
	return object{
		"id": "in_1", "object": "invoice", "status": status, "total": 42000, "amount_due": 42000, "amount_paid": amountPaid,
		"currency": "aud", "created": 1772366400,
		"confirmation_secret": object{"client_secret": "pi_1_secret_x", "type": "payment_intent"},
		"payments": list(object{"id": "inpay_1", "object": "invoice_payment", "is_default": true, "status": paymentStatus,
			"payment": object{"type": "payment_intent", "payment_intent": "pi_1"}}),
	}
}

// charge is ch_1, with which in_1 was paid.
var charge = object{
	"id": "ch_1", "object": "charge", "customer": "cus_1", "payment_intent": "pi_1", "amount": 42000,
	"amount_refunded": 0, "disputed": false,
	"status": "succeeded", "currency": "aud", "created": 1772366460,
	"payment_method_details": object{"type": "card",
		"card": object{"brand": "visa", "last4": "4242", "exp_month": 8, "exp_year": 2030}},
}

// schedule returns sub_sched_1, in its first phase.
func schedule(phases ...any) object {
	return object{
		"id": "sub_sched_1", "object": "subscription_schedule", "status": "active",
		"current_phase": object{"start_date": 1772366400, "end_date": 1803902400}, "phases": phases,
	}
}

func schedulePhase(start, end int, priceID string) object {
	return object{"start_date": start, "end_date": end, "items": []any{object{"price": priceID, "quantity": 1}}}
}

func paymentIntent(status string) object {
	return object{"id": "pi_1", "object": "payment_intent", "status": status, "client_secret": "pi_1_secret_x"}
}

// price returns a price in AUD with a currency option in USD.
func price(key string, audMinor, usdMinor int) object {
	interval := "month"
	if strings.HasSuffix(key, "yearly") {
		interval = "year"
	}
	return object{
		"id": "price_" + key, "object": "price", "active": true, "lookup_key": key, "currency": "aud", "unit_amount": audMinor,
		"product": "prod_1", "metadata": object{"price_id": key},
		"recurring":        object{"interval": interval, "interval_count": 1},
		"currency_options": object{"aud": object{"unit_amount": audMinor}, "usd": object{"unit_amount": usdMinor}},
	}
}

// taxRate is the tax rate of the prices in AUD.
var taxRate = object{
	"id": "txr_1", "object": "tax_rate", "active": true, "inclusive": true, "display_name": "GST", "percentage": 10,
	"metadata": object{"prices_in": "AUD"},
}

// pricesResponse returns the yearly prices of both plans.
func pricesResponse() response {
	return okResponse(list(price("standard_yearly", 42000, 30000), price("professional_yearly", 81600, 58800)))
}

// subscriptionItem returns the subscription item with the price of the lookup key.
func subscriptionItem(lookupKey string) object {
	amount := map[string]int{"standard_monthly": 3900, "standard_yearly": 42000, "professional_yearly": 81600}[lookupKey]
	return object{"id": "si_1", "object": "subscription_item", "quantity": 1, "current_period_end": 1803902400,
		"price": object{"id": "price_" + lookupKey, "object": "price", "lookup_key": lookupKey, "currency": "aud",
			"unit_amount": amount}}
}

func aud(minor int64) money.Amount {
	amount, err := money.New(minor, "AUD")
	if err != nil {
		panic(err) // the currency is known
	}
	return amount
}
