package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestListPrices_FiltersByLookupKeyAndExpandsOnRequest(t *testing.T) {
	s := newTestServer(t)
	plain := s.do("GET", "/v1/prices", "lookup_keys[0]", "standard_yearly", "lookup_keys[1]", "unknown")
	assert.Equal(t, []string{"price_standard_yearly"}, plain.ids())
	assert.NotContains(t, plain.field("data.0"), "currency_options")
	assert.Equal(t, "year", plain.field("data.0.recurring.interval"))

	expanded := s.do("GET", "/v1/prices", "lookup_keys[]", "standard_yearly", "expand[]", "data.currency_options",
		"expand[]", "data.product")
	assert.Equal(t, expanded.field("data.0.unit_amount"), expanded.field("data.0.currency_options.aud.unit_amount"))
	assert.NotNil(t, expanded.field("data.0.currency_options.usd.unit_amount"))
	assert.Equal(t, "prod_standard", expanded.field("data.0.product.id"))
}

func TestPrices_SubscriptionKeepsAPriceWhoseLookupKeyIsTransferred(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	subscription := s.subscribe(customer).stringField("id")
	params := []string{"product", "prod_standard", "currency", "aud", "unit_amount", "99900", "recurring[interval]",
		"year", "lookup_key", "standard_yearly"}

	s.do("POST", "/v1/prices", params...).assertError(400, badRequest, "")
	price := s.post("/v1/prices",
		append(params, "transfer_lookup_key", "true", "currency_options[usd][unit_amount]", "77700")...).stringField("id")

	assert.Equal(t, []string{price}, s.do("GET", "/v1/prices", "lookup_keys[]", "standard_yearly").ids())
	assert.Equal(t, "price_standard_yearly",
		s.do("GET", "/v1/subscriptions/"+subscription).field("items.data.0.price.id"))
	s.post("/v1/prices/price_standard_yearly", "active", "false")
	s.do("POST", "/v1/subscriptions", "customer", customer, "items[0][price]", "price_standard_yearly").assertError(400,
		badRequest, "")

	otherSubscription := s.post("/v1/subscriptions", "customer", customer, "items[0][price]", price,
		"expand[]", "latest_invoice")
	assert.InDelta(t, 99900, otherSubscription.field("latest_invoice.amount_due"), 0)
	s.do("POST", "/v1/prices/"+price, "unit_amount", "1").assertError(400, badRequest, "parameter_unknown")
}

func TestCreatePrice_RefusesUnknownProductsAndIntervals(t *testing.T) {
	s := newTestServer(t)
	s.do("POST", "/v1/prices", "product", "prod_x", "currency", "aud", "unit_amount", "1", "recurring[interval]", "year").
		assertError(400, badRequest, "resource_missing")
	s.do("POST", "/v1/prices", "product", "prod_standard", "currency", "aud", "unit_amount", "1", "recurring[interval]",
		"week").
		assertError(400, badRequest, "local_stripe_unsupported")
}

func TestProducts_UpdateKeepsMetadataAndUsedIDIsRefused(t *testing.T) {
	s := newTestServer(t)
	s.post("/v1/products", "id", "diy_x", "name", "X", "metadata[plan]", "x")
	s.do("POST", "/v1/products", "id", "diy_x", "name", "Y").assertError(400, badRequest, "resource_already_exists")
	product := s.post("/v1/products/diy_x", "name", "Z", "active", "false")
	assert.Equal(t, "Z", product.field("name"))
	assert.Equal(t, object{"plan": "x"}, product.field("metadata"))
	assert.Equal(t, []string{"diy_x"}, s.do("GET", "/v1/products", "ids[0]", "diy_x", "ids[1]", "unknown").ids())
	assert.NotContains(t, s.do("GET", "/v1/products", "active", "true").ids(), "diy_x")
}
