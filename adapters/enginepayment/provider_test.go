package enginepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"

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
