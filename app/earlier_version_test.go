package app_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/adapters/fakepayment"
	"github.com/vc-admin/diy/adapters/sqlstorage/sqlitetest"
	"github.com/vc-admin/diy/app/apptest"
	"github.com/vc-admin/diy/domain/account"
)

// restoreDump returns the path of a SQLite database with the contents of a dump.
func restoreDump(t *testing.T, dump string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "restored.db")
	statements, err := os.ReadFile(filepath.Join("testdata", dump))
	require.NoError(t, err)
	require.NoError(t, sqlitetest.Restore(t.Context(), path, string(statements)))
	return path
}

// The dumps are from the last version without emails about billing. On the day of the update the organisation "paying" has
// a plan, a renewal and a refund, "ended" has a plan that has ended, "overdue" has a payment that failed the day before,
// and "trial" has a trial that ends in four days.
func TestNotices_FirstVersionWithNoticesReportsNoEarlierEvents(t *testing.T) {
	updatedAt := time.Date(2026, 4, 3, 12, 0, 0, 0, time.UTC)
	databaseURL := "sqlite:" + restoreDump(t, "before-emails/server.sql")
	earliestMigration := time.Now().Add(-time.Minute)
	require.NoError(t, apptest.Migrate(t.Context(), databaseURL))
	f := &noticeFixture{fixture: newFixture(t, apptest.WithDatabase(databaseURL), apptest.WithStart(updatedAt),
		apptest.WithProvider(func(c *fakepayment.Config) { c.Path = restoreDump(t, "before-emails/payments.sql") }))}
	names := []string{"ended", "overdue", "paying", "trial"}
	for _, name := range names {
		user, err := f.Store.UserByEmail(t.Context(), name+"@example.com")
		require.NoError(t, err)
		_, err = f.Store.UpdateOrganisation(t.Context(), user.OrganisationID, func(o *account.Organisation) error {
			assert.WithinRange(t, o.Billing.NoticesSince, earliestMigration, time.Now().Add(time.Minute))
			o.Billing.NoticesSince = updatedAt // instead of the current time
			o.Billing.CheckAt = updatedAt
			return nil
		})
		require.NoError(t, err)
	}
	subjects := map[string][]string{}
	advanceDays := func(days int) {
		emailCount := len(f.Mailbox.Emails())
		f.advanceAndReceiveSubjects(time.Duration(days) * day)
		f.receiveEmails()
		allEmails := f.Mailbox.Emails()
		for _, email := range slices.Backward(allEmails[:len(allEmails)-emailCount]) {
			subjects[email.To] = append(subjects[email.To], email.Subject)
		}
	}

	advanceDays(0)
	assert.Empty(t, subjects, "nothing is reported about the time before the update")
	advanceDays(6)
	assert.Equal(t, map[string][]string{
		"trial@example.com": {"Your trial ends on 7 April: $39 AUD then", "Payment received: $39 AUD"},
	}, subjects)
}
