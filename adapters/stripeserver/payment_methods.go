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

var paymentMethodEndpoints = map[string]endpoint{
	"POST /v1/payment_methods": {
		objectType: "payment_method", allowsPublishableKey: true, serve: (*call).createPaymentMethod,
		params: "type card au_becs_debit billing_details metadata allow_redisplay payment_user_agent referrer time_on_page " +
			"guid muid sid pasted_fields client_attribution_metadata",
	},
	"GET /v1/payment_methods": {objectType: "payment_method", isList: true, params: "customer type",
		serve: (*call).listPaymentMethods},
	"GET /v1/payment_methods/{id}": newRetrieveEndpoint("payment_method", "payment_method"),
	"POST /v1/payment_methods/{id}/attach": {objectType: "payment_method", params: "customer",
		serve: (*call).attachPaymentMethod},
	"POST /v1/payment_methods/{id}/detach": {objectType: "payment_method", serve: (*call).detachPaymentMethod},

	"GET /v1/customers/{customer}/payment_methods": {objectType: "payment_method", isList: true, params: "type",
		serve: (*call).listPaymentMethods},
	"GET /v1/customers/{customer}/payment_methods/{id}": {objectType: "payment_method",
		serve: (*call).retrieveMethodOfCustomer},
}

func (c *call) createPaymentMethod() (renderFunc, error) {
	if err := c.form.allowOnly("type", "card", becsDebitType); err != nil {
		return nil, err
	}
	parseEntry := c.form.parseCardEntry
	if c.form.text("type") == becsDebitType {
		parseEntry = c.form.parseBankAccountEntry
	}
	entry, err := parseEntry()
	if err != nil {
		return nil, err
	}
	method, err := c.provider.CreatePaymentMethod(c.ctx(), entry)
	if err != nil {
		return nil, err
	}
	c.saveMetadata(method.ID)
	return newObjectRenderer("payment_method", method.ID, "id"), nil
}

// parseCardEntry returns the card details of the form, or the details of the card that its test token names.
func (f form) parseCardEntry() (fakepayment.CardEntry, error) {
	if token := f.text("card[token]"); token != "" {
		number, known := testCardNumbers[token]
		if !known {
			return fakepayment.CardEntry{}, unknownReferenceError("token", token, "card[token]")
		}
		return testCardEntry(number), nil
	}
	number, err := f.requiredText("card[number]")
	month, _ := strconv.Atoi(f.text("card[exp_month]")) // 0 if malformed, which the provider refuses
	year, _ := strconv.Atoi(f.text("card[exp_year]"))
	return fakepayment.CardEntry{Number: number, ExpMonth: month, ExpYear: year, CVC: f.text("card[cvc]")}, err
}

func (c *call) listPaymentMethods() (renderFunc, error) {
	customerID := c.pathValue("customer")
	if customerID == "" {
		customerID = c.form.text("customer")
	}
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(customerID, "customer"); err != nil {
			return nil, err
		}
		record, _ := v.Customer(customerID)
		methods := make([]object, 0, len(record.CardIDs))
		for _, id := range record.CardIDs {
			methods = append(methods, v.paymentMethodObject(id))
		}
		return c.newListPage("PaymentMethod", methods)
	}, nil
}

func (c *call) retrieveMethodOfCustomer() (renderFunc, error) {
	return func(v view) (object, error) {
		if err := v.checkCustomerExists(c.pathValue("customer"), "customer"); err != nil {
			return nil, err
		}
		if method := v.paymentMethodObject(c.pathValue("id")); method != nil && method["customer"] == c.pathValue("customer") {
			return method, nil
		}
		return nil, notFoundError("PaymentMethod", c.pathValue("id"), "payment_method")
	}, nil
}

func (c *call) attachPaymentMethod() (renderFunc, error) {
	customerID, err := c.form.requiredText("customer")
	if err != nil {
		return nil, err
	}
	id, err := c.resolveMethodID(c.pathValue("id"))
	if err != nil {
		return nil, err
	}
	if err := c.read(func(v view) error { return v.checkAttachable(id, customerID) }); err != nil {
		return nil, err
	}
	if err := c.provider.AttachCard(c.ctx(), customerID, id); err != nil {
		return nil, err
	}
	return newObjectRenderer("payment_method", id, "payment_method"), nil
}

// checkAttachable refuses a payment method that was detached or belongs to another customer.
func (v view) checkAttachable(id, customerID string) error {
	if err := v.checkCustomerExists(customerID, "customer"); err != nil {
		return err
	}
	method := v.paymentMethodObject(id)
	switch {
	case method == nil:
		return notFoundError("PaymentMethod", id, "payment_method")
	case v.state.detachedMethods[id] != nil:
		return invalidRequestError("", "", "This PaymentMethod was previously used without being attached to a Customer or was "+
			"detached from a Customer, and may not be used again.")
	case method["customer"] != nil && method["customer"] != customerID:
		return invalidRequestError("", "payment_method",
			"The payment method you provided has already been attached to a customer.")
	}
	return nil
}

