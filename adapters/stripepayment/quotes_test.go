package stripepayment_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/ports/payment"
)

const createPreviewRoute = "POST /v1/invoices/create_preview"

// preview is the invoice of an upgrade in the middle of the period, with 1000 of credit.
var preview = object{
	"id": "upcoming_in_1", "object": "invoice", "status": "draft", "currency": "aud", "created": 1772366400,
	"total": 20000, "amount_due": 19000, "starting_balance": -1000, "ending_balance": 0,
	"parent": object{"type": "subscription_details",
		"subscription_details": object{"subscription": "sub_1", "subscription_proration_date": 1772366500}},
	"lines": list(line("price_standard_yearly", -21000, true), line("price_professional_yearly", 41000, true)),
}

// stubForQuote responds to a quote for the subscription with the preview.
func stubForQuote(t *testing.T, subscription, preview object) *stub {
	return stubWithCustomerAndPrices(t, customer).respond(readSubscriptionRoute, okResponse(subscription)).
		respond(createPreviewRoute, okResponse(preview)).
		respond(listChargesRoute, okResponse(list())).
		respond("GET /v1/prices/price_standard_yearly", okResponse(price("standard_yearly", 42000, 30000)))
}

func TestQuoteChange_PreviewsTheParametersOfTheChange(t *testing.T) {
	s := stubForQuote(t, activeSubscription, preview)

	q, err := s.provider().QuoteChange(t.Context(), planChange)

	require.NoError(t, err)
	end := time.Unix(1803902400, 0).UTC()
	assert.Equal(t, billing.Quote{
		At: time.Unix(1772366500, 0).UTC(), Tax: aud(0), Total: aud(20000), DueNow: aud(19000), CreditBefore: aud(1000),
		CreditAfter: aud(0),
		Lines: []billing.Line{
			{Description: "Unused time on Standard", Price: standard, Amount: aud(-21000), Start: noon, End: end,
				Proration: true},
			{Description: "Professional", Price: professional, Amount: aud(41000), Start: noon, End: end, Proration: true},
		},
		Next: billing.Charge{Amount: aud(81600), At: end}, Renewal: aud(81600),
	}, q)
	assert.Equal(t, url.Values{
		"subscription": {"sub_1"}, "subscription_details[items][0][id]": {"si_1"},
		"subscription_details[items][0][price]":                 {"price_professional_yearly"},
		"subscription_details[" + prorationBehaviourParam + "]": {"always_invoice"},
	}, s.lastRequest(createPreviewRoute).params, "without a date Stripe uses its own time")
}

func TestQuoteChange_SendsTheTimeOfTheChangeAndReportsTheCredit(t *testing.T) {
	trialChange, changeAtNoon := planChange, monthlyChange
	trialChange.EndTrial, changeAtNoon.At = true, noon
	monthlySubscription := activeSubscription.withFields(object{"items": list(subscriptionItem("standard_monthly"))})
	for name, c := range map[string]struct {
		subscription, preview object
		req                   payment.PriceChange
		params                map[string]string
		creditAfter           int64
	}{
		"given time, other interval": {monthlySubscription, preview, changeAtNoon,
			map[string]string{"proration_date": "1772366400", "billing_cycle_anchor": "now"}, 0},
		"end of a trial": {trialingSubscription, preview, trialChange, map[string]string{"trial_end": "now"}, 0},
		"too small to charge": {activeSubscription,
			preview.withFields(object{"total": 30, "amount_due": 0, "starting_balance": 0, "ending_balance": nil}), planChange,
			nil, -30},
		"credit remains": {activeSubscription,
			preview.withFields(object{"total": -500, "amount_due": 0, "ending_balance": nil}), planChange, nil, 1500},
		"ending balance is reported": {activeSubscription,
			preview.withFields(object{"total": -500, "amount_due": 0, "ending_balance": -1500}), planChange, nil, 1500},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubForQuote(t, c.subscription, c.preview).respond(listChargesRoute, okResponse(list(charge)))
			q, err := s.provider().QuoteChange(t.Context(), c.req)
			require.NoError(t, err)
			assert.Equal(t, aud(c.creditAfter), q.CreditAfter)
			assert.Equal(t, aud(max(0, 81600-c.creditAfter)), q.Next.Amount)
			assert.Equal(t, c.req.EndTrial, q.EndsTrial)
			for param, value := range c.params {
				assert.Equal(t, value, s.lastRequest(createPreviewRoute).params.Get("subscription_details["+param+"]"))
			}
		})
	}
}

func TestQuoteSubscription_WithTrialIsFreeNowAndChargesThePriceNext(t *testing.T) {
	trialPreview := preview.withFields(object{"total": 0, "amount_due": 0, "starting_balance": 0, "parent": nil,
		"lines": list(line("price_standard_yearly", 0, false))})
	s := stubForQuote(t, activeSubscription, trialPreview)
	req := newSubscription
	req.Key, req.TrialDays = "", 7
	q, err := s.provider().QuoteSubscription(t.Context(), req)
	require.NoError(t, err)
	assert.Zero(t, q.DueNow.Minor())
	assert.Equal(t, aud(42000), q.Next.Amount)
	assert.Equal(t, "Free trial of Standard", q.Lines[0].Description)
	assert.Equal(t, url.Values{
		"customer": {"cus_1"}, "currency": {"aud"}, "subscription_details[items][0][price]": {"price_standard_yearly"},
		"subscription_details[trial_end]": {"1772971200"}, "subscription_details[default_tax_rates][0]": {"txr_1"},
	}, s.lastRequest(createPreviewRoute).params)
}
