package sqlstorage

import (
	"context"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var (
	callerCheckTable     = newTable[callerCheckRow]("caller_checks")
	upsertCallerCheckSQL = callerCheckTable.insertSQL() + ` ON CONFLICT (organisation_id) DO UPDATE SET user_id = excluded.user_id,
		request_key = excluded.request_key, code_hash = excluded.code_hash, expires_at = excluded.expires_at,
		failed_tries = excluded.failed_tries, sent_count = excluded.sent_count, sent_since = excluded.sent_since`
	selectCallerCheckSQL = callerCheckTable.selectSQL("WHERE organisation_id = ?")
)

const sweepCallerChecksSQL = "DELETE FROM caller_checks WHERE expires_at < ?"

type callerCheckRow struct {
	OrganisationID string    `db:"organisation_id"`
	UserID         string    `db:"user_id"`
	RequestKey     string    `db:"request_key"`
	CodeHash       string    `db:"code_hash"`
	ExpiresAt      timestamp `db:"expires_at"`
	FailedTries    int       `db:"failed_tries"`
	SentCount      int       `db:"sent_count"`
	SentSince      timestamp `db:"sent_since"`
}

func newCallerCheckRow(c account.CallerCheck) callerCheckRow {
	return callerCheckRow{
		OrganisationID: c.OrganisationID, UserID: c.UserID, RequestKey: c.RequestKey, CodeHash: c.CodeHash,
		ExpiresAt: newTimestamp(c.ExpiresAt), FailedTries: c.FailedTries, SentCount: c.SentCount, SentSince: newTimestamp(c.SentSince),
	}
}

func (r callerCheckRow) callerCheck() account.CallerCheck {
	return account.CallerCheck{
		OrganisationID: r.OrganisationID, UserID: r.UserID, RequestKey: r.RequestKey, CodeHash: r.CodeHash,
		ExpiresAt: r.ExpiresAt.time, FailedTries: r.FailedTries, SentCount: r.SentCount, SentSince: r.SentSince.time,
	}
}

// CallerCheck implements storage.CallerChecks.
func (s *Store) CallerCheck(ctx context.Context, organisationID string) (account.CallerCheck, error) {
	var row callerCheckRow
	if err := s.reader().get(ctx, "caller check", &row, selectCallerCheckSQL, organisationID); err != nil {
		return account.CallerCheck{}, s.toFault(err)
	}
	return row.callerCheck(), nil
}

// UpdateCallerCheck implements storage.CallerChecks. The lock of the organisation makes concurrent updates wait.
func (s *Store) UpdateCallerCheck(
	ctx context.Context, organisationID string, now time.Time,
	change func(*account.CallerCheck) (storage.CallerCheckEffects, error),
) error {
	return s.write(ctx, func(c conn) error {
		if err := c.get(ctx, "organisation", &organisationID, lockOrganisationSQL+c.forUpdate, organisationID); err != nil {
			return err
		}
		row := callerCheckRow{OrganisationID: organisationID}
		err := c.get(ctx, "caller check", &row, selectCallerCheckSQL, organisationID)
		if err := fault.ReplaceNotFound(err, nil); err != nil {
			return err
		}
		check := row.callerCheck()
		effects, err := change(&check)
		if err != nil {
			return callerError{err}
		}
		if err := c.save(ctx, upsertCallerCheckSQL, newCallerCheckRow(check)); err != nil {
			return err
		}
		if effects.Email != nil {
			link := storage.LinkEmail{Email: *effects.Email, ExpiresAt: check.ExpiresAt, OrganisationID: organisationID}
			if err := c.addLinkEmail(ctx, link, check.UserID, now); err != nil {
				return err
			}
		}
		return c.addAuditEntries(ctx, effects.Entry)
	})
}

// SweepCallerChecks implements storage.CallerChecks.
func (s *Store) SweepCallerChecks(ctx context.Context, before time.Time) error {
	return s.execWrite(ctx, sweepCallerChecksSQL, newTimestamp(before))
}