func (c *call) detachPaymentMethod() (renderFunc, error) {
	id := c.pathValue("id")
	var method object
	err := c.read(func(v view) error { method = v.paymentMethodObject(id); return nil })
	switch {
	case err != nil:
		return nil, err
	case method == nil:
		return nil, notFoundError("PaymentMethod", id, "payment_method")
	case method["customer"] == nil:
		return nil, invalidRequestError("", "",
			"The payment method you provided is not attached to a customer so detachment is impossible.")
	}
	customerID, _ := method["customer"].(string)
	err = c.provider.DeleteCard(c.ctx(), payment.SavedCardRequest{Key: rand.Text(), CustomerID: customerID, MethodID: id})
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	method["customer"] = nil
	c.state.detachedMethods[id] = method
	return newObjectRenderer("payment_method", id, "payment_method"), nil
}

// testCardNumbers contains the numbers of Stripe's test cards that the provider supports, by the names of the cards. A
// request creates a payment method from a tok_… name. A pm_card_… name in place of an id stands for a new payment
// method.
var testCardNumbers = map[string]string{
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

// testCardEntry returns valid details of a card with the number.
func testCardEntry(number string) fakepayment.CardEntry {
	cvc := "123"
	if isAmex := strings.HasPrefix(number, "37"); isAmex {
		cvc = "1234"
	}
	return fakepayment.CardEntry{Number: number, ExpMonth: 12, ExpYear: 2034, CVC: cvc}
}

// emptyAddress is the billing address of payment methods, which the fake provider does not store.
var emptyAddress = object{"city": nil, "country": nil, "line1": nil, "line2": nil, "postal_code": nil, "state": nil}

// emptyBillingDetails returns the billing details of payment methods and charges.
func emptyBillingDetails() object {
	return object{"name": nil, "email": nil, "phone": nil, "address": emptyAddress, "tax_id": nil}
}

// resolveMethodID creates a payment method and returns its id if id is the pm_card_… name of a test card. Otherwise it
// returns id.
func (c *call) resolveMethodID(id string) (string, error) {
	number, known := testCardNumbers[id]
	if !known || !strings.HasPrefix(id, "pm_card_") {
		return id, nil
	}
	method, err := c.provider.CreatePaymentMethod(c.ctx(), testCardEntry(number))
	return method.ID, err
}

// paymentMethodObject returns the object of an attached, unattached or detached payment method, or nil.
func (v view) paymentMethodObject(id string) object {
	record, found := v.Card(id)
	if !found {
		return maps.Clone(v.state.detachedMethods[id])
	}
	method := object{
		"id": id, "object": "payment_method", "type": methodType(record), "livemode": false,
		"customer":        textOrNull(record.CustomerID),
		"metadata":        v.state.metadataOf(id),
		"created":         record.Created.Unix(),
		"billing_details": emptyBillingDetails(),
	}
	if record.AccountLast4 != "" {
		method[becsDebitType] = bankAccountDetails(record)
		return method
	}
	card := cardDetails(record)
	card["display_brand"] = record.Card.Brand
	method["card"] = card
	return method
}

// becsDebitType is the type of Australian bank accounts. The provider has no test numbers of other bank accounts.
const becsDebitType = "au_becs_debit"

// testBSB is the bank and branch number of test accounts.
const testBSB = "000000"

// parseBankAccountEntry returns the bank account of the form.
func (f form) parseBankAccountEntry() (fakepayment.CardEntry, error) {
	if _, err := f.requiredText(becsDebitType + "[bsb_number]"); err != nil {
		return fakepayment.CardEntry{}, err
	}
	number, err := f.requiredText(becsDebitType + "[account_number]")
	return fakepayment.CardEntry{Number: number}, err
}

// methodType returns the type of the payment method.
func methodType(m fakepayment.CardRecord) string {
	if m.AccountLast4 != "" {
		return becsDebitType
	}
	return "card"
}

// bankAccountDetails returns the details of a bank account.
func bankAccountDetails(m fakepayment.CardRecord) object {
	return object{"bsb_number": testBSB, "last4": m.AccountLast4, "fingerprint": "account_" + m.AccountLast4}
}

// chargedMethodDetails returns the details of a charged payment method, or nil if the provider has not recorded them.
func chargedMethodDetails(m fakepayment.CardRecord) object {
	switch {
	case m.AccountLast4 != "":
		return object{"type": becsDebitType, becsDebitType: bankAccountDetails(m)}
	case m.Card.Last4 != "":
		return object{"type": "card", "card": cardDetails(m)}
	}
	return nil
}

// cardDetails returns the details of a card.
func cardDetails(m fakepayment.CardRecord) object {
	card := m.Card
	return object{
		"brand": card.Brand, "last4": card.Last4, "exp_month": card.ExpMonth, "exp_year": card.ExpYear,
		"fingerprint": card.Fingerprint,
		"funding":     "credit", "country": "US",
	}
}
