package enginepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/adapters/fakegateway"
	"github.com/vc-admin/diy/ports/payment"
)

func TestNew_RefusesCardFieldsAndSettlementOver14Days(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]fakegateway.Config{
		"a card field":             {Entry: payment.EntryCardField},
		"settlement after 15 days": {Settlement: 15 * day},
	} {
		_, err := New(Config{Gateway: fakegateway.New(c).Gateway(nil)})
		assert.Error(t, err, name)
	}
}
