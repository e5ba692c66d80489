package stripeserver

import (
	"crypto/rand"
	"maps"
	"strconv"
	"strings"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

var cardEndpoints = map[string]endpoint{
	"POST /v1/payment_methods": {
		kind: "payment_method", browser: true, do: (*call).createCard,
		params: "type card au_becs_debit billing_details metadata allow_redisplay payment_user_agent referrer time_on_page guid muid sid pasted_fields client_attribution_metadata",
	},
	"GET /v1/payment_methods": {kind: "payment_method", list: true, params: "customer type",
		do: (*call).listCards},
	"GET /v1/payment_methods/{id}":         retrieve("payment_method", "payment_method"),
	"POST /v1/payment_methods/{id}/attach": {kind: "payment_method", params: "customer", do: (*call).attachCard},
	"POST /v1/payment_methods/{id}/detach": {kind: "payment_method", do: (*call).detachCard},

	"GET /v1/customers/{customer}/payment_methods": {kind: "payment_method", list: true, params: "type",
		do: (*call).listCards},
	"GET /v1/customers/{customer}/payment_methods/{id}": {kind: "payment_method", do: (*call).retrieveCardOf},
}

func (c *call) createCard() (renderFunc, error) {
	if err := c.form.allowOnly("type", "card", debitType); err != nil {
		return nil, err
	}
	read := c.cardEntry
	if c.form.text("type") == debitType {
		read = c.accountEntry
	}
	entry, err := read()
	if err != nil {
		return nil, err
	}
	card, err := c.provider.CreatePaymentMethod(c.ctx(), entry)
	if err != nil {
		return nil, err
	}
	c.saveMetadata(card.ID)
	return showObject("payment_method", card.ID, "id"), nil
}

// cardEntry returns the given card details, or those that a test token stands for.
func (c *call) cardEntry() (fakepayment.CardEntry, error) {
	if token := c.form.text("card[token]"); token != "" {
		number, known := testTokens[token]
		if !known {
			return fakepayment.CardEntry{}, noSuchObject("token", token, "card[token]")
		}
		return testCardEntry(number), nil
	}
	number, err := c.form.requiredText("card[number]")
	month, _ := strconv.Atoi(c.form.text("card[exp_month]")) // the provider refuses 0 as a missing number
	year, _ := strconv.Atoi(c.form.text("card[exp_year]"))
	return fakepayment.CardEntry{Number: number, ExpMonth: month, ExpYear: year, CVC: c.form.text("card[cvc]")}, err
}

func (c *call) listCards() (renderFunc, error) {
	customer := c.id("customer")
	if customer == "" {
		customer = c.form.text("customer")
	}
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(customer, "customer"); err != nil {
			return nil, err
		}
		found, _ := v.Customer(customer)
		cards := make([]object, 0, len(found.Cards))
		for _, id := range found.Cards {
			cards = append(cards, v.paymentMethod(id))
		}
		return c.page("PaymentMethod", cards)
	}, nil
}

func (c *call) retrieveCardOf() (renderFunc, error) {
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(c.id("customer"), "customer"); err != nil {
			return nil, err
		}
		if found := v.paymentMethod(c.id("id")); found != nil && found["customer"] == c.id("customer") {
			return found, nil
		}
		return nil, notFound("PaymentMethod", c.id("id"), "payment_method")
	}, nil
}

func (c *call) attachCard() (renderFunc, error) {
	customer, err := c.form.requiredText("customer")
	if err != nil {
		return nil, err
	}
	id, err := c.resolveCard(c.id("id"))
	if err != nil {
		return nil, err
	}
	if err := c.read(func(v view) error { return v.checkAttachable(id, customer) }); err != nil {
		return nil, err
	}
	if err := c.provider.AttachCard(c.ctx(), customer, id); err != nil {
		return nil, err
	}
	return showObject("payment_method", id, "payment_method"), nil
}

