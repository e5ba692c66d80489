package sqlstorage

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/billing"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/domain/money"
	"github.com/vc-admin/diy/ports/storage"
)

// migrateTo applies the migrations up to the version.
func migrateTo(t *testing.T, s *Store, version int64) {
	t.Helper()
	provider, err := newStoreMigrationProvider(s.writePool.DB, s.dialect)
	require.NoError(t, err)
	_, err = provider.UpTo(t.Context(), version)
	require.NoError(t, err)
}

// insertOldOrganisation inserts an organisation with a customer. It sets only columns that exist since migration 1.
func insertOldOrganisation(t *testing.T, s *Store, id string) {
	t.Helper()
	exec(t, s, `INSERT INTO organisations (id, name, name_key, contact_email, phone, line1, line2, city, state, postal_code,
			country, currency, choice_product, choice_interval, created_at, customer_id, billing_currency, revision,
			dev_license_product, dev_license_interval, dev_license_currency, dev_license_status)
		VALUES ('`+id+`', '`+id+`', '`+id+`', '', '', '', '', '', '', '',
			'', '', '', '', '2026-01-01 00:00:00', 'customer of `+id+`', 'AUD', 1, '', '', '', '')`)
}

// selectStrings returns the first column of a query, which must return rows.
func selectStrings(t *testing.T, s *Store, query string) (values []string) {
	t.Helper()
	require.NoError(t, s.readPool.SelectContext(t.Context(), &values, query))
	require.NotEmpty(t, values)
	return values
}

func TestMigrate_ConcurrentServersSucceed(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		url := db.newUnmigratedURL(t)
		var wg sync.WaitGroup
		for range 4 {
			s := openStore(t, url)
			wg.Go(func() {
				assert.NoError(t, s.Migrate(t.Context()))
				assert.NoError(t, s.Ready(t.Context()))
			})
		}
		wg.Wait()
	})
}

func TestMigrate_SucceedsAfterAFailure(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		exec(t, s, "CREATE TABLE letters (id INTEGER)")
		err := s.Migrate(t.Context())
		require.Equal(t, fault.Internal, fault.CodeOf(err))
		require.ErrorContains(t, err, "letters")

		exec(t, s, "DROP TABLE letters")
		require.NoError(t, s.Migrate(t.Context()))
	})
}

func TestPostgresMigrate_WaitsForTheLockUntilTheContextEnds(t *testing.T) {
	url := postgresDatabase.newUnmigratedURL(t)
	s, otherStore := openStore(t, url), openStore(t, url)
	lockingConn, err := otherStore.writePool.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, advisoryLock{}.SessionLock(t.Context(), lockingConn))

	ctx, cancel := context.WithCancel(t.Context())
	migrateErr := make(chan error, 1)
	go func() { migrateErr <- s.Migrate(ctx) }()
	waitForBlockedConnection(t, s)
	cancel()
	require.Equal(t, fault.Unavailable, fault.CodeOf(<-migrateErr))
	require.NoError(t, lockingConn.Close())
}

// TestPostgresMigrate_ReportsALostLock locks in one session and unlocks in another, as happens behind a pooler.
func TestPostgresMigrate_ReportsALostLock(t *testing.T) {
	s := openStore(t, postgresDatabase.newUnmigratedURL(t))
	owner, err := s.writePool.Conn(t.Context())
	require.NoError(t, err)
	otherConn, err := s.writePool.Conn(t.Context())
	require.NoError(t, err)
	require.NoError(t, advisoryLock{}.SessionLock(t.Context(), owner))

	err = advisoryLock{}.SessionUnlock(t.Context(), otherConn)

	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	require.ErrorContains(t, err, "migrate with PostgreSQL's own address")
	require.NoError(t, advisoryLock{}.SessionUnlock(t.Context(), owner))
	require.NoError(t, owner.Close())
	require.NoError(t, otherConn.Close())
}

