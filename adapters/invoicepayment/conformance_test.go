package invoicepayment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/domain/catalogue/cataloguetest"
	"github.com/vc-admin/diy/ports/payment"
	"github.com/vc-admin/diy/ports/payment/paymenttest"
)

func TestMain(m *testing.M) { postgrestest.Run(m) }

// The behaviours can share a database, because each creates its own customers. No worker runs, because requests process
// the due steps.
func TestProvider_ConformsOnEachDatabase(t *testing.T) {
	databaseTemplate.ForEachDatabase(t, func(t *testing.T, store *sqlstorage.Store) {
		paymenttest.Run(t, newHarnessFunc(store))
	})
}

func TestProvider_ConformsInRandomHistories(t *testing.T) {
	paymenttest.CheckHistories(t, 20, newHarnessFunc(newSQLite(t)))
}

// newHarnessFunc returns a function that creates harnesses on a database.
func newHarnessFunc(store *sqlstorage.Store) func(*testing.T) paymenttest.Harness {
	return func(t *testing.T) paymenttest.Harness {
		e := newEnv(t, store)
		return paymenttest.Harness{
			Provider: e.Provider, Now: e.clock.Now, Advance: e.advance, PayInvoice: e.payInvoice,
			RaisePrices: func(t *testing.T) payment.Provider {
				config := e.Config
				config.Catalogue = cataloguetest.EditDefault(t, `"yearly": 420}`, `"yearly": 444}`)
				return New(config)
			},
			DeleteCustomer: func(t *testing.T, id string) { require.NoError(t, e.DeleteCustomer(t.Context(), id)) },
			Missing:        map[payment.Capability]string{paymenttest.Disputes: "a customer can't dispute a transfer"},
		}
	}
}
