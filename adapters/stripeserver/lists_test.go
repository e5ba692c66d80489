package stripeserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// ids is the ids in a list.
func (g got) ids() []string {
	g.t.Helper()
	all, _ := g.at("data").([]any)
	ids := make([]string, 0, len(all))
	for _, each := range all {
		ids = append(ids, each.(object)["id"].(string))
	}
	return ids
}

func TestListsHavePages(t *testing.T) {
	s := newStripe(t)
	customer := s.made("/v1/customers").text("id")
	var newestFirst []string
	for range 12 {
		newestFirst = append([]string{s.subscribe(customer, "trial_period_days", "7").text("id")}, newestFirst...)
	}

	first := s.ask("GET", "/v1/subscriptions", "customer", customer)
	assert.Equal(t, newestFirst[:10], first.ids())
	assert.Equal(t, true, first.at("has_more"))
	assert.Equal(t, "list", first.at("object"))

	rest := s.ask("GET", "/v1/subscriptions", "customer", customer, "starting_after", newestFirst[9], "limit", "100")
	assert.Equal(t, newestFirst[10:], rest.ids())
	assert.Equal(t, false, rest.at("has_more"))
	s.ask("GET", "/v1/subscriptions", "customer", customer, "starting_after", "sub_unknown").refused(400, badRequest, "resource_missing")
}

func TestInvoicesOfACustomer(t *testing.T) {
	s := newStripe(t)
	customer, _ := s.payer(good)
	made := s.subscribe(customer, "trial_period_days", "7")
	s.made("/v1/subscriptions/"+made.text("id"), "items[0][id]", made.text("items.data.0.id"),
		"items[0][price]", "price_professional_yearly", proration, "always_invoice", behaviour, "pending_if_incomplete", "trial_end", "now")

	all := s.ask("GET", "/v1/invoices", "customer", customer)
	assert.Len(t, all.ids(), 2)
	assert.Equal(t, made.at("latest_invoice.id"), all.ids()[1])
	assert.Equal(t, "subscription_create", all.at("data.1.billing_reason"))
	assert.Equal(t, all.ids(), s.ask("GET", "/v1/invoices", "subscription", made.text("id")).ids())
	assert.Empty(t, s.ask("GET", "/v1/invoices", "customer", customer, "status", "open").ids())
}
