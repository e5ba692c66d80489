package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestListPrices_FiltersByLookupKeyAndExpandsOnRequest(t *testing.T) {
	s := newTestServer(t)
	list := s.send("GET", "/v1/prices", "lookup_keys[0]", "standard_yearly", "lookup_keys[1]", "unknown")
	assert.Equal(t, []string{"price_standard_yearly"}, list.ids())
	assert.NotContains(t, list.field("data.0"), "currency_options")
	assert.Equal(t, "year", list.field("data.0.recurring.interval"))

	expandedList := s.send("GET", "/v1/prices", "lookup_keys[]", "standard_yearly", "expand[]", "data.currency_options",
		"expand[]", "data.product")
	assert.Equal(t, expandedList.field("data.0.unit_amount"), expandedList.field("data.0.currency_options.aud.unit_amount"))
	assert.NotNil(t, expandedList.field("data.0.currency_options.usd.unit_amount"))
	assert.Equal(t, "prod_standard", expandedList.field("data.0.product.id"))
}

func TestPrices_SubscriptionKeepsAPriceWhoseLookupKeyIsTransferred(t *testing.T) {
	s, customerID := newServerWithCustomer(t)
	subscriptionID := s.subscribe(customerID).stringField("id")
	params := []string{"product", "prod_standard", "currency", "aud", "unit_amount", "99900", "recurring[interval]",
		"year", "lookup_key", "standard_yearly"}

	s.send("POST", "/v1/prices", params...).assertError(400, invalidRequestType, "")
	priceID := s.mustPost("/v1/prices",
		append(params, "transfer_lookup_key", "true", "currency_options[usd][unit_amount]", "77700")...).stringField("id")

	assert.Equal(t, []string{priceID}, s.send("GET", "/v1/prices", "lookup_keys[]", "standard_yearly").ids())
	assert.Equal(t, "price_standard_yearly",
		s.send("GET", "/v1/subscriptions/"+subscriptionID).field("items.data.0.price.id"))
	s.mustPost("/v1/prices/price_standard_yearly", "active", "false")
	s.send("POST", "/v1/subscriptions", "customer", customerID, "items[0][price]", "price_standard_yearly").assertError(400,
		invalidRequestType, "")

	otherSubscription := s.mustPost("/v1/subscriptions", "customer", customerID, "items[0][price]", priceID,
		"expand[]", "latest_invoice")
	assert.InDelta(t, 99900, otherSubscription.field("latest_invoice.amount_due"), 0)
	s.send("POST", "/v1/prices/"+priceID, "unit_amount", "1").assertError(400, invalidRequestType, "parameter_unknown")
}

func TestCreatePrice_RefusesUnknownProductsAndIntervals(t *testing.T) {
	s := newTestServer(t)
	s.send("POST", "/v1/prices", "product", "prod_x", "currency", "aud", "unit_amount", "1", "recurring[interval]", "year").
		assertError(400, invalidRequestType, "resource_missing")
	s.send("POST", "/v1/prices", "product", "prod_standard", "currency", "aud", "unit_amount", "1", "recurring[interval]",
		"week").
		assertError(400, invalidRequestType, "local_stripe_unsupported")
}

func TestProducts_UpdateKeepsMetadataAndUsedIDIsRefused(t *testing.T) {
	s := newTestServer(t)
	s.mustPost("/v1/products", "id", "diy_x", "name", "X", "metadata[plan]", "x")
	s.send("POST", "/v1/products", "id", "diy_x", "name", "Y").
		assertError(400, invalidRequestType, "resource_already_exists")
	product := s.mustPost("/v1/products/diy_x", "name", "Z", "active", "false")
	assert.Equal(t, "Z", product.field("name"))
	assert.Equal(t, object{"plan": "x"}, product.field("metadata"))
	assert.Equal(t, []string{"diy_x"}, s.send("GET", "/v1/products", "ids[0]", "diy_x", "ids[1]", "unknown").ids())
	assert.NotContains(t, s.send("GET", "/v1/products", "active", "true").ids(), "diy_x")
}