func (v view) checkAttachable(id, customer string) error {
	if err := v.checkCustomerExists(customer, "customer"); err != nil {
		return err
	}
	found := v.paymentMethod(id)
	switch {
	case found == nil:
		return notFound("PaymentMethod", id, "payment_method")
	case v.extras.detachedCards[id] != nil:
		return invalidRequest("", "",
			"This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.")
	case found["customer"] != nil && found["customer"] != customer:
		return invalidRequest("", "payment_method",
			"The payment method you provided has already been attached to a customer.")
	}
	return nil
}

func (c *call) detachCard() (renderFunc, error) {
	id := c.id("id")
	var card object
	err := c.read(func(v view) error { card = v.paymentMethod(id); return nil })
	switch {
	case err != nil:
		return nil, err
	case card == nil:
		return nil, notFound("PaymentMethod", id, "payment_method")
	case card["customer"] == nil:
		return nil, invalidRequest("", "",
			"The payment method you provided is not attached to a customer so detachment is impossible.")
	}
	customer, _ := card["customer"].(string)
	if err := c.provider.DeleteCard(c.ctx(),
		payment.SavedCard{Key: rand.Text(), CustomerID: customer, MethodID: id}); err != nil &&
		!fault.Is(err, fault.NotFound) {
		return nil, err
	}
	card["customer"] = nil
	c.extras.detachedCards[id] = card
	return showObject("payment_method", id, "payment_method"), nil
}

// testTokens are the names of Stripe's test cards that the provider supports. A tok_… name creates
// a payment method; a pm_card_… name stands for a new one wherever a payment method is accepted.
var testTokens = map[string]string{
	"tok_visa": "4242424242424242", "pm_card_visa": "4242424242424242",
	"tok_mastercard": "5555555555554444", "pm_card_mastercard": "5555555555554444",
	"tok_amex": "378282246310005", "pm_card_amex": "378282246310005",
	"pm_card_authenticationRequired": "4000002500003155", "pm_card_authenticationRequiredOnSetup": "4000002500003155",
	"tok_chargeCustomerFail": "4000000000000341", "pm_card_chargeCustomerFail": "4000000000000341",
	"tok_chargeDeclined": "4000000000000002", "pm_card_chargeDeclined": "4000000000000002",
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

func testCardEntry(number string) fakepayment.CardEntry {
	cvc := "123"
	if strings.HasPrefix(number, "37") {
		cvc = "1234"
	}
	return fakepayment.CardEntry{Number: number, ExpMonth: 12, ExpYear: 2034, CVC: cvc}
}

// noAddress is the billing address of cards, which the fake provider does not store.
var noAddress = object{"city": nil, "country": nil, "line1": nil, "line2": nil, "postal_code": nil, "state": nil}

// resolveCard returns the id of a new card if id names a test card, and otherwise id.
func (c *call) resolveCard(id string) (string, error) {
	number, known := testTokens[id]
	if !known || !strings.HasPrefix(id, "pm_card_") {
		return id, nil
	}
	card, err := c.provider.CreatePaymentMethod(c.ctx(), testCardEntry(number))
	return card.ID, err
}

// paymentMethod returns the payment method object, whether it is attached, not yet attached or
// detached.
func (v view) paymentMethod(id string) object {
	found, known := v.Card(id)
	if !known {
		if card, ok := v.extras.detachedCards[id]; ok {
			return maps.Clone(card)
		}
		return nil
	}
	method := object{
		"id": id, "object": "payment_method", "type": methodType(found), "livemode": false,
		"customer":        orNull(found.Customer),
		"metadata":        v.extras.metadataOf(id),
		"billing_details": object{"name": nil, "email": nil, "phone": nil, "address": noAddress},
	}
	if found.Account != "" {
		method[debitType] = accountFields(found)
		return method
	}
	fields := cardFields(found)
	fields["display_brand"] = found.Card.Brand
	method["card"] = fields
	return method
}
