package stripepayment_test

import (
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// pathIDPattern matches an id in a path; its group is the prefix of the id.
var pathIDPattern = regexp.MustCompile(`/(cus|pm|sub_sched|sub|in|pi|prod|price|diy|txi|txr)_[^/]+`)

// TestStripeMock_AcceptsEveryRequest sends every kind of request that the package comment lists to stripe-mock.
func TestStripeMock_AcceptsEveryRequest(t *testing.T) {
	m := startStripeMock(t)
	sendCustomerRequests(t, m)
	sendPurchaseRequests(t, m)
	sendPlanChangeRequests(t, m)
	sendCancellationRequests(t, m)
	sendQuoteAndListRequests(t, m)
	sendDetailsAndSupportRequests(t, m)
	sendCatalogueRequests(t, m)

	routes := map[string]bool{}
	for route := range m.routes {
		routes[pathIDPattern.ReplaceAllString(route, "/{$1}")] = true
	}
	assert.Equal(t, []string{
		"DELETE /v1/customers/{cus}/tax_ids/{txi}",
		"DELETE /v1/subscriptions/{sub}",
		"GET /v1/charges", "GET /v1/credit_notes",
		"GET /v1/customers",
		"GET /v1/customers/{cus}",
		"GET /v1/customers/{cus}/payment_methods",
		"GET /v1/customers/{cus}/payment_methods/{pm}",
		"GET /v1/invoice_payments",
		"GET /v1/invoices",
		"GET /v1/invoices/{in}",
		"GET /v1/payment_intents/{pi}",
		"GET /v1/payment_methods/{pm}",
		"GET /v1/prices",
		"GET /v1/prices/{price}",
		"GET /v1/products", "GET /v1/products/{prod}",
		"GET /v1/subscriptions",
		"GET /v1/subscriptions/{sub}",
		"GET /v1/tax_rates",
		"POST /v1/credit_notes",
		"POST /v1/customers",
		"POST /v1/customers/{cus}",
		"POST /v1/customers/{cus}/balance_transactions",
		"POST /v1/customers/{cus}/tax_ids",
		"POST /v1/invoices/create_preview",
		"POST /v1/invoices/{in}",
		"POST /v1/invoices/{in}/pay",
		"POST /v1/invoices/{in}/void",
		"POST /v1/payment_methods/{pm}/attach",
		"POST /v1/payment_methods/{pm}/detach",
		"POST /v1/prices",
		"POST /v1/prices/{price}",
		"POST /v1/products",
		"POST /v1/products/{diy}",
		"POST /v1/subscription_schedules",
		"POST /v1/subscription_schedules/{sub_sched}",
		"POST /v1/subscription_schedules/{sub_sched}/release",
		"POST /v1/subscriptions",
		"POST /v1/subscriptions/{sub}",
		"POST /v1/tax_rates",
		"POST /v1/tax_rates/{txr}",
	}, slices.Sorted(maps.Keys(routes)))
}

func sendCustomerRequests(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	c, err := p.CreateCustomer(ctx, payment.NewCustomer{
		Key: "key-1", OrganisationID: "org_1", Name: "Northside", Email: "ann@clinic.example", Phone: "+61 2 5550 1234",
		Currency: "AUD",
		Address: account.Address{Line1: "1 High Street", Line2: "Level 2", City: "Sydney", State: "NSW",
			PostalCode: "2000", Country: "AU"},
	})
	require.NoError(t, err)
	assert.NotEmpty(t, c.ID)
	_, err = p.Customer(ctx, "cus_1")
	require.NoError(t, err)
	_, err = p.CustomerOf(ctx, payment.Owner{OrganisationID: "org_nobody", Email: "ann@clinic.example"})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	cards, err := p.Cards(ctx, "cus_1")
	require.NoError(t, err)
	assert.NotEmpty(t, cards)

	m.respond(attachCardRoute, okResponse(object{}), invalidRequestResponse(object{"message": alreadyAttachedMessage})).
		respond(readCardRoute, okResponse(object{"customer": "cus_1"}))
	m.respond(updateCustomerRoute,
		okResponse(object{"subscriptions": list(activeSubscription.withFields(object{"default_payment_method": "pm_0",
			"default_source": "card_0"}))}))
	for _, key := range []string{"key-2", "key-3"} {
		card, err := p.AddCard(ctx, payment.NewCard{Key: key, CustomerID: "cus_1", MethodID: "pm_1"})
		require.NoError(t, err)
		assert.Equal(t, "pm_1", card.ID)
	}
	_, err = p.SetDefaultCard(ctx, savedCard)
	require.NoError(t, err)
	require.NoError(t, p.DeleteCard(ctx, savedCard))
}

func sendPurchaseRequests(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	m.respond(readCustomerRoute, okResponse(customer)).respond(lookUpPricesRoute, pricesResponse()).
		respond(subscribeRoute, okResponse(incompleteSubscription), okResponse(trialingSubscription))
	req := newSubscription
	s, err := p.Subscribe(ctx, req)
	require.NoError(t, err)
	assert.NotNil(t, s.LatestInvoice.Payment)
	req.TrialDays = 7
	_, err = p.Subscribe(ctx, req)
	require.NoError(t, err)
	m.respond(attachCardRoute, okResponse(object{})).respond(updateCustomerRoute, okResponse(customer)).
		respond(subscribeRoute, okResponse(trialingSubscription))
	req.MethodID, req.Sole = "pm_1", true
	_, err = p.Subscribe(ctx, req)
	require.NoError(t, err)
	_, err = p.ListSubscriptions(ctx, "cus_1", billing.Active)
	require.NoError(t, err)
	m.respond(readInvoiceRoute, okResponse(openInvoice)).respond(readSubscriptionRoute, okResponse(activeSubscription))
	_, err = p.PayInvoice(ctx, invoicePayment)
	require.NoError(t, err)
}

func sendPlanChangeRequests(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	monthlySubscription := activeSubscription.withFields(object{"items": list(subscriptionItem("standard_monthly"))})
	m.respond(lookUpPricesRoute, pricesResponse()).respond(listInvoicesRoute, okResponse(list(invoice("paid", "paid")))).
		respond(readSubscriptionRoute, okResponse(trialingSubscription), okResponse(monthlySubscription)).
		respond(updateSubscriptionRoute, okResponse(trialingSubscription), okResponse(upgradedSubscription),
			okResponse(activeSubscription), okResponse(subscriptionWithPendingChange))
	trialChange, yearlyChange := planChange, monthlyChange
	trialChange.Key, trialChange.EndTrial, yearlyChange.Key, yearlyChange.At = "key-4", true, "key-5", time.Unix(1772366500, 0)
	for _, req := range []payment.PriceChange{trialChange, yearlyChange} {
		_, err := p.ChangePlan(ctx, req)
		require.NoError(t, err)
	}
	sendChangeOfRefundedPlan(t, m)
	m.respond(updateSubscriptionRoute, okResponse(activeSubscription)).
		respond(readSubscriptionRoute, okResponse(subscriptionWithFinishedSchedule),
			okResponse(subscriptionWithScheduledChange)).
		respond(readPriceRoute, okResponse(object{"lookup_key": "professional_yearly"})).
		respond(createScheduleRoute, okResponse(addDiscounts(subscriptionWithFinishedSchedule["schedule"].(object), "di_1"))).
		respond(updateScheduleRoute, okResponse(object{}))
	scheduledChange := planChangeAtRenewal()
	scheduledChange.Key = "key-7"
	_, err := p.ChangePlan(ctx, scheduledChange)
	require.NoError(t, err)
	_, err = p.CancelScheduledChange(ctx, payment.ScheduledChangeCancellation{Key: "key-8", SubscriptionID: "sub_1"})
	require.NoError(t, err)
}

// sendChangeOfRefundedPlan sends a quote and a change with an item for a refunded part of the plan.
func sendChangeOfRefundedPlan(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	m.respond(readSubscriptionRoute, okResponse(activeSubscription)).
		respond(listChargesRoute, okResponse(list(refundedCharge))).respond(listInvoicesRoute, okResponse(list(paidInvoice))).
		respond(createPreviewRoute, okResponse(preview)).
		respond(updateSubscriptionRoute, okResponse(activeSubscription), okResponse(upgradedSubscription))
	refundedChange := planChange
	refundedChange.Key, refundedChange.At = "key-refunded", time.Unix(1772366500, 0)
	_, err := p.QuoteChange(ctx, refundedChange)
	require.NoError(t, err)
	_, err = p.ChangePlan(ctx, refundedChange)
	require.NoError(t, err)
	m.respond(listChargesRoute, okResponse(list(charge))).
		respond(listInvoicesRoute, okResponse(list(invoice("paid", "paid"))))
}

func sendCancellationRequests(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	m.respond(readSubscriptionRoute, okResponse(activeSubscription),
		okResponse(activeSubscription.withFields(object{"cancel_at": 1780000000})))
	for _, end := range []bool{true, false} {
		_, err := p.SetEndAtPeriodEnd(ctx, payment.EndRequest{Key: "key-9", SubscriptionID: "sub_1", End: end})
		require.NoError(t, err)
	}
	m.respond(listInvoicePaymentsRoute, okResponse(list(object{"id": "inpay_1", "invoice": "in_1"})))
	_, err := signAndParse(t, p, newEvent("charge.dispute.created", dispute))
	require.NoError(t, err)
	m.respond(readSubscriptionRoute, okResponse(subscriptionWithPendingChange), okResponse(activeSubscription))
	_, err = p.CancelPendingChange(ctx, pendingCancellation)
	require.NoError(t, err)
	m.respond(updateSubscriptionRoute, okResponse(activeSubscription)).
		respond(deleteSubscriptionRoute,
			okResponse(canceledSubscription.withFields(object{"latest_invoice": invoice("open", "open")})))
	_, err = p.CancelSubscription(ctx, cancellation)
	require.NoError(t, err)
	m.respond(updateSubscriptionRoute, okResponse(incompleteSubscription))
	_, err = p.CancelSubscription(ctx, payment.Cancellation{Key: "key-6", SubscriptionID: "sub_1", IfUnpaid: true})
	require.NoError(t, err)
}

func sendQuoteAndListRequests(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	m.respond(lookUpPricesRoute, pricesResponse()).respond(readCustomerRoute, okResponse(customer))
	trialPurchase := newSubscription
	trialPurchase.TrialDays = 7
	_, err := p.QuoteSubscription(ctx, trialPurchase)
	require.NoError(t, err)
	trialChange, yearlyChange := planChange, monthlyChange
	trialChange.EndTrial, yearlyChange.At = true, noon
	m.respond(readSubscriptionRoute, okResponse(trialingSubscription),
		okResponse(activeSubscription.withFields(object{"items": list(subscriptionItem("standard_monthly"))})),
		okResponse(activeSubscription))
	for _, req := range []payment.PriceChange{trialChange, yearlyChange, planChangeAtRenewal()} {
		_, err := p.QuoteChange(ctx, req)
		require.NoError(t, err)
	}
	m.respond(readSubscriptionRoute, okResponse(discountedSubscription),
		okResponse(subscriptionWithScheduledChange.withFields(object{"discounts": []any{"di_1"}})))
	_, err = p.QuoteChange(ctx, planChangeAtRenewal())
	require.NoError(t, err)
	_, err = p.Subscription(ctx, "sub_1")
	require.NoError(t, err)
	m.respond(readInvoiceRoute, okResponse(invoice("paid", "paid").withFields(object{"customer": "cus_1"}))).
		respond(listInvoicesRoute, okResponse(list(invoice("paid",
			"paid").withFields(object{"post_payment_credit_notes_amount": 1}))))
	_, err = p.ListInvoices(ctx, payment.InvoiceQuery{CustomerID: "cus_1", Limit: 10, After: "in_1"})
	require.NoError(t, err)
}

func sendDetailsAndSupportRequests(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	m.respond(readCustomerRoute,
		okResponse(customer.withFields(object{"tax_ids": list(object{"id": "txi_0", "type": "au_abn",
			"value": "1"})}))).respond(updateCustomerRoute, okResponse(customer))
	for _, d := range []account.BillingDetails{billingDetails, {}} {
		_, err := p.UpdateCustomer(ctx, payment.CustomerUpdate{Key: "key-10", CustomerID: "cus_1", Details: d})
		require.NoError(t, err)
	}
	_, err := p.AddCredit(ctx, payment.CreditGrant{Key: "key-11", CustomerID: "cus_1", Amount: aud(100), Reason: "goodwill"})
	require.NoError(t, err)
	m.respond(readSubscriptionRoute, okResponse(trialingSubscription)).
		respond(updateSubscriptionRoute, okResponse(trialingSubscription))
	_, err = p.ExtendTrial(ctx, payment.TrialExtension{Key: "key-12", SubscriptionID: "sub_1", Until: noon.AddDate(0, 1, 0)})
	require.NoError(t, err)
	m.respond(readInvoiceRoute, okResponse(paidInvoice)).respond(createCreditNoteRoute, okResponse(object{"id": "cn_1"})).
		respond(updateSubscriptionRoute, okResponse(activeSubscription))
	_, err = p.Refund(ctx, payment.RefundRequest{Key: "key-13", InvoiceID: "in_1", Amount: aud(100)})
	require.NoError(t, err)
}

func sendCatalogueRequests(t *testing.T, m *stripeMockProxy) {
	p, ctx := m.provider(), t.Context()
	m.respond(lookUpPricesRoute, okResponse(list())).respond("GET /v1/products", okResponse(list())).
		respond(listTaxRatesRoute, okResponse(list()), okResponse(list(taxRate.withFields(object{"percentage": 5}))))
	diffs, err := p.Push(ctx)
	require.NoError(t, err)
	assert.Len(t, diffs, 10)

	oldPrice := price("standard_yearly", 1, 1).withFields(object{"product": "diy_standard"})
	replacedPrice := price("standard_yearly", 2, 2).withFields(object{"id": "price_2", "lookup_key": nil})
	m.respond(lookUpPricesRoute, okResponse(list(oldPrice)), okResponse(list(oldPrice, replacedPrice)), okResponse(list()))
	m.respond("GET /v1/products",
		okResponse(list(object{"id": "diy_standard", "active": true, "name": "Basic", "metadata": object{"plan": "standard"}})))
	diffs, err = p.Push(ctx)
	require.NoError(t, err)
	assert.NotEmpty(t, diffs)
}

// TestStripeMock_RefusesUnknownRequests shows that TestStripeMock_AcceptsEveryRequest can fail.
func TestStripeMock_RefusesUnknownRequests(t *testing.T) {
	m := startStripeMock(t)
	m.passErrors = true
	for name, c := range map[string]struct {
		path   string
		params url.Values
	}{
		"unknown path":       {"/v1/subscribers", nil},
		"unknown parameter":  {"/v1/subscriptions", url.Values{"customer": {"cus_1"}, "trial_days": {"7"}}},
		"invalid enum value": {"/v1/subscriptions", url.Values{"customer": {"cus_1"}, paymentBehaviourParam: {"hope"}}},
		"wrong type":         {"/v1/subscriptions", url.Values{"customer": {"cus_1"}, "trial_period_days": {"soon"}}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, m.URL+c.path,
				strings.NewReader(c.params.Encode()))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Authorization", "Bearer "+testAPIKey)
			resp, err := m.Client().Do(r)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			assert.GreaterOrEqual(t, resp.StatusCode, 400)
		})
	}
}