// TestMigrate_SchedulesChecksOfExistingOrganisations applies migrations 8 and 9. Migration 8 schedules a check of
// organisations with a license for the end of its period, or immediately if a payment is overdue. Migration 9 schedules a check
// of all other organisations with a customer.
func TestMigrate_SchedulesChecksOfExistingOrganisations(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		migrateTo(t, s, 7)
		for _, id := range []string{"paying", "overdue", "ended", "new"} {
			insertOldOrganisation(t, s, id)
		}
		exec(t, s, `INSERT INTO subscriptions (id, organisation_id, ordinal, customer_id, status, product, billing_interval, currency,
				created_at, current_period_end)
			SELECT id, organisation_id, 0, '', status, '', '', '', '2026-01-02 00:00:00', '2026-02-02 00:00:00'
			FROM (SELECT 's1' AS id, 'paying' AS organisation_id, 'active' AS status
				UNION SELECT 's2', 'overdue', 'past_due' UNION SELECT 's3', 'ended', 'canceled') AS subs`)
		end := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
		requireClaimedChecks := func(now time.Time, wantIDs ...string) {
			t.Helper()
			for _, want := range wantIDs {
				id, err := s.ClaimBillingCheck(t.Context(), now, end.AddDate(1, 0, 0))
				require.NoError(t, err)
				require.Equal(t, want, id)
			}
			_, err := s.ClaimBillingCheck(t.Context(), now, end.AddDate(1, 0, 0))
			require.Equal(t, fault.NotFound, fault.CodeOf(err))
		}

		migrateTo(t, s, 8)
		requireClaimedChecks(end.Add(-time.Microsecond), "overdue")
		requireClaimedChecks(end, "paying")

		require.NoError(t, s.Migrate(t.Context()))
		requireClaimedChecks(end, "ended", "new")
	})
}

// TestMigrate_SubscriptionsOfEarlierVersionAreReadable reads a row that the version before migration 15 wrote before the
// migration, and a row that it wrote after the migration.
func TestMigrate_SubscriptionsOfEarlierVersionAreReadable(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		migrateTo(t, s, 14)
		insertOldOrganisation(t, s, "org")
		insertOldSubscription := func(id, status string) {
			exec(t, s, `INSERT INTO subscriptions (id, organisation_id, ordinal, customer_id, status, product, billing_interval, currency,
				created_at, current_period_end, pending_product, pending_interval, pending_currency, pending_invoice_id, pending_expires_at)
				VALUES ('`+id+`', 'org', 0, 'cus', '`+status+`', 'standard', 'monthly', 'AUD', '2026-01-02 00:00:00', '2026-02-02 00:00:00',
				'professional', 'monthly', 'AUD', 'in_1', '2026-01-03 00:00:00')`)
		}
		insertOldSubscription("before", "canceled")
		require.NoError(t, s.Migrate(t.Context()))
		insertOldSubscription("after", "active")

		org, err := s.Organisation(t.Context(), "org")
		require.NoError(t, err)
		require.Len(t, org.Billing.Subscriptions, 2)
		for _, sub := range org.Billing.Subscriptions {
			assert.Equal(t, "standard_monthly", sub.Price.PriceID())
			assert.Equal(t, "in_1", sub.Pending.InvoiceID)
			assert.Nil(t, sub.Pending.Replaces)
			assert.Nil(t, sub.Scheduled)
			assert.Empty(t, sub.Hold)
			assert.Nil(t, sub.Pause)
			assert.Zero(t, sub.EndsAt)
		}
		assert.Zero(t, org.Billing.LastVoidedInvoice)
		assert.Empty(t, org.Billing.OwingSubscriptionID)
	})
}

// TestMigrate_EmailsOfEarlierVersionHaveNoNotice claims an email that the version before migration 18 queued before the
// migration, and an email that it queued after the migration.
func TestMigrate_EmailsOfEarlierVersionHaveNoNotice(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		migrateTo(t, s, 17)
		insertOldEmail := func(recipient string) {
			exec(t, s, `INSERT INTO letters (recipient, subject, text, html, attempts, created_at, due_at)
				VALUES ('`+recipient+`', 's', 't', 'h', 0, '2026-01-01 00:00:00', '2026-01-01 00:00:00')`)
		}
		insertOldEmail("before")
		require.NoError(t, s.Migrate(t.Context()))
		insertOldEmail("after")

		now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
		emails, err := s.ClaimEmails(t.Context(), now, now.Add(time.Hour), 10)
		require.NoError(t, err)
		require.Len(t, emails, 2)
		for _, email := range emails {
			assert.Zero(t, email.Notice)
			assert.Empty(t, email.OrganisationID)
		}
	})
}

