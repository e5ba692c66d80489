package stripeserver

import (
	"maps"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
)

// tokens are Stripe's names for test cards, as far as the provider knows the card. tok_… makes a
// payment method; pm_card_… stands for a new one wherever a payment method is named.
var tokens = map[string]string{
	"tok_visa": "4242424242424242", "pm_card_visa": "4242424242424242",
	"tok_mastercard": "5555555555554444", "pm_card_mastercard": "5555555555554444",
	"tok_amex": "378282246310005", "pm_card_amex": "378282246310005",
	"pm_card_authenticationRequiredOnSetup": "4000002500003155",
	"tok_chargeCustomerFail":                "4000000000000341", "pm_card_chargeCustomerFail": "4000000000000341",
	"tok_visa_chargeDeclined": "4000000000000002", "pm_card_visa_chargeDeclined": "4000000000000002",
	"tok_visa_chargeDeclinedInsufficientFunds":     "4000000000009995",
	"pm_card_visa_chargeDeclinedInsufficientFunds": "4000000000009995",
	"tok_visa_chargeDeclinedLostCard":              "4000000000009987",
	"pm_card_visa_chargeDeclinedLostCard":          "4000000000009987",
	"tok_visa_chargeDeclinedStolenCard":            "4000000000009979",
	"pm_card_visa_chargeDeclinedStolenCard":        "4000000000009979",
	"tok_chargeDeclinedExpiredCard":                "4000000000000069",
	"pm_card_chargeDeclinedExpiredCard":            "4000000000000069",
}

func testEntry(number string) fakepayment.CardEntry {
	cvc := "123"
	if strings.HasPrefix(number, "37") {
		cvc = "1234"
	}
	return fakepayment.CardEntry{Number: number, ExpMonth: 12, ExpYear: 2034, CVC: cvc}
}

// cardNamed is the id itself, or that of a new card when the name stands for one.
func (c *call) cardNamed(id string) (string, error) {
	number, stands := tokens[id]
	if !stands || !strings.HasPrefix(id, "pm_card_") {
		return id, nil
	}
	made, err := c.provider.CreatePaymentMethod(c.ctx(), testEntry(number))
	return made.ID, err
}

// paymentMethod is a card, be it saved, still to be saved, or taken off its customer.
func (v view) paymentMethod(id string) object {
	found, known := v.Card(id)
	if !known {
		if gone, was := v.notes.detached[id]; was {
			return maps.Clone(gone)
		}
		return nil
	}
	card := found.Card
	return object{
		"id": id, "object": "payment_method", "type": "card", "livemode": false, "customer": orNull(found.Customer),
		"metadata": v.notes.metadataOf(id), "billing_details": object{"name": nil, "email": nil, "phone": nil, "address": nil},
		"card": object{"brand": card.Brand, "display_brand": card.Brand, "last4": card.Last4,
			"exp_month": card.ExpMonth, "exp_year": card.ExpYear, "funding": "credit", "country": "US",
			"fingerprint": card.Fingerprint},
	}
}
