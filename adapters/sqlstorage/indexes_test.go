package sqlstorage

import (
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/storage"
)

// indexedQueries must use an index, so that their time does not grow with the number of rows.
var indexedQueries = map[string]string{
	"account":                     selectAccountSQL,
	"user with organisation":      selectUserWithOrganisationSQL,
	"organisation":                selectOrganisationSQL,
	"organisation by customer":    selectAccountByCustomerSQL,
	"organisation to check":       selectDueCheckSQL,
	"organisation to check late":  selectFarCheckSQL,
	"claim a check":               claimCheckSQL,
	"release a check":             releaseCheckSQL,
	"organisations on hold":       selectOrganisationsOnHoldSQL,
	"overdue organisations":       selectOverdueSQL,
	"delayed emails":              selectDelayedEmailsSQL,
	"failed emails":               selectFailedEmailsSQL,
	"audit of an organisation":    selectAuditOfOrganisationSQL,
	"audit":                       auditSQL(storage.AuditQuery{}),
	"audit of an actor":           auditSQL(storage.AuditQuery{Actor: "a"}),
	"audit of a request":          auditSQL(storage.AuditQuery{RequestID: "r"}),
	"invoice":                     selectInvoiceDocumentSQL,
	"events of an organisation":   selectOrganisationEventsSQL,
	"erasure":                     selectErasureSQL,
	"due erasures":                selectDueErasuresSQL,
	"delete an erasure":           deleteErasureSQL,
	"pending operations of one":   countPendingOperationSQL,
	"kept invoices":               selectKeptInvoicesSQL,
	"sweep kept invoices":         sweepKeptInvoicesSQL,
	"audit seals":                 selectAuditSealsSQL,
	"last audit seal":             selectLastSealSQL,
	"newest audit entry":          selectNewestEntrySQL,
	"delete audit entries":        deleteAuditEntriesSQL,
	"subscriptions":               selectSubscriptionsSQL,
	"invoices":                    selectInvoicesSQL,
	"memberships":                 selectMembershipsSQL,
	"members":                     selectMembersSQL,
	"change a role":               updateRoleSQL,
	"delete a membership":         deleteMembershipSQL,
	"count memberships":           countMembershipsSQL,
	"invitations":                 selectInvitationsSQL,
	"invitation":                  selectInvitationByTokenSQL,
	"sweep invitations":           sweepInvitationsSQL,
	"limit invitations":           limitInvitationsSQL,
	"use a membership":            useMembershipSQL,
	"organisation by any id":      selectByIDSQL,
	"count terms":                 limitTermsSQL,
	"terms of a word":             termsSQL(1, nil),
	"terms of words, later page":  termsSQL(3, &termRow{}),
	"terms of people":             selectTermsOfPeopleSQL,
	"delete a term":               deleteSearchTermSQL,
	"delete terms":                deleteSearchTermsSQL,
	"trial cards":                 selectTrialCardsSQL,
	"shared trial cards":          selectSharedTrialCardsSQL,
	"sweep trial cards":           sweepTrialCardsSQL,
	"sweep operations":            sweepOperationsSQL,
	"sweep comments":              sweepEndFeedbackSQL,
	"sweep events":                sweepEventsSQL,
	"taken names":                 selectTakenFieldsSQL,
	"user":                        selectUserSQL,
	"user by email":               selectUserByEmailSQL,
	"verification":                selectVerificationSQL,
	"unverified by email":         selectUnverifiedByEmailSQL,
	"unverified by name":          selectUnverifiedByOrganisationNameSQL,
	"replace a registration":      replaceRegistrationSQL,
	"reserve a name":              reserveNameSQL,
	"expired registrations":       selectExpiredRegistrationsSQL,
	"delete emails of a user":     deleteUserEmailsSQL,
	"delete tokens of a user":     deleteUserStatements[1],
	"delete operations":           deleteOrganisationStatements[0],
	"authenticators":              selectAuthenticatorsSQL,
	"recovery codes":              selectRecoveryCodesSQL,
	"password resets of a user":   selectResetsOfUserSQL,
	"organisations of a user":     selectOrganisationIDsSQL,
	"email change":                selectEmailChangeSQL,
	"email change of a user":      selectEmailChangeOfUserSQL,
	"delete an email change":      deleteEmailChangeSQL,
	"sweep email changes":         sweepEmailChangesSQL,
	"limit email changes":         limitEmailChangesSQL,
	"undo":                        selectUndoSQL,
	"undos of a user":             selectUndosOfUserSQL,
	"delete an undo":              deleteUndoSQL,
	"sweep undos":                 sweepUndosSQL,
	"limit undos":                 limitUndosSQL,
	"sweep challenges":            sweepChallengesSQL,
	"password reset":              selectPasswordResetSQL,
	"delete password resets":      deletePasswordResetsSQL,
	"sweep password resets":       sweepPasswordResetsSQL,
	"limit password resets":       limitPasswordResetsSQL,
	"limit verifications":         limitVerificationsSQL,
	"limit email confirmations":   limitEmailConfirmationsSQL,
	"email confirmation":          selectEmailConfirmationSQL,
	"sweep email confirmations":   sweepEmailConfirmationsSQL,
	"declined notices":            selectDeclinedNoticesSQL,
	"unreachable emails":          selectUnreachableEmailsSQL,
	"caller check":                selectCallerCheckSQL,
	"sweep caller checks":         sweepCallerChecksSQL,
	"finished email":              selectFinishedEmailSQL,
	"finished emails":             selectFinishedEmailsSQL,
	"sweep finished emails":       sweepFinishedEmailsSQL,
	"due email request":           selectDueEmailRequestSQL,
	"sweep verifications":         sweepVerificationsSQL,
	"operation":                   selectOperationSQL,
	"pending operation of a kind": selectPendingOperationSQL,
	"settle operation":            settleOperationSQL,
	"settled operations":          countSettledOperationsSQL,
	"pending operations":          selectPendingOperationsByAgeSQL,
	"due emails":                  selectDueEmailsSQL,
	"postpone email":              postponeEmailSQL,
	"event":                       selectEventHandledSQL,
	"session":                     selectSessionSQL,
	"sessions of a user":          selectSessionsSQL,
	"touch a session":             touchSessionSQL,
	"delete a session of a user":  deleteUserSessionSQL,
	"delete other sessions":       deleteOtherSessionsSQL,
	"sweep sessions":              sweepSessionsSQL,
	"ages of emails":              selectEmailCreationTimesSQL,
	"ages of operations":          selectOperationCreationTimesSQL,
	"lease":                       selectLeaseSQL,
	"rate limit":                  selectRateLimitSQL,
	"refund an attempt":           giveBackTrySQL,
	"sweep rate limits":           sweepRateLimitsSQL,
}

