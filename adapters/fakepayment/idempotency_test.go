package fakepayment

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/payment"
)

func TestTick_DeletesExpiredResponses(t *testing.T) {
	clock := &manualClock{now: endOfMarch}
	config := Config{Path: filepath.Join(t.TempDir(), "payments.db"), Clock: clock, Prices: oneDollarPrice{}}
	p, err := Open(config)
	require.NoError(t, err)
	c, err := p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "first", OrganisationID: "org_1"})
	require.NoError(t, err)
	require.NoError(t, p.Retire(t.Context(), payment.Retirement{Key: "retired", CustomerID: c.ID}))
	clock.now = endOfMarch.Add(day)
	_, err = p.CreateCustomer(t.Context(), payment.NewCustomer{Key: "second", OrganisationID: "org_2"})
	require.NoError(t, err)
	require.NoError(t, p.Stop(t.Context()))

	p, err = Open(config)
	require.NoError(t, err)
	for _, tt := range []struct {
		days          int
		wantResponses int
	}{{29, 3}, {30, 1}, {31, 0}} {
		clock.now = endOfMarch.AddDate(0, 0, tt.days)
		require.NoError(t, p.Tick(t.Context()))
		assert.Len(t, p.state.responses.rows, tt.wantResponses, "after %d days", tt.days)
	}
	require.NoError(t, p.Stop(t.Context()))
}
