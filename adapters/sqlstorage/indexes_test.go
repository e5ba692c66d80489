package sqlstorage

import (
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// indexedQueries must use an index, so that their time does not grow with the number of rows.
var indexedQueries = map[string]string{
	"account":                     selectAccount,
	"user with organisation":      selectUserWithOrganisation,
	"organisation":                selectOrganisation,
	"organisation by customer":    selectOrganisationByCustomer,
	"organisation to check":       selectDueCheck,
	"postpone next check":         postponeCheck,
	"organisations on hold":       selectOnHold,
	"operator actions":            selectOperatorActions,
	"subscriptions":               selectSubscriptions,
	"invoices":                    selectInvoices,
	"taken names":                 selectTakenNames,
	"user":                        selectUser,
	"user by email":               selectUserByEmail,
	"verification":                selectVerification,
	"expired by email":            selectExpiredByEmail,
	"expired by name":             selectExpiredByName,
	"expired registrations":       selectExpired,
	"delete emails of a user":     deleteUserRows[0],
	"delete tokens of a user":     deleteUserRows[1],
	"delete operations":           deleteOrganisationRows[0],
	"password reset":              selectPasswordReset,
	"delete password resets":      deletePasswordResets,
	"sweep password resets":       sweepPasswordResets,
	"email confirmation":          selectEmailConfirmation,
	"sweep email confirmations":   sweepEmailConfirmations,
	"declined notices":            selectDeclinedNotices,
	"unreachable emails":          selectUnreachableEmails,
	"delete sessions of a user":   deleteUserSessions,
	"due email request":           selectDueEmailRequest,
	"sweep verifications":         sweepVerifications,
	"operation":                   selectOperation,
	"pending operation of a kind": selectPendingOfKind,
	"settle operation":            settleOperation,
	"settled operations":          countSettled,
	"pending operations":          selectPendingWithAge,
	"due emails":                  selectDueEmails,
	"postpone email":              postponeEmail,
	"event":                       selectEventHandled,
	"session":                     selectSessions,
	"sweep sessions":              sweepSessions,
	"ages of emails":              selectEmailAges,
	"ages of operations":          selectOperationAges,
	"lease":                       selectLease,
	"rate limit":                  selectRateLimit,
	"refund an attempt":           refundAttempt,
	"sweep rate limits":           sweepRateLimits,
}

// TestSQLiteQueries_UseIndexes allows a full scan only of an index. Such a scan ends early if the query has a LIMIT, and
// reads no other rows if the index contains only rows that the query returns.
func TestSQLiteQueries_UseIndexes(t *testing.T) {
	s := openMigrated(t, newMigratedFile(t))
	for name, query := range indexedQueries {
		t.Run(name, func(t *testing.T) {
			args := make([]any, strings.Count(query, "?"))
			for _, step := range explain(t, s.readPool, 3, "EXPLAIN QUERY PLAN "+query, args...) {
				assert.NotContains(t, step, "TEMP B-TREE")
				if strings.HasPrefix(step, "SCAN") && !strings.HasSuffix(step, "CONSTANT ROW") {
					assert.Regexp(t, "INDEX (letters_by_urgency|letters_in_order|operations_pending|email_requests_in_order|subscriptions_on_hold)$", step)
				}
			}
		})
	}
}

// TestPostgresQueries_UseIndexes disables the scans that the planner prefers for empty tables, so that it chooses them
// only without an index.
func TestPostgresQueries_UseIndexes(t *testing.T) {
	s := openMigrated(t, postgresDatabase.newMigrated(t))
	s.writePool.SetMaxOpenConns(1)
	for _, setting := range []string{"enable_seqscan = off", "enable_sort = off", "plan_cache_mode = force_generic_plan"} {
		exec(t, s, "SET "+setting)
	}
	for name, query := range indexedQueries {
		t.Run(name, func(t *testing.T) {
			exec(t, s, "PREPARE lookup AS "+sqlx.Rebind(sqlx.DOLLAR, query))
			defer exec(t, s, "DEALLOCATE lookup")
			execute := "EXPLAIN EXECUTE lookup"
			if argCount := strings.Count(query, "?"); argCount > 0 {
				execute += "(NULL" + strings.Repeat(", NULL", argCount-1) + ")"
			}
			for _, step := range explain(t, s.writePool, 0, execute) {
				assert.NotContains(t, step, "Seq Scan")
				assert.NotContains(t, step, "Sort")
			}
		})
	}
}

// explain returns the steps of the query plan, which it reads from the column with the given index.
func explain(t *testing.T, db *sqlx.DB, column int, query string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryxContext(t.Context(), query, args...)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	var steps []string
	for rows.Next() {
		row, err := rows.SliceScan()
		require.NoError(t, err)
		steps = append(steps, row[column].(string))
	}
	require.NoError(t, rows.Err())
	require.NotEmpty(t, steps)
	return steps
}
