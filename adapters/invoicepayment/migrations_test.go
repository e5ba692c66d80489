package invoicepayment

import (
	"io/fs"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/ports/payment/plugin"
)

// firstMigration creates the tables of the first version.
type firstMigration struct{}

func (firstMigration) Migrations() fs.FS {
	const name = "sqlite/00001_invoices.sql"
	text, err := fs.ReadFile(Adapter{}.Migrations(), name)
	if err != nil {
		panic(err) // it is embedded
	}
	return fstest.MapFS{name: &fstest.MapFile{Data: text}}
}

func TestMigrations_KeepPaymentsReportsAndResponses(t *testing.T) {
	store, err := sqlstorage.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "diy.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	require.NoError(t, store.Migrate(t.Context()))
	require.NoError(t, store.MigratePlugin(t.Context(), "invoice", firstMigration{}))
	require.NoError(t, store.Database().Write(t.Context(), func(tx plugin.Tx) error {
		for _, statement := range []string{
			`INSERT INTO invoice_customers VALUES ('c', 'org', 0, 1, '{"id": "c"}')`,
			`INSERT INTO invoice_subscriptions VALUES ('s', 'c', 1, '{"id": "s"}')`,
			`INSERT INTO invoice_invoices VALUES ('i', 1, 'c', 's', NULL, 'open', '{"id": "i", "currency": "AUD"}')`,
			`INSERT INTO invoice_invoices VALUES ('j', 2, 'c', 's', NULL, 'open', '{"id": "j", "currency": "AUD"}')`,
			`INSERT INTO invoice_payments VALUES ('i', 'ANZ 1', 100, 0), ('i', '39', 3900, 0), ('j', '39', 3900, 0)`,
			`INSERT INTO invoice_responses VALUES ('key', '', '')`,
		} {
			if _, err := tx.Exec(t.Context(), statement); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, store.MigratePlugin(t.Context(), "invoice", Adapter{}))

	e := newEnv(t, store)
	transfers, err := e.ListTransfers(t.Context(), "")
	require.NoError(t, err)
	var references []string
	for _, transfer := range transfers {
		references = append(references, transfer.Reference)
	}
	assert.Equal(t, []string{"39 i", "39 j", "ANZ 1"}, references)
	assert.Equal(t, []string{"c"}, e.reportedCustomers(t), "the change was not reported yet")
	var keys []string
	require.NoError(t, e.Database.Read(t.Context(), func(tx plugin.Tx) error {
		return tx.List(t.Context(), &keys, "SELECT key FROM invoice_responses")
	}))
	assert.Equal(t, []string{"key"}, keys)
}
