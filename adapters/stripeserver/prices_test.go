package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestListPrices_FiltersByLookupKey(t *testing.T) {
	s := newTestServer(t)
	plain := s.do("GET", "/v1/prices", "lookup_keys[0]", "standard_yearly", "lookup_keys[1]", "no_such")
	assert.Equal(t, []string{"price_standard_yearly"}, plain.ids())
	assert.NotContains(t, plain.field("data.0"), "currency_options")
	assert.Equal(t, "year", plain.field("data.0.recurring.interval"))

	full := s.do("GET", "/v1/prices", "lookup_keys[]", "standard_yearly", "expand[]", "data.currency_options", "expand[]",
		"data.product")
	assert.Equal(t, full.field("data.0.unit_amount"), full.field("data.0.currency_options.aud.unit_amount"))
	assert.NotNil(t, full.field("data.0.currency_options.usd.unit_amount"))
	assert.Equal(t, "prod_standard", full.field("data.0.product.id"))
}

func TestPrices_ReplacedPriceKeepsItsSubscribers(t *testing.T) {
	s, customer := newServerWithCustomer(t)
	old := s.subscribe(customer).stringField("id")
	changed := []string{"product", "prod_standard", "currency", "aud", "unit_amount", "99900", "recurring[interval]",
		"year", "lookup_key", "standard_yearly"}

	s.do("POST", "/v1/prices", changed...).assertError(400, badRequest, "")
	created := s.post("/v1/prices",
		append(changed, "transfer_lookup_key", "true", "currency_options[usd][unit_amount]", "77700")...)

	assert.Equal(t, []string{created.stringField("id")}, s.do("GET", "/v1/prices", "lookup_keys[]", "standard_yearly").ids())
	assert.Equal(t, "price_standard_yearly", s.do("GET", "/v1/subscriptions/"+old).field("items.data.0.price.id"))
	s.post("/v1/prices/price_standard_yearly", "active", "false")
	s.do("POST", "/v1/subscriptions", "customer", customer, "items[0][price]", "price_standard_yearly").assertError(400,
		badRequest, "")

	bought := s.post("/v1/subscriptions", "customer", customer, "items[0][price]", created.stringField("id"), "expand[]",
		"latest_invoice")
	assert.InDelta(t, 99900, bought.field("latest_invoice.amount_due"), 0)
	s.do("POST", "/v1/prices/"+created.stringField("id"), "unit_amount", "1").assertError(400, badRequest,
		"parameter_unknown")
}

func TestCreatePrice_RefusesInvalidPrices(t *testing.T) {
	s := newTestServer(t)
	s.do("POST", "/v1/prices", "product", "prod_x", "currency", "aud", "unit_amount", "1", "recurring[interval]", "year").
		assertError(400, badRequest, "resource_missing")
	s.do("POST", "/v1/prices", "product", "prod_standard", "currency", "aud", "unit_amount", "1", "recurring[interval]",
		"week").
		assertError(400, badRequest, "local_stripe_unsupported")
}
