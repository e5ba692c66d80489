package sqlstorage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/fault"
)

// beforeChecks are organisations as a server before the checks left them. What is left out has a
// default that nobody wants to know.
var beforeChecks = []string{
	`INSERT INTO organisations (id, name, name_key, contact_email, phone, line1, line2, city, state, postal_code, country, currency,
		choice_product, choice_interval, created_at, customer_id, billing_currency, revision,
		dev_license_product, dev_license_interval, dev_license_currency, dev_license_status)
	SELECT id, 'Practice ' || id, lower(id), '', '', '', '', '', '', '', '', '', '', '', '2026-01-01 00:00:00', 'customer of ' || id, '', 1, '', '', '', ''
	FROM (SELECT 'paying' AS id UNION SELECT 'overdue' UNION SELECT 'over' UNION SELECT 'new') AS names`,
	`INSERT INTO subscriptions (id, organisation_id, ordinal, customer_id, status, product, billing_interval, currency, created_at, current_period_end)
	SELECT id, organisation_id, 0, '', status, '', '', '', '2026-01-02 00:00:00', '2026-02-02 00:00:00'
	FROM (SELECT 's1' AS id, 'paying' AS organisation_id, 'active' AS status
		UNION SELECT 's2', 'overdue', 'past_due' UNION SELECT 's3', 'over', 'canceled') AS subs`,
}

// Licenses from before there were checks are checked as well: when their period ends, or at once.
// So are customers without any, from before they were.
func TestChecksBeginForLicensesThatAreThere(t *testing.T) {
	onEach(t, func(t *testing.T, k kind) {
		s := opened(t, k.empty(t))
		require.NoError(t, s.MigrateTo(t.Context(), 7))
		for _, insert := range beforeChecks {
			_, err := s.DB().ExecContext(t.Context(), insert)
			require.NoError(t, err)
		}
		require.NoError(t, s.MigrateTo(t.Context(), 8))

		end := time.Date(2026, 2, 2, 0, 0, 0, 0, time.UTC)
		first, err := s.ClaimCheck(t.Context(), end.Add(-time.Microsecond), end.AddDate(1, 0, 0))
		require.NoError(t, err)
		require.Equal(t, "overdue", first)
		_, err = s.ClaimCheck(t.Context(), end.Add(-time.Microsecond), end)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		second, err := s.ClaimCheck(t.Context(), end, end.AddDate(1, 0, 0))
		require.NoError(t, err)
		require.Equal(t, "paying", second)
		_, err = s.ClaimCheck(t.Context(), end, end)
		require.Equal(t, fault.NotFound, fault.CodeOf(err), "of the others nothing was expected then")
		require.NoError(t, s.Migrate(t.Context()))
		for _, other := range []string{"new", "over"} {
			id, err := s.ClaimCheck(t.Context(), end, end.AddDate(1, 0, 0))
			require.NoError(t, err)
			require.Equal(t, other, id)
		}
		_, err = s.ClaimCheck(t.Context(), end, end)
		require.Equal(t, fault.NotFound, fault.CodeOf(err), "the first two are asked about when their time comes")
	})
}
