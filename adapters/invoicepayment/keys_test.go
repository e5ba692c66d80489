package invoicepayment

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/plugin"
	"github.com/vc-admin/diy/ports/payment/plugin/tables"
)

func TestTick_DeletesExpiredResponsesByTheDatabaseClock(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		e, now := newEnv(t, store), noon
		store.UseClock(func() time.Time { return now })
		c := e.newCustomer(t)
		require.NoError(t, e.Retire(t.Context(), payment.Retirement{Key: "retired", CustomerID: c.ID}))
		keysAfterTick := func() (keys []string) {
			e.reportedCustomers(t)
			require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
				return tx.List(t.Context(), &keys, "SELECT key FROM invoice_responses")
			}))
			return keys
		}
		e.advance(t, 400*day) // the clock of the server is wrong
		assert.Len(t, keysAfterTick(), 2)
		now = noon.Add(tables.KeyRetention)
		assert.Len(t, keysAfterTick(), 2)
		assert.ErrorIs(t, e.createCustomerWithKey(t, "retired"), payment.ErrKeyRetired)

		now = now.Add(time.Second)
		assert.Empty(t, keysAfterTick())
	})
}

func (e *env) createCustomerWithKey(t *testing.T, key string) error {
	t.Helper()
	_, err := e.CreateCustomer(t.Context(), payment.NewCustomer{Key: key, OrganisationID: "org"})
	return err
}
