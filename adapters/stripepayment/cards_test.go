package stripepayment_test

import (
	"fmt"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stripe/stripe-go/v85"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const (
	listCardsRoute          = "GET /v1/customers/cus_1/payment_methods"
	attachCardRoute         = "POST /v1/payment_methods/pm_1/attach"
	readCardRoute           = "GET /v1/payment_methods/pm_1"
	readCardOfCustomerRoute = "GET /v1/customers/cus_1/payment_methods/pm_1"
	detachCardRoute         = "POST /v1/payment_methods/pm_1/detach"
	updateCustomerRoute     = "POST /v1/customers/cus_1"
	updateSubscriptionRoute = "POST /v1/subscriptions/sub_1"
	alreadyAttachedMessage  = "The payment method you provided has already been attached to a customer."
)

var (
	newCard   = payment.NewCard{Key: "key-1", CustomerID: "cus_1", MethodID: "pm_1"}
	savedCard = payment.SavedCardRequest{Key: "key-1", CustomerID: "cus_1", MethodID: "pm_1"}
)

// visaMethod is card("pm_1") as the port reports it.
var visaMethod = billing.PaymentMethod{ID: "pm_1",
	Card: billing.Card{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2034}}

func TestCards_ReadsEveryPage(t *testing.T) {
	firstPage := list(card("pm_3"), card("pm_2")).withFields(object{"has_more": true})
	s := newStub(t).respond(listCardsRoute, okResponse(firstPage), okResponse(list(card("pm_1"))))

	cards, err := s.provider().Cards(t.Context(), "cus_1")

	require.NoError(t, err)
	require.Len(t, cards, 3)
	assert.Equal(t, "pm_3", cards[0].ID)
	assert.Equal(t, visaMethod, cards[2])
	assert.Equal(t, url.Values{"limit": {"100"}, "starting_after": {"pm_2"}}, s.lastRequest(listCardsRoute).params)
}

func TestCards_LabelsBankAccountsAndOtherMethods(t *testing.T) {
	becsMethod := object{"id": "pm_1", "type": "au_becs_debit",
		"au_becs_debit": object{"last4": "3456", "fingerprint": "account"}}
	linkMethod := object{"id": "pm_2", "type": "link"}
	acssMethod := object{"id": "pm_3", "type": "acss_debit",
		"acss_debit": object{"last4": "6789", "fingerprint": "acss", "bank_name": "Example Bank"}}
	achMethod := object{"id": "pm_4", "type": "us_bank_account", "us_bank_account": object{"last4": "6789"}}
	s := newStub(t).respond(listCardsRoute, okResponse(list(becsMethod, linkMethod, acssMethod, achMethod)))
	cards, err := s.provider().Cards(t.Context(), "cus_1")
	require.NoError(t, err)
	assert.Equal(t, []billing.PaymentMethod{
		{ID: "pm_1", Kind: billing.BankDebitMethod, Label: "BECS Direct Debit •••• 3456", Fingerprint: "account"},
		{ID: "pm_2", Kind: billing.OtherMethod, Label: "link"},
		{ID: "pm_3", Kind: billing.BankDebitMethod, Label: "Pre-authorised debit •••• 6789", Fingerprint: "acss"},
		{ID: "pm_4", Kind: billing.BankDebitMethod, Label: "ACH Direct Debit •••• 6789"},
	}, cards)
	assert.Equal(t, "Link", cards[1].DisplayName())
}

// The fields of the structs are the types of payment methods that Stripe's library knows.
func TestMethodNames_CoverEveryTypeOfTheLibrary(t *testing.T) {
	vectors, err := os.ReadFile("../../testdata/vectors/method-names.json")
	require.NoError(t, err)
	for _, details := range []any{stripe.PaymentMethod{}, stripe.ChargePaymentMethodDetails{}} {
		for field := range reflect.TypeOf(details).Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if strings.HasPrefix(field.Type.String(), "*stripe.PaymentMethod") && name != "billing_details" &&
				name != "radar_options" || strings.HasPrefix(field.Type.String(), "*stripe.ChargePaymentMethodDetails") {
				assert.Contains(t, string(vectors), fmt.Sprintf(`"label": %q`, name))
			}
		}
	}
}

func TestCards_FailsIfAPageFails(t *testing.T) {
	s := newStub(t).
		respond(listCardsRoute, okResponse(list(card("pm_2")).withFields(object{"has_more": true})), invalidRequestResponse(nil))
	_, err := s.provider().Cards(t.Context(), "cus_1")
	assert.Equal(t, fault.Invalid, fault.CodeOf(err))
}

func TestAddCard_AttachesTheCardAndMakesItTheDefault(t *testing.T) {
	s := newStub(t).respond(attachCardRoute, okResponse(card("pm_1"))).respond(updateCustomerRoute, okResponse(customer))

	method, err := s.provider().AddCard(t.Context(), newCard)

	require.NoError(t, err)
	assert.Equal(t, visaMethod, method)
	assert.Equal(t, []string{attachCardRoute, updateCustomerRoute}, s.routes())
	assert.Equal(t, "key-1", s.lastRequest(attachCardRoute).key())
	assert.Equal(t, url.Values{"customer": {"cus_1"}}, s.lastRequest(attachCardRoute).params)
	assert.Equal(t, "key-1-default", s.lastRequest(updateCustomerRoute).key())
	assert.Equal(t, "pm_1", s.lastRequest(updateCustomerRoute).params.Get("invoice_settings[default_payment_method]"))
}

