package stripepayment_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/stripepayment"
	"github.com/vc-admin/diy/domain/catalogue"
	"github.com/vc-admin/diy/ports/clock"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

// harness gives the suite an adapter that asks a Stripe at the address. The world has what only
// those who run that Stripe can do: make cards, sit at the browser, deliver events, let time pass.
func harness(t *testing.T, url, key string, clock clock.Clock, world paymenttest.Harness) paymenttest.Harness {
	t.Helper()
	p, err := stripepayment.New(stripepayment.Config{
		SecretKey: key, APIURL: url, WebhookSecrets: []string{"whsec_" + string(paymenttest.Ours)},
		Catalogue: catalogue.Default(), Clock: clock,
	})
	require.NoError(t, err)
	world.Provider, world.Now = p, clock.Now
	world.Sign = func(payload []byte, at time.Time, with paymenttest.Secret) string {
		return sign(payload, at, "whsec_"+string(with))
	}
	return world
}
