package stripepayment_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/domain/fault"
)

// What Stripe has signed is an event with an id, or told to be none; nothing else gets that far.
func FuzzParseEvent(f *testing.F) {
	provider, err := stripepayment.New(stripepayment.Config{
		SecretKey: testKey, WebhookSecrets: []string{"whsec_new"}, Catalogue: catalogue.Default(), Clock: fixedClock{},
	})
	require.NoError(f, err)
	for _, e := range []object{
		event("customer.subscription.updated", object{"id": "sub_1", "object": "subscription", "customer": "cus_1"}),
		event("invoice.paid", object{"id": "in_1", "object": "invoice", "customer": nil, "parent": nil}),
		event("payment_method.detached", object{"id": "pm_1", "object": "payment_method", "customer": object{"id": "cus_1"}}),
		event("customer.deleted", object{}), event("", nil), {}, {"object": "event"},
	} {
		payload, err := json.Marshal(e)
		require.NoError(f, err)
		f.Add(payload, "")
	}
	f.Add([]byte(`null`), "t=,v1=")
	f.Fuzz(func(t *testing.T, payload []byte, signature string) {
		_, err := provider.ParseEvent(payload, signature)
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err))

		event, err := provider.ParseEvent(payload, sign(payload, noon, "whsec_new"))
		if err != nil {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		assert.NotEmpty(t, event.ID)
		assert.NotEmpty(t, event.Kind)
		assert.Equal(t, time.UTC, event.CreatedAt.Location())
	})
}
