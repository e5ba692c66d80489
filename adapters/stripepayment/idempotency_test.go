package stripepayment_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripeserver"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

// keyReusedResponse is Stripe's response to a request whose key was first used for another request.
var keyReusedResponse = errorResponse(400, object{"type": "idempotency_error"})

var retirement = payment.Retirement{Key: "key-1", CustomerID: "cus_1"}

func TestRetire_UsesTheKeysOfAllSteps(t *testing.T) {
	s := newStub(t).respond(updateCustomerRoute, okResponse(customer))
	require.NoError(t, s.provider().Retire(t.Context(), retirement))

	var keys []string
	for _, r := range s.requests() {
		assert.Equal(t, updateCustomerRoute, r.route)
		assert.Equal(t, r.key(), r.params.Get("metadata[retired]"))
		keys = append(keys, r.key())
	}
	assert.Equal(t, []string{"key-1", "key-1-attach", "key-1-cancel", "key-1-default", "key-1-mark", "key-1-pay", "key-1-release",
		"key-1-schedule", "key-1-tax-id", "key-1-void"}, keys)
}

func TestRetire_IgnoresStepsThatWereExecuted(t *testing.T) {
	s := newStub(t).respond(updateCustomerRoute, okResponse(customer), keyReusedResponse)
	assert.NoError(t, s.provider().Retire(t.Context(), retirement))
}

func TestRetire_ReportsFailures(t *testing.T) {
	for name, c := range map[string]struct {
		responses []response
		want      fault.Code
	}{
		"key of another request": {[]response{keyReusedResponse}, fault.Conflict},
		"key in use": {[]response{errorResponse(409,
			object{"type": "idempotency_error", "code": "idempotency_key_in_use"})}, fault.Unavailable},
		"server error": {[]response{errorResponse(500, object{"type": "api_error"})}, fault.Unavailable},
		"server error at a further step": {[]response{okResponse(customer), errorResponse(500, object{"type": "api_error"})},
			fault.Unavailable},
		"deleted customer": {[]response{okResponse(object{"id": "cus_1", "object": "customer", "deleted": true})},
			fault.NotFound},
		"unknown customer": {[]response{resourceMissingResponse("id")}, fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			err := newStub(t).respond(updateCustomerRoute, c.responses...).provider().Retire(t.Context(), retirement)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.NotErrorIs(t, err, payment.ErrKeyRetired)
		})
	}
}

func TestSubscribe_RefusedKeyIsUnavailableIfTheReasonIsUnknown(t *testing.T) {
	s := stubWithCustomerAndPrices(t, customer).respond(subscribeRoute, keyReusedResponse).
		respond(updateCustomerRoute, errorResponse(500, object{"type": "api_error"}))
	_, err := s.provider().Subscribe(t.Context(), newSubscription)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "the key is retired or used for another request")
}

// Retire updates the customer. While Stripe uses the key for a subscription, that update gets the error for a key of
// another endpoint, which is Conflict. Only a repetition of the same request, such as another Retire, gets the error for
// a key in use, which is Unavailable.
func TestRetire_ReturnsConflictWhileStripeExecutesTheRequest(t *testing.T) {
	f := newFakeStripe(t, catalogue.Default())
	p := f.provider(t, catalogue.Default())
	c := f.newCustomerWithCard(t, p)
	req := subscribeRequest(c, "standard")
	release, requestStarted := make(chan struct{}), make(chan struct{})
	f.server.InjectFault(stripeserver.Fault{Kind: stripeserver.KeyInUse, Route: "POST /v1/subscriptions",
		Started: requestStarted, Release: release})
	subscribeErr := make(chan error, 1)
	go func() {
		_, err := p.Subscribe(t.Context(), req)
		subscribeErr <- err
	}()
	<-requestStarted

	err := p.Retire(t.Context(), payment.Retirement{Key: req.Key, CustomerID: c.ID})

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	close(release)
	require.NoError(t, <-subscribeErr)
	subscriptions, err := p.ListSubscriptions(t.Context(), c.ID, billing.Active)
	require.NoError(t, err)
	require.Len(t, subscriptions, 1)
	assert.Equal(t, req.Key, subscriptions[0].StartKey)
}

// errorOf returns the error of a call that also returns a value.
func errorOf[T any](_ T, err error) error { return err }

func TestProvider_RequiresAnIdempotencyKey(t *testing.T) {
	s := newStub(t)
	p := s.provider()
	for name, err := range map[string]error{
		"create customer": errorOf(p.CreateCustomer(t.Context(), payment.NewCustomer{})),
		"add card":        errorOf(p.AddCard(t.Context(), payment.NewCard{CustomerID: "cus_1", MethodID: "pm_1"})),
		"subscribe":       errorOf(p.Subscribe(t.Context(), payment.NewSubscription{CustomerID: "cus_1"})),
		"pay invoice":     errorOf(p.PayInvoice(t.Context(), payment.InvoicePayment{InvoiceID: "in_1"})),
		"cancel pending change": errorOf(p.CancelPendingChange(t.Context(),
			payment.PendingChangeCancellation{SubscriptionID: "sub_1", InvoiceID: "in_1"})),
		"change plan":         errorOf(p.ChangePlan(t.Context(), payment.PriceChange{SubscriptionID: "sub_1"})),
		"cancel subscription": errorOf(p.CancelSubscription(t.Context(), payment.Cancellation{SubscriptionID: "sub_1"})),
	} {
		assert.Equal(t, fault.Invalid, fault.CodeOf(err), name)
	}
	assert.Empty(t, s.requests())
}
