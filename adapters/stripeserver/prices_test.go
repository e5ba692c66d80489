package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPricesAreLookedUpByKey(t *testing.T) {
	s := newStripe(t)
	plain := s.ask("GET", "/v1/prices", "lookup_keys[0]", "standard_yearly", "lookup_keys[1]", "no_such")
	assert.Equal(t, []string{"price_standard_yearly"}, plain.ids())
	assert.NotContains(t, plain.at("data.0"), "currency_options")
	assert.Equal(t, "year", plain.at("data.0.recurring.interval"))

	full := s.ask("GET", "/v1/prices", "lookup_keys[]", "standard_yearly", "expand[]", "data.currency_options", "expand[]", "data.product")
	assert.Equal(t, full.at("data.0.unit_amount"), full.at("data.0.currency_options.aud.unit_amount"))
	assert.NotNil(t, full.at("data.0.currency_options.usd.unit_amount"))
	assert.Equal(t, "prod_standard", full.at("data.0.product.id"))
}

func TestAPriceIsReplacedAndWhoHasTheOldOneKeepsIt(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	old := s.subscribe(customer).text("id")
	dearer := []string{"product", "prod_standard", "currency", "aud", "unit_amount", "99900", "recurring[interval]", "year", "lookup_key", "standard_yearly"}

	s.ask("POST", "/v1/prices", dearer...).refused(400, badRequest, "")
	made := s.made("/v1/prices", append(dearer, "transfer_lookup_key", "true", "currency_options[usd][unit_amount]", "77700")...)

	assert.Equal(t, []string{made.text("id")}, s.ask("GET", "/v1/prices", "lookup_keys[]", "standard_yearly").ids())
	assert.Equal(t, "price_standard_yearly", s.ask("GET", "/v1/subscriptions/"+old).at("items.data.0.price.id"))
	s.made("/v1/prices/price_standard_yearly", "active", "false")
	s.ask("POST", "/v1/subscriptions", "customer", customer, "items[0][price]", "price_standard_yearly").refused(400, badRequest, "")

	bought := s.made("/v1/subscriptions", "customer", customer, "items[0][price]", made.text("id"), "expand[]", "latest_invoice")
	assert.InDelta(t, 99900, bought.at("latest_invoice.amount_due"), 0)
	s.ask("POST", "/v1/prices/"+made.text("id"), "unit_amount", "1").refused(400, badRequest, "parameter_unknown")
}

func TestProductsAreMadeOnceAndChanged(t *testing.T) {
	s := newStripe(t)
	s.made("/v1/products", "id", "diy_x", "name", "X", "metadata[plan]", "x")
	s.ask("POST", "/v1/products", "id", "diy_x", "name", "Y").refused(400, badRequest, "resource_already_exists")
	changed := s.made("/v1/products/diy_x", "name", "Z", "active", "false")
	assert.Equal(t, "Z", changed.at("name"))
	assert.Equal(t, object{"plan": "x"}, changed.at("metadata"))
	assert.Equal(t, []string{"diy_x"}, s.ask("GET", "/v1/products", "ids[0]", "diy_x", "ids[1]", "no_such").ids())
	assert.NotContains(t, s.ask("GET", "/v1/products", "active", "true").ids(), "diy_x")
}

func TestAPriceIsOfAKnownProductAndInterval(t *testing.T) {
	s := newStripe(t)
	s.ask("POST", "/v1/prices", "product", "prod_x", "currency", "aud", "unit_amount", "1", "recurring[interval]", "year").
		refused(400, badRequest, "resource_missing")
	s.ask("POST", "/v1/prices", "product", "prod_standard", "currency", "aud", "unit_amount", "1", "recurring[interval]", "week").
		refused(400, badRequest, "local_stripe_unsupported")
}
