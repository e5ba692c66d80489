package paymenttest

import (
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

var signatureProofs = []proof{
	{name: "ours is taken, while it is fresh", prove: func(b *bench) {
		payload := b.payload()
		for _, age := range []time.Duration{0, time.Minute, 290 * time.Second} {
			_, err := b.Provider.ParseEvent(payload, b.Sign(payload, b.Now().Add(-age), Ours))
			assert.NoError(b, err, "%s old", age)
		}
	}},
	{name: "an outdated one is refused", prove: func(b *bench) {
		payload := b.payload()
		for _, age := range []time.Duration{310 * time.Second, time.Hour, 24 * time.Hour} {
			_, err := b.Provider.ParseEvent(payload, b.Sign(payload, b.Now().Add(-age), Ours))
			b.refused(err, fault.Forbidden)
		}
	}},
	{name: "a missing or garbled one is refused", prove: func(b *bench) {
		payload := b.payload()
		right := b.Sign(payload, b.Now(), Ours)
		for _, signature := range []string{
			"", " ", "garbage", ",", "=", "t=,v1=", strings.ToUpper(right), right[:len(right)-2], strings.Replace(right, "v1=", "v0=", 1),
		} {
			_, err := b.Provider.ParseEvent(payload, signature)
			b.refused(err, fault.Forbidden)
		}
	}},
	{name: "somebody else's is refused", prove: func(b *bench) {
		payload := b.payload()
		_, err := b.Provider.ParseEvent(payload, b.Sign(payload, b.Now(), Foreign))
		b.refused(err, fault.Forbidden)
	}},
	{name: "one of a replaced secret is refused", prove: func(b *bench) {
		payload := b.payload()
		_, err := b.Provider.ParseEvent(payload, b.Sign(payload, b.Now(), Replaced))
		b.refused(err, fault.Forbidden)
	}},
	{name: "one of another payload is refused", prove: func(b *bench) {
		payload := b.payload()
		changed := append([]byte(" "), payload...)
		_, err := b.Provider.ParseEvent(changed, b.Sign(payload, b.Now(), Ours))
		b.refused(err, fault.Forbidden)
	}},
	{name: "what is no event is invalid", prove: func(b *bench) {
		for _, text := range []string{"", "hello", "null", "[]", "{}", `{"object":"event"}`, `{"id":7}`} {
			_, err := b.Provider.ParseEvent([]byte(text), b.Sign([]byte(text), b.Now(), Ours))
			b.refused(err, fault.Invalid)
		}
	}},
}

// payload is one event, unsigned.
func (b *bench) payload() []byte {
	b.Helper()
	b.payer(Pays)
	require.EventuallyWithT(b, func(c *assert.CollectT) { assert.NotEmpty(c, b.Deliveries(b.T)) }, patience, pause)
	return b.Deliveries(b.T)[0].Payload
}
