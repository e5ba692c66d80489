package stripepayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/payment"
)

// discountedSubscription is the active subscription with a coupon that an operator has added.
var discountedSubscription = activeSubscription.withFields(object{"discounts": []any{"di_1"}})

// discountedCustomer is the customer with a coupon for all invoices.
var discountedCustomer = customer.withFields(object{"discount": object{"id": "di_2", "object": "discount"}})

// discountedPreview is the preview of a yearly invoice with a coupon of 50 %. The amounts of its lines are those before
// the discount.
var discountedPreview = preview.withFields(object{
	"total": 21000, "amount_due": 20000, "parent": nil, "lines": list(line("price_standard_yearly", 42000, false)),
	"total_discount_amounts": []any{object{"amount": 21000, "discount": "di_1"}},
})

// addDiscounts returns a copy of the schedule with the discount, a coupon and a promotion code in its first phase.
func addDiscounts(s object, discount string) object {
	phase := s["phases"].([]any)[0].(object).withFields(object{"discounts": []any{
		object{"coupon": nil, "discount": discount, "promotion_code": nil},
		object{"coupon": "half", "discount": nil, "promotion_code": nil},
		object{"coupon": nil, "discount": nil, "promotion_code": "promo_1"},
	}})
	return s.withFields(object{"phases": []any{phase}})
}

// newDiscountLine returns the line for a discount.
func newDiscountLine(minor int64) billing.Line {
	return billing.Line{Description: "Discount", Amount: aud(-minor)}
}

// The price in the response has an amount in its own currency only.
func TestSubscription_ReadsItsAmountInAnotherCurrencyOnce(t *testing.T) {
	subscriptionInUSD := activeSubscription.withFields(object{"currency": "usd"})
	s := newStub(t).respond(readSubscriptionRoute, okResponse(subscriptionInUSD)).
		respond("GET /v1/prices/price_1", okResponse(price("standard_yearly", 42000,
			30000).withFields(object{"id": "price_1"})))
	p := s.provider()
	for range 2 {
		sub, err := p.Subscription(t.Context(), "sub_1")
		require.NoError(t, err)
		assert.Equal(t, "USD 300.00", sub.Amount.String())
		assert.Equal(t, sub.Amount, sub.Renewal)
	}
	assert.Equal(t, 1, s.count("GET /v1/prices/price_1"), "the amount never changes")
	assert.Equal(t, "currency_options", s.lastRequest("GET /v1/prices/price_1").params.Get("expand[0]"))
}

func TestSubscription_AmountOfATieredPriceIsUnknown(t *testing.T) {
	item := activeSubscription["items"].(object)["data"].([]any)[0].(object)
	tieredItem := item.withFields(object{
		"price": item["price"].(object).withFields(object{"billing_scheme": "tiered", "unit_amount": nil}),
	})
	s := newStub(t).
		respond(readSubscriptionRoute, okResponse(activeSubscription.withFields(object{"items": list(tieredItem)})))
	sub, err := s.provider().Subscription(t.Context(), "sub_1")
	require.NoError(t, err)
	assert.Zero(t, sub.Amount)
	assert.Zero(t, sub.Renewal)
}

func TestSubscription_RenewalIsPreviewedWithAdjustments(t *testing.T) {
	item := activeSubscription["items"].(object)["data"].([]any)[0].(object)
	for name, c := range map[string]struct {
		subscription object
		params       url.Values // nil if nothing is previewed
	}{
		"no adjustment": {activeSubscription, nil},
		"discount":      {discountedSubscription, url.Values{"subscription": {"sub_1"}}},
		"discount of an item": {activeSubscription.withFields(object{
			"items": list(item.withFields(object{"discounts": []any{"di_1"}}))}),
			url.Values{"subscription": {"sub_1"}}},
		"discount of the customer": {activeSubscription.withFields(object{"customer": discountedCustomer}),
			url.Values{"subscription": {"sub_1"}}},
		"another item": {activeSubscription.withFields(object{"items": list(item, item.withFields(object{"id": "si_2"}))}),
			url.Values{"subscription": {"sub_1"}}},
		"discount and scheduled change": {subscriptionWithScheduledChange.withFields(object{"discounts": []any{"di_1"}}),
			url.Values{"schedule": {"sub_sched_1"}}},
		"discount of an ending subscription": {discountedSubscription.withFields(object{"cancel_at_period_end": true,
			"cancel_at": 1803902400}),
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(readSubscriptionRoute, okResponse(c.subscription)).
				respond(createPreviewRoute, okResponse(discountedPreview)).
				respond(readPriceRoute, okResponse(object{"id": "price_2", "lookup_key": "professional_yearly",
					"currency":    "aud",
					"unit_amount": 81600}))
			sub, err := s.provider().Subscription(t.Context(), "sub_1")
			require.NoError(t, err)
			assert.Equal(t, aud(42000), sub.Amount)
			if c.params == nil {
				assert.Equal(t, sub.Amount, sub.Renewal)
				assert.Zero(t, s.count(createPreviewRoute))
				return
			}
			assert.Equal(t, aud(21000), sub.Renewal, "the amount does not deduct credit")
			assert.Equal(t, c.params, s.lastRequest(createPreviewRoute).params)
		})
	}
}