func auditSQL(q storage.AuditQuery) string {
	query, _ := auditQuerySQL(q)
	return query
}

func termsSQL(words int, last *termRow) string {
	query, _ := termPageSQL(make([]wordRange, words), last)
	return query
}

// TestSQLiteQueries_UseIndexes allows a full scan only of an index. Such a scan ends early if the query has a LIMIT, and
// reads no other rows if the index contains only rows that the query returns.
func TestSQLiteQueries_UseIndexes(t *testing.T) {
	s := openAndMigrate(t, newMigratedSQLiteURL(t))
	for name, query := range indexedQueries {
		t.Run(name, func(t *testing.T) {
			args := make([]any, strings.Count(query, "?"))
			for _, step := range explainSteps(t, s.readPool, 3, "EXPLAIN QUERY PLAN "+query, args...) {
				assert.NotContains(t, step, "TEMP B-TREE")
				if strings.HasPrefix(step, "SCAN") && !strings.HasSuffix(step, "CONSTANT ROW") {
					assert.Regexp(t, "INDEX (emails_by_urgency|emails_in_order|operations_pending|email_requests_in_order|subscriptions_on_hold|subscriptions_overdue|emails_delayed|audit_of_failed_emails)$", step)
				}
			}
		})
	}
}

// TestPostgresQueries_UseIndexes disables the scans that the planner prefers for empty tables, so that it chooses them
// only without an index.
func TestPostgresQueries_UseIndexes(t *testing.T) {
	s := openAndMigrate(t, postgresDatabase.newMigratedURL(t))
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
			for _, step := range explainSteps(t, s.writePool, 0, execute) {
				assert.NotContains(t, step, "Seq Scan")
				assert.NotContains(t, step, "Sort")
			}
		})
	}
}

// explainSteps returns the steps of the query plan, which it reads from the column with the given index.
func explainSteps(t *testing.T, db *sqlx.DB, column int, query string, args ...any) []string {
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
