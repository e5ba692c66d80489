package stripeserver_test

import (
	"strings"
)

// card makes a card of a token, or of a number.
func (s *stripe) card(of string) string {
	s.t.Helper()
	if strings.HasPrefix(of, "tok_") {
		return s.made("/v1/payment_methods", "type", "card", "card[token]", of).text("id")
	}
	return s.made("/v1/payment_methods", "type", "card",
		"card[number]", of, "card[exp_month]", "12", "card[exp_year]", "2034", "card[cvc]", "123").text("id")
}

// payer is a customer with a card.
func (s *stripe) payer(of string) (customer, card string) {
	s.t.Helper()
	customer = s.made("/v1/customers", "email", "ann@clinic.example").text("id")
	return customer, s.give(customer, of)
}

func (s *stripe) give(customer, of string) (card string) {
	s.t.Helper()
	card = s.card(of)
	s.made("/v1/payment_methods/"+card+"/attach", "customer", customer)
	s.made("/v1/customers/"+customer, "invoice_settings[default_payment_method]", card)
	return card
}

// subscribe buys the standard plan, yearly.
func (s *stripe) subscribe(customer string, params ...string) got {
	s.t.Helper()
	return s.made("/v1/subscriptions", append([]string{
		"customer", customer, "items[0][price]", "price_standard_yearly", "expand[0]", "latest_invoice.confirmation_secret",
		"expand[1]", "latest_invoice.payments", "expand[2]", "pending_setup_intent",
	}, params...)...)
}
