package fakepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/domain/fault"
)

// newParser is a provider that is only asked about events.
func newParser(f *testing.F) *fakepayment.Provider {
	f.Helper()
	provider, err := fakepayment.Open(fakepayment.Config{Clock: fixedClock{noon}, Prices: prices{}, Secrets: []string{ourSecret}})
	require.NoError(f, err)
	return provider
}

// A signature that nobody made is refused, whatever is under it.
func FuzzSignature(f *testing.F) {
	provider := newParser(f)
	for _, seed := range []string{"", "t=", "t=1,v1=", "t=9223372036854775808,v1=00", ",,=,", "v1=00,t=1,t=2"} {
		f.Add([]byte(`{"id": "evt_1"}`), seed)
	}
	f.Fuzz(func(t *testing.T, payload []byte, signature string) {
		_, err := provider.ParseEvent(payload, signature)
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err))
	})
}

// What is signed is an event with an id, or no event.
func FuzzParseEvent(f *testing.F) {
	provider := newParser(f)
	for _, seed := range []string{
		``, `null`, `{}`, `{"object": "event", "id": "evt_1", "type": "customer.deleted", "data": {"object": {"id": "cus_1"}}}`,
		`{"object": "event", "id": "evt_1", "type": "invoice.paid", "data": {"object": {"object": "invoice", "parent": null}}}`,
		`{"object": "event", "id": 1, "type": "x"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		event, err := provider.ParseEvent(payload, fakepayment.Sign(payload, noon, ourSecret))
		if err != nil {
			require.Equal(t, fault.Invalid, fault.CodeOf(err))
			return
		}
		assert.NotEmpty(t, event.ID)
		assert.NotEmpty(t, event.Kind)
		assert.Equal(t, time.UTC, event.CreatedAt.Location())
	})
}