// TestMigrate_SetsNoticesSinceOfExistingOrganisations applies migration 32, after which existing organisations get no
// emails about earlier events. Organisations that are added later get emails about all events.
func TestMigrate_SetsNoticesSinceOfExistingOrganisations(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		migrateTo(t, s, 31)
		insertOldOrganisation(t, s, "before")
		start := time.Now().Add(-time.Minute)
		require.NoError(t, s.Migrate(t.Context()))
		insertOldOrganisation(t, s, "after")

		oldOrg, err := s.Organisation(t.Context(), "before")
		require.NoError(t, err)
		assert.WithinRange(t, oldOrg.Billing.NoticesSince, start, time.Now().Add(time.Minute))
		newOrg, err := s.Organisation(t.Context(), "after")
		require.NoError(t, err)
		assert.Zero(t, newOrg.Billing.NoticesSince)
	})
}

// TestMigrate_InvoicesOfEarlierVersionLackAmountsUntilRefresh reads an invoice that the version before migration 23 wrote
// before the migration, and an invoice that it wrote after the migration.
func TestMigrate_InvoicesOfEarlierVersionLackAmountsUntilRefresh(t *testing.T) {
	forEachDatabase(t, func(t *testing.T, db database) {
		s := openStore(t, db.newUnmigratedURL(t))
		migrateTo(t, s, 21)
		insertOldOrganisation(t, s, "org")
		insertOldInvoice := func(id string) {
			exec(t, s, `INSERT INTO invoices (organisation_id, id, subscription_id, number, status, currency, total, tax,
					amount_due, amount_paid, description, created_at)
				VALUES ('org', '`+id+`', 'sub', 'A-1', 'paid', 'AUD', 3900, 0, 735, 735, '', '2026-01-01 00:00:00')`)
		}
		insertOldInvoice("before")
		require.NoError(t, s.Migrate(t.Context()))
		insertOldInvoice("after")

		storedInvoices, err := s.Invoices(t.Context(), "org")
		require.NoError(t, err)
		require.Len(t, storedInvoices, 2)
		reportedInvoices := slices.Clone(storedInvoices)
		for i := range reportedInvoices {
			assert.Equal(t, "AUD 7.35", reportedInvoices[i].AmountPaid.String())
			assert.Zero(t, reportedInvoices[i].CreditUsed)
			reportedInvoices[i].CreditUsed, err = money.New(3165, "AUD")
			require.NoError(t, err)
		}
		assert.Len(t, billing.ChangedInvoices(storedInvoices, reportedInvoices), 2, "the next report has the amounts")
		noChange := func(*account.Organisation) error { return nil }
		report := storage.BillingUpdate{Invoices: billing.ChangedInvoices(storedInvoices, reportedInvoices)}
		_, err = s.UpdateBilling(t.Context(), "org", report, noChange)
		require.NoError(t, err)
		storedInvoices, err = s.Invoices(t.Context(), "org")
		require.NoError(t, err)
		assert.Empty(t, billing.ChangedInvoices(storedInvoices, reportedInvoices))
	})
}

func TestSQLiteMigrate_KeepsUnexpiredSessions(t *testing.T) {
	s := openStore(t, newSQLiteURL(t))
	migrateTo(t, s, 5)
	exec(t, s, "INSERT INTO sessions VALUES ('valid', 'data', julianday('now', '+1 hour')), ('expired', 'data', julianday('now', '-1 minute'))")
	require.NoError(t, s.Migrate(t.Context()))
	requireSession(t, s.Sessions(), "valid", []byte("data"))
	requireSession(t, s.Sessions(), "expired", nil)
}