func TestAddCard_MakesTheReturnedPaymentMethodTheDefault(t *testing.T) {
	s := newStub(t).respond("POST /v1/payment_methods/pm_card_visa/attach", okResponse(card("pm_9"))).
		respond(updateCustomerRoute, okResponse(customer))
	method, err := s.provider().AddCard(t.Context(),
		payment.NewCard{Key: "key-1", CustomerID: "cus_1", MethodID: "pm_card_visa"})
	require.NoError(t, err)
	assert.Equal(t, "pm_9", method.ID)
	assert.Equal(t, "pm_9", s.lastRequest(updateCustomerRoute).params.Get("invoice_settings[default_payment_method]"))
}

func TestAddCard_ReportsWhyStripeRefusedToAttachTheCard(t *testing.T) {
	for name, c := range map[string]struct {
		owner any
		want  fault.Code
	}{
		"card of another customer":              {"cus_2", fault.NotFound},
		"card that was detached":                {nil, fault.Conflict},
		"card that is attached to the customer": {"cus_1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(attachCardRoute, invalidRequestResponse(object{"message": alreadyAttachedMessage})).
				respond(updateCustomerRoute, okResponse(customer)).
				respond(readCardRoute, okResponse(card("pm_1").withFields(object{"customer": c.owner})))
			_, err := s.provider().AddCard(t.Context(), newCard)
			assert.Equal(t, c.want, fault.CodeOf(err))
		})
	}
}

func TestDeleteCard_ReturnsNotFoundIfAnotherRequestDetachedTheCard(t *testing.T) {
	s := newStub(t).respond(readCardRoute, okResponse(card("pm_1"))).respond(detachCardRoute, invalidRequestResponse(nil))
	assert.Equal(t, fault.NotFound, fault.CodeOf(s.provider().DeleteCard(t.Context(), savedCard)))
}

func TestDeleteCard_RetryUsesTheSameKey(t *testing.T) {
	s := newStub(t).respond(readCardRoute, okResponse(card("pm_1"))).
		respond(detachCardRoute, response{reset: true}, okResponse(card("pm_1")))
	require.NoError(t, s.provider().DeleteCard(t.Context(), savedCard))
	attempts := s.requests()[1:]
	require.Len(t, attempts, 2)
	for _, r := range attempts {
		assert.Equal(t, "key-1", r.key())
	}
}

func TestSetDefaultCard_ClearsDefaultPaymentMethodsOfSubscriptions(t *testing.T) {
	customerWithSubscriptionCard := customer.withFields(object{"subscriptions": list(
		activeSubscription.withFields(object{"id": "sub_0"}),
		activeSubscription.withFields(object{"default_payment_method": "pm_old"}),
	)})
	s := newStub(t).respond(readCardOfCustomerRoute, okResponse(card("pm_1"))).
		respond(updateCustomerRoute, okResponse(customerWithSubscriptionCard)).
		respond(updateSubscriptionRoute, okResponse(activeSubscription))

	_, err := s.provider().SetDefaultCard(t.Context(), savedCard)

	require.NoError(t, err)
	assert.Equal(t, []string{readCardOfCustomerRoute, updateCustomerRoute, updateSubscriptionRoute}, s.routes(),
		"a subscription without a card is not updated")
	params := s.lastRequest(updateSubscriptionRoute).params
	assert.Equal(t, []string{""}, params["default_payment_method"])
	assert.NotContains(t, params, "default_source")
}

func TestAddCard_ClearsDefaultSourcesOfSubscriptions(t *testing.T) {
	customerWithSource := customer.withFields(object{
		"subscriptions": list(activeSubscription.withFields(object{"default_source": "card_old"})),
	})
	s := newStub(t).respond(attachCardRoute, okResponse(card("pm_1"))).
		respond(updateCustomerRoute, okResponse(customerWithSource)).
		respond(updateSubscriptionRoute, okResponse(activeSubscription))
	_, err := s.provider().AddCard(t.Context(), newCard)
	require.NoError(t, err)
	assert.Equal(t, []string{""}, s.lastRequest(updateSubscriptionRoute).params["default_source"])
	assert.Equal(t, "key-1-use-default-sub_1", s.lastRequest(updateSubscriptionRoute).key())
}

func TestSetDefaultCard_FailsIfASubscriptionCannotBeUpdated(t *testing.T) {
	customerWithSubscriptionCard := customer.withFields(object{
		"subscriptions": list(activeSubscription.withFields(object{"default_payment_method": "pm_old"})),
	})
	s := newStub(t).respond(readCardOfCustomerRoute, okResponse(card("pm_1"))).
		respond(updateCustomerRoute, okResponse(customerWithSubscriptionCard)).
		respond(updateSubscriptionRoute, errorResponse(500, object{"type": "api_error"}))
	_, err := s.provider().SetDefaultCard(t.Context(), savedCard)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err))
}
