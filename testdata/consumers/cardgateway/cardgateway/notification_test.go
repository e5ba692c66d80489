package cardgateway_test

import (
	"bytes"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.test/cardgateway/fakeapi"

	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

func TestParseEvents_ReturnsThePaymentOfEachNotification(t *testing.T) {
	e := newEnv(t)
	first, second := e.pay(t), e.pay(t)
	require.True(t, e.server.RefundByHand(first.Ref, 10_00))

	refs, err := e.gateway.ParseEvents(t.Context(), e.deliveries(t)[0])

	require.NoError(t, err)
	assert.Equal(t, []gateway.Reference{{Ref: first.Ref}, {Ref: second.Ref}, {Ref: first.Ref}}, refs)
}

// The signatures are a part of the body, which the suite of gateways does not change.
func TestParseEvents_RefusesADeliveryWithOneWrongSignature(t *testing.T) {
	e := newEnv(t)
	e.pay(t)
	second := e.pay(t)
	body := e.deliveries(t)[0].Body
	for name, change := range map[string]func() []byte{
		"another payment": func() []byte { return bytes.ReplaceAll(body, []byte(second.Ref), []byte(second.Ref+"0")) },
		"no signatures":   func() []byte { return fakeapi.Unsign(body) },
		"another key":     func() []byte { return fakeapi.Sign(body, []byte("another key")) },
	} {
		_, err := e.gateway.ParseEvents(t.Context(), payment.Delivery{Body: change()})
		assert.Equal(t, fault.Forbidden, fault.CodeOf(err), name)
	}
}

// pay charges a card of a new customer.
func (e *env) pay(t *testing.T) gateway.Payment {
	amount, err := money.New(39_00, "AUD")
	require.NoError(t, err)
	p, err := e.gateway.Start(t.Context(), gateway.Order{
		Key: "gpay_" + rand.Text(), CustomerRef: "org-1", Amount: amount, Token: e.encryptCard(t, fakeapi.Pays),
	})
	require.NoError(t, err)
	require.Equal(t, gateway.Paid, p.State)
	return p
}
