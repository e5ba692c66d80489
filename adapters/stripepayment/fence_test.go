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
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

const retire = "POST /v1/customers/cus_1"

// usedKey is Stripe's answer to a key that was first used for another request.
var usedKey = refusal(400, object{"type": "idempotency_error"})

var retirement = payment.Retirement{Key: "key-1", CustomerID: "cus_1"}

func TestRetire_UsesTheKeyAndItsStepsForTheCustomer(t *testing.T) {
	s := newScript(t).on(retire, fine(customer))
	require.NoError(t, s.provider().Retire(t.Context(), retirement))

	var keys []string
	for _, asked := range s.asked {
		assert.Equal(t, retire, asked.route)
		assert.Equal(t, asked.key(), asked.params.Get("metadata[retired]"))
		keys = append(keys, asked.key())
	}
	assert.Equal(t, []string{"key-1", "key-1-attach", "key-1-default", "key-1-mark", "key-1-void"}, keys)
}

func TestRetire_IgnoresStepsThatHaveActed(t *testing.T) {
	s := newScript(t).on(retire, fine(customer), usedKey)
	assert.NoError(t, s.provider().Retire(t.Context(), retirement))
}

func TestRetire_Failures(t *testing.T) {
	for name, c := range map[string]struct {
		answers []answer
		want    fault.Code
	}{
		"the key has acted":       {[]answer{usedKey}, fault.Conflict},
		"the key is in use":       {[]answer{refusal(409, object{"type": "idempotency_error", "code": "idempotency_key_in_use"})}, fault.Unavailable},
		"no answer":               {[]answer{refusal(500, object{"type": "api_error"})}, fault.Unavailable},
		"no answer for a step":    {[]answer{fine(customer), refusal(500, object{"type": "api_error"})}, fault.Unavailable},
		"the customer is deleted": {[]answer{fine(object{"id": "cus_1", "object": "customer", "deleted": true})}, fault.NotFound},
		"there is no customer":    {[]answer{missing("id")}, fault.NotFound},
	} {
		t.Run(name, func(t *testing.T) {
			err := newScript(t).on(retire, c.answers...).provider().Retire(t.Context(), retirement)
			assert.Equal(t, c.want, fault.CodeOf(err))
			assert.NotErrorIs(t, err, payment.ErrKeyRetired)
		})
	}
}

func TestSubscribe_UnknownFateOfItsKeyIsUnavailable(t *testing.T) {
	s := shop(t, customer).on(subscribe, usedKey).on(retire, refusal(500, object{"type": "api_error"}))
	_, err := s.provider().Subscribe(t.Context(), newSubscription)
	assert.Equal(t, fault.Unavailable, fault.CodeOf(err), "retired or used for something else: nobody knows")
}

// While Stripe works on a request its key can be neither retired nor used by another request, and
// the request ends as if nobody had tried.
func TestRetire_KeyInProgressIsConflict(t *testing.T) {
	l := newLocalStripe(t, catalogue.Default())
	p := l.adapter(t, catalogue.Default())
	c := l.payer(t, p, paymenttest.Pays)
	order := localOrder(c, "standard")
	end, started := make(chan struct{}), make(chan struct{})
	l.face.InjectFault(stripeserver.Fault{Failure: stripeserver.InProgress, Route: "POST /v1/subscriptions", Started: started, Release: end})
	bought := make(chan error, 1)
	go func() {
		_, err := p.Subscribe(t.Context(), order)
		bought <- err
	}()
	<-started

	err := p.Retire(t.Context(), payment.Retirement{Key: order.Key, CustomerID: c.ID})

	assert.Equal(t, fault.Conflict, fault.CodeOf(err))
	close(end)
	require.NoError(t, <-bought)
	all, err := p.ListSubscriptions(t.Context(), c.ID, billing.Active)
	require.NoError(t, err)
	require.Len(t, all, 1)
	assert.Equal(t, order.Key, all[0].MadeBy)
}
