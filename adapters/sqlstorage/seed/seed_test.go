package seed_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/sqlstorage"
	"github.com/vc-admin/diy/adapters/sqlstorage/postgrestest"
	"github.com/vc-admin/diy/adapters/sqlstorage/seed"
	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
)

func TestMain(m *testing.M) { postgrestest.Run(m) }

func TestFill_StoreReadsTheOrganisations(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { testFill(t, "sqlite:"+filepath.Join(t.TempDir(), "diy.db")) })
	t.Run("PostgreSQL", func(t *testing.T) { testFill(t, postgrestest.URL(t)) })
}

func testFill(t *testing.T, url string) {
	ctx := t.Context()
	store, err := sqlstorage.Open(ctx, url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	require.NoError(t, store.Migrate(ctx))
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	require.NoError(t, seed.Fill(ctx, url, 12, now))

	user, err := store.UserByEmail(ctx, seed.UserEmail(12))
	require.NoError(t, err)
	assert.Equal(t, seed.UserID(12), user.ID)
	assert.True(t, user.IsVerified())
	org, err := store.OrganisationByCustomer(ctx, seed.CustomerID(12))
	require.NoError(t, err)
	assert.Equal(t, seed.OrganisationID(12), org.ID)
	assert.Equal(t, seed.OrganisationName(12), org.Name)
	assert.Equal(t, billing.Active, org.Billing.LiveSubscription().Status)
	assert.False(t, org.Billing.IsStale(now))
	assert.Equal(t, user.OrganisationID, org.ID)
	assert.Equal(t, account.EmailKey(seed.UserEmail(12)), seed.UserEmail(12), "Email returns the form in which emails are looked up")
	for _, query := range []string{
		seed.OrganisationName(12), seed.UserEmail(12), seed.CustomerID(12), seed.InvoiceNumber(12), "ann king " + seed.LastFour(12),
	} {
		result, err := store.SearchOrganisations(ctx, query, 2)
		require.NoError(t, err)
		require.Len(t, result.Matches, 1, query)
		assert.Equal(t, org.ID, result.Matches[0].Organisation.ID, query)
	}
	_, err = store.Organisation(ctx, seed.OrganisationID(13))
	assert.True(t, fault.Is(err, fault.NotFound), "%v", err)
}
