package sqlstorage

import (
	"context"
	"database/sql"
	"time"
)

// Hurry has transactions wait for their beginning no longer than that.
func (s *Store) Hurry(patience time.Duration) { s.patience = patience }

// MigrateTo stops at a version, as the database of an older server has.
func (s *Store) MigrateTo(ctx context.Context, version int64) error {
	provider, err := migrator(s.writes.DB, s.dialect)
	if err != nil {
		return err
	}
	_, err = provider.UpTo(ctx, version)
	return err
}

// DB is the pool that writes. On SQLite it has one connection: whoever holds that while calling
// the Store waits for ever.
func (s *Store) DB() *sql.DB { return s.writes.DB }

// Reads is the pool that only reads.
func (s *Store) Reads() *sql.DB { return s.reads.DB }

// TakeTurn keeps every other server from migrating.
func TakeTurn(ctx context.Context, conn *sql.Conn) error {
	return advisoryLock{}.SessionLock(ctx, conn)
}

// EndTurn lets the next server migrate.
func EndTurn(ctx context.Context, conn *sql.Conn) error {
	return advisoryLock{}.SessionUnlock(ctx, conn)
}

// Lookups are the queries that must stay quick however many rows there are.
var Lookups = map[string]string{
	"organisation":             selectOrganisation,
	"organisation by customer": selectOrganisationByCustomer,
	"due check":                selectDueCheck,
	"putting a check off":      putOffNextCheck,
	"subscriptions":            selectSubscriptions,
	"names that are taken":     selectTaken,
	"user":                     selectUser,
	"user by e-mail":           selectUserByEmail,
	"verification":             selectVerification,
	"expired by e-mail":        selectExpiredByEmail,
	"expired by name":          selectExpiredByName,
	"expired registrations":    selectExpired,
	"emails of a user":         deleteRegistration[0].statement,
	"tokens of a user":         deleteRegistration[1].statement,
	"operations of a deletion": deleteRegistration[3].statement,
	"password reset":           selectPasswordReset,
	"password resets of user":  dropPasswordResets,
	"sweep of resets":          sweepPasswordResets,
	"sessions of a user":       endSessions,
	"due e-mail request":       selectDueEmailRequest,
	"sweep of verifications":   sweepVerifications,
	"operation":                selectOperation,
	"pending of a lane":        selectPendingKind,
	"settling":                 settleOperation,
	"what was made":            selectMade,
	"pending operations":       selectPending,
	"due emails":               selectDueEmails,
	"postponing":               postponeEmail,
	"event":                    selectEventHandled,
	"session":                  selectSession,
	"sweep of sessions":        sweepSessions,
	"ages of emails":           selectEmailAges,
	"ages of operations":       selectOperationAges,
	"limit":                    selectUsed,
	"giving a try back":        giveTryBack,
	"sweep of limits":          sweepRateLimits,
}
