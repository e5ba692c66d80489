package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	lookUpPricesRoute = "GET /v1/prices"
	listTaxRatesRoute = "GET /v1/tax_rates"
	subscribeRoute    = "POST /v1/subscriptions"
	readPaymentRoute  = "GET /v1/payment_intents/pi_1"
)

var (
	standard        = catalogue.PriceRef{Product: "standard", Interval: catalogue.Yearly, Currency: "AUD"}
	professional    = catalogue.PriceRef{Product: "professional", Interval: catalogue.Yearly, Currency: "AUD"}
	newSubscription = payment.NewSubscription{Key: "key-1", CustomerID: "cus_1", Price: standard}
)

// stubWithCustomerAndPrices responds to the requests before a subscription is created.
func stubWithCustomerAndPrices(t *testing.T, c object) *stub {
	return newStub(t).respond(readCustomerRoute, okResponse(c)).respond(lookUpPricesRoute, pricesResponse()).
		respond(listTaxRatesRoute, okResponse(list(taxRate)))
}

// stubForPurchaseWithNewCard responds to a purchase with a new card by a customer with the subscriptions.
func stubForPurchaseWithNewCard(t *testing.T, subscriptions ...any) *stub {
	return newStub(t).respond(lookUpPricesRoute, pricesResponse()).respond(listTaxRatesRoute, okResponse(list(taxRate))).
		respond(attachCardRoute, okResponse(card("pm_1"))).respond(subscribeRoute, okResponse(trialingSubscription)).
		respond(updateCustomerRoute, okResponse(customer.withFields(object{"subscriptions": list(subscriptions...)})))
}

func TestSubscribe_ReturnsThePaidSubscription(t *testing.T) {
	s := stubWithCustomerAndPrices(t, customer).respond(subscribeRoute, okResponse(activeSubscription))

	sub, err := s.provider().Subscribe(t.Context(), newSubscription)

	require.NoError(t, err)
	assert.Equal(t, billing.Subscription{
		ID: "sub_1", CustomerID: "cus_1", Status: billing.Active, Price: standard, Amount: aud(42000), Renewal: aud(42000),
		CreatedAt: noon, PeriodStart: noon, CurrentPeriodEnd: noon.AddDate(1, 0, 0),
		LatestInvoice: &billing.Invoice{
			ID: "in_1", Status: billing.InvoicePaid, Tax: aud(0), Total: aud(42000), CreditUsed: aud(0), CarriedForward: aud(0),
			AmountDue: aud(42000), AmountPaid: aud(42000), CreatedAt: noon,
			Payment: &billing.Intent{ID: "pi_1", Status: billing.Succeeded},
		},
	}, sub)
	assert.Equal(t, []string{lookUpPricesRoute, readCustomerRoute, listTaxRatesRoute, subscribeRoute}, s.routes())
	assert.Equal(t, "key-1", s.lastRequest(subscribeRoute).key())
	assert.Equal(t, url.Values{
		"customer": {"cus_1"}, "items[0][price]": {"price_standard_yearly"}, "currency": {"aud"},
		paymentBehaviourParam: {"allow_incomplete"}, "payment_settings[payment_method_types][0]": {"card"},
		"billing_mode[type]": {"classic"}, "default_tax_rates[0]": {"txr_1"},
		"metadata[org_id]": {"org_1"}, "metadata[product]": {"standard"}, "metadata[interval]": {"yearly"},
		"metadata[request]": {"key-1"},
		"expand[0]":         {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"},
		"expand[2]": {"pending_setup_intent"}, "expand[3]": {"schedule"}, "expand[4]": {"customer"},
		"expand[5]": {"default_payment_method"},
	}, s.lastRequest(subscribeRoute).params)
}

func TestSubscribe_ReportsRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		response response
		want     fault.Code
	}{
		"unknown card": {invalidRequestResponse(object{"code": "resource_missing"}), fault.Invalid},
		"unknown customer": {invalidRequestResponse(object{"code": "resource_missing", "param": "customer"}),
			fault.NotFound},
		"unknown price": {invalidRequestResponse(object{"code": "resource_missing", "param": "items[0][price]"}),
			fault.Conflict},
		"archived price":             {invalidRequestResponse(object{"param": "items[0][price]"}), fault.Conflict},
		"other currency than before": {invalidRequestResponse(nil), fault.Invalid},
		"key of another request":     {keyReusedResponse, fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			s := stubWithCustomerAndPrices(t, customer).respond(subscribeRoute, c.response).
				respond(updateCustomerRoute, keyReusedResponse)
			_, err := s.provider().Subscribe(t.Context(), newSubscription)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}

func TestSubscribe_SavesANewCardFirst(t *testing.T) {
	s := stubForPurchaseWithNewCard(t)
	req := newSubscription
	req.MethodID, req.TrialDays, req.Sole = "pm_1", 7, true

	_, err := s.provider().Subscribe(t.Context(), req)

	require.NoError(t, err)
	assert.Equal(t, []string{lookUpPricesRoute, attachCardRoute, updateCustomerRoute, listTaxRatesRoute, subscribeRoute},
		s.routes())
	assert.Equal(t, "pm_1", s.lastRequest(updateCustomerRoute).params.Get("invoice_settings[default_payment_method]"))
	keys := []string{s.lastRequest(attachCardRoute).key(), s.lastRequest(updateCustomerRoute).key(),
		s.lastRequest(subscribeRoute).key()}
	assert.Equal(t, []string{"key-1-attach", "key-1-default", "key-1"}, keys, "Stripe accepts a key for one endpoint only")
	assert.Empty(t, s.lastRequest(subscribeRoute).params.Get("default_payment_method"), "the customer's default is charged")
}

func TestSubscribe_RefusesASecondSubscriptionIfSoleIsSet(t *testing.T) {
	foreignSubscription := activeSubscription.withFields(object{"items": list(), "metadata": object{}})
	for name, c := range map[string]struct {
		subscription object
		want         fault.Code
	}{
		"unpaid subscription":                             {activeSubscription.withFields(object{"status": "unpaid"}), fault.Conflict},
		"subscription to a product outside the catalogue": {foreignSubscription, ""},
		"started by the same request":                     {activeSubscription.withFields(object{"metadata": object{"request": "key-1"}}), ""},
		"started by another request": {activeSubscription.withFields(object{"metadata": object{"request": "key-2"}}),
			fault.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			for _, cardID := range []string{"", "pm_1"} {
				s := stubForPurchaseWithNewCard(t, c.subscription).
					respond(readCustomerRoute, okResponse(customer.withFields(object{"subscriptions": list(c.subscription)})))
				req := newSubscription
				req.MethodID, req.Sole = cardID, true
				_, err := s.provider().Subscribe(t.Context(), req)
				assert.Equal(t, c.want, fault.CodeOf(err))
				req.Key, req.Sole = "key-3", false
				_, err = s.provider().Subscribe(t.Context(), req)
				assert.NoError(t, err, "the request is accepted without Sole")
			}
		})
	}
}

func TestSubscribe_SavesNoCardIfThePriceIsNotSold(t *testing.T) {
	s := newStub(t).respond(lookUpPricesRoute, okResponse(list()))
	req := newSubscription
	req.MethodID = "pm_1"
	_, err := s.provider().Subscribe(t.Context(), req)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	assert.Equal(t, []string{lookUpPricesRoute}, s.routes())
}
