package httpapi

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/billing/billingtest"
)

func TestInvoiceMovements_MatchTestVectors(t *testing.T) {
	for _, c := range billingtest.LoadPaymentRows(t) {
		t.Run(c.Name, func(t *testing.T) {
			wire := toInvoiceDetailsWire(c.Invoice)
			movements, err := json.Marshal(wire.Movements)
			require.NoError(t, err)
			assert.JSONEq(t, string(c.Movements), string(movements))
			assert.Equal(t, c.Remaining, wire.Remaining.Amount)
		})
	}
}
