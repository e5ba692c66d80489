package stripepayment_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

func TestErrors_AreConvertedToFaults(t *testing.T) {
	for name, c := range map[string]struct {
		response response
		want     fault.Code
		message  string // "" accepts any
	}{
		"declined card": {declinedResponse(), fault.Declined, "Your card has insufficient funds."},
		"declined card without a message": {errorResponse(402, object{"type": "card_error", "code": "card_declined"}),
			fault.Declined, "Your card was declined."},
		"missing object":                 {resourceMissingResponse("id"), fault.NotFound, ""},
		"unknown path":                   {errorResponse(404, object{"type": "invalid_request_error"}), fault.NotFound, ""},
		"missing object with status 400": {invalidRequestResponse(object{"code": "resource_missing"}), fault.NotFound, ""},
		"invalid parameter": {invalidRequestResponse(object{"code": "parameter_invalid_empty", "param": "name"}),
			fault.Invalid, ""},
		"used key": {errorResponse(400,
			object{"type": "idempotency_error", "message": "Keys for idempotent requests…"}), fault.Conflict, ""},
		"key in use": {keyInUseResponse(), fault.Unavailable, ""},
		"wrong API key": {errorResponse(401,
			object{"type": "invalid_request_error", "message": "Invalid API Key provided: sk_test_***"}),
			fault.Unavailable, ""},
		"revoked API key": {errorResponse(401, object{"type": "invalid_request_error", "code": "api_key_expired"}),
			fault.Unavailable, ""},
		"blocked by a proxy": {response{status: 403, text: "<html>Blocked</html>"}, fault.Unavailable, ""},
		"missing permission": {errorResponse(403, object{"type": "invalid_request_error"}), fault.Unavailable, ""},
		"rate limit": {errorResponse(429, object{"type": "invalid_request_error", "code": "rate_limit"}),
			fault.Unavailable, ""},
		"outage":                   {errorResponse(500, object{"type": "api_error"}), fault.Unavailable, ""},
		"HTML error":               {response{status: 502, text: "<html>bad gateway</html>"}, fault.Unavailable, ""},
		"text with status 200":     {response{status: 200, text: "hello"}, fault.Unavailable, ""},
		"402 without a card error": {errorResponse(402, object{"type": "invalid_request_error"}), fault.Invalid, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(createCustomerRoute, c.response)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			assert.Equal(t, c.want, fault.CodeOf(err))
			if c.message != "" {
				assert.Equal(t, c.message, fault.MessageOf(err))
			}
			assert.Equal(t, strings.HasSuffix(name, "API key") || name == "missing permission",
				errors.Is(err, payment.ErrAPIKeyRefused))
		})
	}
}

func TestErrors_AreLoggedWithTheLevelOfTheirCause(t *testing.T) {
	for name, c := range map[string]struct {
		response response
		level    string
	}{
		"declined card":   {declinedResponse(), "level=INFO"},
		"wrong API key":   {errorResponse(401, object{"type": "invalid_request_error"}), "level=ERROR"},
		"outage":          {errorResponse(500, object{"type": "api_error"}), "level=WARN"},
		"invalid request": {invalidRequestResponse(nil), "level=WARN"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(createCustomerRoute, c.response)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			assert.Contains(t, s.log.String(), "stripe_request=req_scripted")
			assert.Contains(t, s.log.String(), `operation="create customer"`)
			assert.Contains(t, s.log.String(), c.level)
		})
	}
}

func TestErrors_ContainNoSecrets(t *testing.T) {
	for name, res := range map[string]response{
		"message quoting the request": invalidRequestResponse(object{"param": "email"}),
		"error with a payment intent": declinedResponse(),
		"error without JSON":          {status: 400, text: "ann@clinic.example is not " + testAPIKey},
		"success without JSON":        {status: 200, text: "ann@clinic.example pi_1_secret_hush"},
		"outage":                      {reset: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStub(t).respond(createCustomerRoute, res)
			_, err := s.provider().CreateCustomer(t.Context(), newCustomer)
			require.Error(t, err)
			for _, secret := range []string{testAPIKey, "ann@clinic.example", "pi_1_secret_hush", "Northside"} {
				assert.NotContains(t, s.log.String(), secret)
				assert.NotContains(t, err.Error(), secret)
			}
		})
	}
}

// The ids would change the path or the query of a request.
func TestInvalidIDs_AreNotSent(t *testing.T) {
	ref := catalogue.PriceRef{Product: "standard", Interval: "yearly", Currency: "AUD"}
	for _, id := range []string{"", "../customers/cus_2", "cus_1?expand[]=sources", "cus_1/sources", "cus 1", "cus_1\n",
		"é", strings.Repeat("x", 3000)} {
		s := newStub(t)
		p, ctx := s.provider(), t.Context()
		for name, err := range map[string]error{
			"Customer":          errorOf(p.Customer(ctx, id)),
			"Cards":             errorOf(p.Cards(ctx, id)),
			"AddCard, customer": errorOf(p.AddCard(ctx, payment.NewCard{Key: "k", CustomerID: id, MethodID: "pm_1"})),
			"AddCard, card": errorOf(p.AddCard(ctx,
				payment.NewCard{Key: "k", CustomerID: "cus_1", MethodID: id})),
			"SetDefaultCard, customer": errorOf(p.SetDefaultCard(ctx,
				payment.SavedCardRequest{Key: "k", CustomerID: id, MethodID: "pm_1"})),
			"SetDefaultCard, card": errorOf(p.SetDefaultCard(ctx,
				payment.SavedCardRequest{Key: "k", CustomerID: "cus_1", MethodID: id})),
			"DeleteCard, customer": p.DeleteCard(ctx, payment.SavedCardRequest{Key: "k", CustomerID: id, MethodID: "pm_1"}),
			"DeleteCard, card":     p.DeleteCard(ctx, payment.SavedCardRequest{Key: "k", CustomerID: "cus_1", MethodID: id}),
			"ListSubscriptions":    errorOf(p.ListSubscriptions(ctx, id)),
			"Subscribe": errorOf(p.Subscribe(ctx,
				payment.NewSubscription{Key: "k", CustomerID: id, Price: ref})),
			"Subscription": errorOf(p.Subscription(ctx, id)),
			"PayInvoice":   errorOf(p.PayInvoice(ctx, payment.InvoicePayment{Key: "k", InvoiceID: id})),
			"CancelPendingChange": errorOf(p.CancelPendingChange(ctx,
				payment.PendingChangeCancellation{Key: "k", SubscriptionID: id, InvoiceID: "in_1"})),
			"ChangePlan": errorOf(p.ChangePlan(ctx,
				payment.PriceChange{Key: "k", SubscriptionID: id, From: ref, To: ref})),
			"CancelSubscription": errorOf(p.CancelSubscription(ctx,
				payment.Cancellation{Key: "k", SubscriptionID: id})),
		} {
			assert.Equal(t, fault.NotFound, fault.CodeOf(err), "%s %.20q", name, id)
		}
		assert.Empty(t, s.requests())
	}
}
