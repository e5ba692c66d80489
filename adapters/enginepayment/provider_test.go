package enginepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/ports/gateway"
	"github.com/vc-admin/diy/ports/payment"
)

func TestNew_RefusesGatewaysThatItCannotBillWith(t *testing.T) {
	t.Parallel()
	missing := map[gateway.Capability]string{gateway.SaveOnly: "the test declares it missing"}
	for name, c := range map[string]fakegateway.Config{
		"payments by transfer":                  {Entry: payment.EntryInvoice},
		"a card field that can't save cards":    {Entry: payment.EntryCardField, Missing: missing},
		"payments that settle after 15 days":    {Settlement: 15 * day},
		"a card field, settlement over 14 days": {Entry: payment.EntryCardField, Settlement: 15 * day},
	} {
		_, err := New(Config{Gateway: fakegateway.New(c).Gateway(nil)})
		assert.Error(t, err, name)
	}
}

// The amounts that the application announces are those that the billing charges.
func TestCapabilities_MinimumChargeIsTheMinimumOfTheGateway(t *testing.T) {
	t.Parallel()
	g := fakegateway.New(fakegateway.Config{}).Gateway(nil)
	p, err := New(Config{Gateway: gatewayWithMinimum{g}})
	require.NoError(t, err)
	assert.Equal(t, int64(1500), p.Capabilities().MinimumCharge("AUD"))
	assert.Equal(t, int64(1500), p.Terms.ChargeTerms.Minimum("AUD"))
}

type gatewayWithMinimum struct{ gateway.Gateway }

func (g gatewayWithMinimum) Capabilities() gateway.Capabilities {
	c := g.Gateway.Capabilities()
	c.Minimum = func(string) int64 { return 1500 }
	return c
}
