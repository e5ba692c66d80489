package stripepayment_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/payment"
)

const change = "POST /v1/subscriptions/sub_1"

var planChange = payment.PlanChange{Key: "key-1", SubscriptionID: "sub_1", Price: professional}

// upgraded is the subscription after the change.
var upgraded = active.with(object{
	"metadata": object{"change": "key-1"},
	"items": list(object{"id": "si_1", "current_period_end": 1803902400,
		"price": object{"id": "price_professional_yearly", "lookup_key": "professional_yearly"}}),
})

func TestAPlanIsChangedInPlace(t *testing.T) {
	s := shop(t, customer).on(readSubscription, fine(active)).on(change, fine(upgraded))

	after, err := s.provider().ChangePlan(t.Context(), planChange)

	require.NoError(t, err)
	assert.Equal(t, professional, after.Price)
	assert.Equal(t, []string{readSubscription, lookUp, change}, s.routes())
	assert.Equal(t, "key-1", s.last(change).key())
	assert.Equal(t, url.Values{
		"items[0][id]": {"si_1"}, "items[0][price]": {"price_professional_yearly"},
		prorationBehaviour: {"always_invoice"}, paymentBehaviour: {"allow_incomplete"},
		"metadata[product]": {"professional"}, "metadata[interval]": {"yearly"}, "metadata[change]": {"key-1"},
		"expand[0]": {"latest_invoice.confirmation_secret"}, "expand[1]": {"latest_invoice.payments"}, "expand[2]": {"pending_setup_intent"},
	}, s.last(change).params)
}

func TestAChangeEndsARunningTrial(t *testing.T) {
	s := shop(t, customer).on(readSubscription, fine(trialing)).on(change, fine(upgraded))
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, "now", s.last(change).params.Get("trial_end"))
}

func TestADifferenceThatIsNotPaidIsNoError(t *testing.T) {
	due := upgraded.with(object{"status": "past_due", "latest_invoice": invoice("open", "open")})
	s := shop(t, customer).on(readSubscription, fine(active)).on(change, fine(due)).on(readPayment, fine(paymentIntent("requires_payment_method")))
	after, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, billing.PastDue, after.Status)
	assert.Equal(t, billing.RequiresPaymentMethod, after.LatestInvoice.Payment.Status)
}

// TestARepeatOfAChangeThatWasMadeAsksForNothing is about a trial: it is over after the change, so
// that the same request would be sent with other parameters under the same key.
func TestARepeatOfAChangeThatWasMadeAsksForNothing(t *testing.T) {
	s := shop(t, customer).on(readSubscription, fine(upgraded))
	after, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, professional, after.Price)
	assert.Equal(t, []string{readSubscription}, s.routes())
}

func TestTheSameKeyForAnotherPlanIsForStripeToRefuse(t *testing.T) {
	s := shop(t, customer).on(readSubscription, fine(upgraded)).on(change, refusal(400, object{"type": "idempotency_error"}))
	other := planChange
	other.Price = standard
	_, err := s.provider().ChangePlan(t.Context(), other)
	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
}

func TestOurItemIsTheOneThatChanges(t *testing.T) {
	two := active.with(object{"items": list(
		object{"id": "si_0", "price": object{"id": "price_x", "lookup_key": "consulting"}},
		object{"id": "si_1", "price": object{"id": "price_1", "lookup_key": "standard_yearly"}},
	)})
	s := shop(t, customer).on(readSubscription, fine(two)).on(change, fine(upgraded))
	_, err := s.provider().ChangePlan(t.Context(), planChange)
	require.NoError(t, err)
	assert.Equal(t, "si_1", s.last(change).params.Get("items[0][id]"))
}

func TestChangesThatAreRefused(t *testing.T) {
	dollars, nothing := professional, professional
	dollars.Currency, nothing.Product = "USD", "no-such-plan"
	for name, c := range map[string]struct {
		found object
		to    catalogue.PriceRef
		want  fault.Code
	}{
		"of an ended one":      {active.with(object{"status": "canceled"}), professional, fault.Conflict},
		"of an incomplete one": {incomplete, professional, fault.Conflict},
		"to another currency":  {active, dollars, fault.Invalid},
		"to an unknown price":  {active, nothing, fault.Invalid},
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t, customer).on(readSubscription, fine(c.found))
			_, err := s.provider().ChangePlan(t.Context(), payment.PlanChange{Key: "key-1", SubscriptionID: "sub_1", Price: c.to})
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.NotContains(t, s.routes(), change)
		})
	}
}