func TestSubscription_RenewalIsUnknownIfThePreviewFails(t *testing.T) {
	s := newStub(t).respond(readSubscriptionRoute, okResponse(discountedSubscription)).
		respond(createPreviewRoute, invalidRequestResponse(object{}))
	sub, err := s.provider().Subscription(t.Context(), "sub_1")
	require.NoError(t, err)
	assert.Equal(t, aud(42000), sub.Amount)
	assert.Equal(t, money.Amount{}, sub.Renewal)
	assert.Contains(t, s.log.String(), "preview renewal")
}

func TestListInvoices_AddsALineForTheDiscount(t *testing.T) {
	s := stubForInvoices(t, paidInvoice.withFields(object{
		"total": 21000, "amount_due": 21000, "amount_paid": 21000,
		"total_discount_amounts": []any{object{"amount": 21000, "discount": "di_1"}},
	}))
	page, err := s.provider().ListInvoices(t.Context(), payment.InvoiceQuery{CustomerID: "cus_1", Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Invoices[0].Lines, 2)
	assert.Equal(t, aud(42000), page.Invoices[0].Lines[0].Amount)
	assert.Equal(t, newDiscountLine(21000), page.Invoices[0].Lines[1])
	assert.Equal(t, aud(21000), page.Invoices[0].Total)
}

// An immediate change may use up the coupon.
func TestQuoteChange_WithADiscountHasNoNextCharge(t *testing.T) {
	previewWithDiscount := preview.withFields(object{"total": 10000, "amount_due": 9000,
		"total_discount_amounts": []any{object{"amount": 10000, "discount": "di_1"}}})
	q, err := stubForQuote(t, discountedSubscription, previewWithDiscount).provider().QuoteChange(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, aud(9000), q.DueNow)
	assert.Equal(t, newDiscountLine(10000), q.Lines[2])
	assert.Zero(t, q.Next)
}

func TestQuoteChange_AtRenewalWithADiscountPreviewsTheSubscription(t *testing.T) {
	s := stubForQuote(t, discountedSubscription, discountedPreview)
	q, err := s.provider().QuoteChange(t.Context(), planChangeAtRenewal())
	require.NoError(t, err)
	assert.Equal(t, aud(21000), q.Total)
	assert.Equal(t, billing.Charge{Amount: aud(20000), At: time.Unix(1803902400, 0).UTC()}, q.Next)
	assert.Equal(t, url.Values{
		"subscription": {"sub_1"}, "subscription_details[items][0][id]": {"si_1"},
		"subscription_details[items][0][price]":                 {"price_professional_yearly"},
		"subscription_details[" + prorationBehaviourParam + "]": {"none"},
	}, s.lastRequest(createPreviewRoute).params)
}

func TestQuoteSubscription_WithADiscountPreviewsTheNextChargeOnlyForATrial(t *testing.T) {
	trialPreview := preview.withFields(object{"total": 0, "amount_due": 0, "starting_balance": 0, "parent": nil,
		"lines": list(line("price_standard_yearly", 0, false))})
	for days, c := range map[int]struct {
		previewResponses []response
		nextCharge       billing.Charge
	}{
		0: {[]response{okResponse(discountedPreview)}, billing.Charge{}},
		7: {[]response{okResponse(trialPreview), okResponse(discountedPreview)},
			billing.Charge{Amount: aud(20000), At: time.Unix(1803902400, 0).UTC()}},
	} {
		s := stubWithCustomerAndPrices(t, discountedCustomer).respond(createPreviewRoute, c.previewResponses...).
			respond("GET /v1/prices/price_standard_yearly", okResponse(price("standard_yearly", 42000, 30000)))
		req := newSubscription
		req.TrialDays = days
		q, err := s.provider().QuoteSubscription(t.Context(), req)
		require.NoError(t, err)
		assert.Equal(t, c.nextCharge, q.Next, "%d days", days)
		assert.Empty(t, s.lastRequest(createPreviewRoute).params.Get("subscription_details[trial_end]"),
			"the last preview is of the first charge")
	}
}

func TestChangePlan_AtRenewalKeepsDiscounts(t *testing.T) {
	s := stubForChangeAtRenewal(t, activeSubscription).
		respond(createScheduleRoute, okResponse(addDiscounts(subscriptionWithFinishedSchedule["schedule"].(object), "di_1")))
	_, err := s.provider().ChangePlan(t.Context(), planChangeAtRenewal())
	require.NoError(t, err)
	params := s.lastRequest(updateScheduleRoute).params
	for _, phase := range []string{"phases[0]", "phases[1]"} {
		assert.Equal(t, "di_1", params.Get(phase+"[discounts][0][discount]"))
		assert.Equal(t, "half", params.Get(phase+"[discounts][1][coupon]"))
		assert.Equal(t, "promo_1", params.Get(phase+"[discounts][2][promotion_code]"))
	}
}
