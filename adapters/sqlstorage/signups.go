package sqlstorage

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

const (
	selectExpiredRegistrationsByEmailSQL = "SELECT id FROM users WHERE email_key = ? AND verified_at IS NULL AND created_at <= ?"
	selectExpiredRegistrationsByNameSQL  = `SELECT u.id FROM organisations o JOIN users u ON u.organisation_id = o.id
		WHERE o.name_key = ? AND u.verified_at IS NULL AND u.created_at <= ?`
	// selectExpiredRegistrationsSQL omits a registration whose email was not sent yet; see conn.restartRegistration
	// and emailRow.isOfSignUp.
	selectExpiredRegistrationsSQL = `SELECT u.id FROM users u JOIN organisations o ON o.id = u.organisation_id
		WHERE u.verified_at IS NULL AND u.created_at <= ? AND o.dev_license_id IS NULL
		AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.organisation_id = o.id)
		AND NOT EXISTS (SELECT 1 FROM emails e WHERE e.user_id = u.id AND e.expires_at IS NULL)
		ORDER BY u.created_at LIMIT ?`
)

// Foreign keys require that the rows of a registration are deleted in this order.
var (
	deleteUserStatements = []string{
		"DELETE FROM emails WHERE user_id = ?",
		"DELETE FROM verifications WHERE user_id = ?",
		"DELETE FROM users WHERE id = ?",
	}
	deleteOrganisationStatements = []string{
		"DELETE FROM operations WHERE organisation_id = ?",
		"DELETE FROM unreachable_emails WHERE organisation_id = ?",
		"DELETE FROM organisations WHERE id = ?",
	}
)

// CreateSignup implements storage.Signups. It deletes expired registrations only if the name or the email
// is taken.
func (s *Store) CreateSignup(ctx context.Context, signup storage.Signup) error {
	rows, user := newOrganisationRows(signup.Organisation), newUserRow(signup.User)
	addSignup := func(c conn) error { return c.addSignup(ctx, signup, rows, user) }
	err := s.write(ctx, addSignup)
	if _, ok := errors.AsType[uniqueViolationError](err); ok {
		err = s.write(ctx, func(c conn) error {
			return c.deleteExpiredRegistrations(ctx, rows.NameKey, user.EmailKey, signup.ExpiryCutoff)
		})
		if err == nil {
			err = s.write(ctx, addSignup)
		}
	}
	return s.uniqueViolationToDuplicate(ctx, err, rows.organisationRow, user)
}

func (c conn) addSignup(ctx context.Context, signup storage.Signup, rows organisationRows, user userRow) error {
	if err := c.save(ctx, insertOrganisationSQL, rows.organisationRow); err != nil {
		return err
	}
	if err := c.saveSubscriptions(ctx, nil, rows.subscriptions); err != nil {
		return err
	}
	if err := c.save(ctx, insertUserSQL, user); err != nil {
		return err
	}
	return c.addVerification(ctx, signup.Verification, signup.Email, signup.Organisation.CreatedAt, time.Time{})
}

// deleteExpiredRegistrations deletes the expired registrations with the name or the email, in the order of their ids,
// so that concurrent sign-ups can't deadlock.
func (c conn) deleteExpiredRegistrations(ctx context.Context, nameKey, emailKey string, cutoff time.Time) error {
	var idsByEmail, idsByName []string
	if err := c.list(ctx, &idsByEmail, selectExpiredRegistrationsByEmailSQL, emailKey, newTimestamp(cutoff)); err != nil {
		return err
	}
	if err := c.list(ctx, &idsByName, selectExpiredRegistrationsByNameSQL, nameKey, newTimestamp(cutoff)); err != nil {
		return err
	}
	ids := append(idsByEmail, idsByName...)
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if _, err := c.deleteRegistration(ctx, id); err != nil && !isConcurrentChange(err) {
			return err
		}
	}
	return nil
}

// DeleteRegistration implements storage.Signups.
func (s *Store) DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error) {
	var rows organisationRows
	err := s.write(ctx, func(c conn) (err error) {
		rows, err = c.deleteRegistration(ctx, userID)
		return err
	})
	if err != nil {
		return account.Organisation{}, err
	}
	return rows.organisation()
}

// SweepRegistrations implements storage.Signups. It deletes each registration in a separate transaction.
func (s *Store) SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error) {
	var ids []string
	if err := s.reader().list(ctx, &ids, selectExpiredRegistrationsSQL, newTimestamp(cutoff), max(limit, 0)); err != nil {
		return nil, s.toFault(err)
	}
	var organisations []account.Organisation
	for _, id := range ids {
		org, err := s.DeleteRegistration(ctx, id)
		if isConcurrentChange(err) {
			continue
		}
		if err != nil {
			return organisations, err
		}
		organisations = append(organisations, org)
	}
	return organisations, nil
}

// isConcurrentChange reports whether deleteRegistration failed because another transaction deleted or verified
// the registration first.
func isConcurrentChange(err error) bool {
	return fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict)
}

// deleteRegistration locks the user. If a concurrent verification commits first, deleteRegistration returns Conflict.
// Otherwise the verification finds no user.
func (c conn) deleteRegistration(ctx context.Context, userID string) (organisationRows, error) {
	var user userRow
	if err := c.get(ctx, "registration", &user, selectUserSQL+c.forUpdate, userID); err != nil {
		return organisationRows{}, err
	}
	rows, err := c.readOrganisationRows(ctx, selectOrganisationSQL+c.forUpdate, user.OrganisationID)
	if err != nil {
		return organisationRows{}, err
	}
	if user.user().IsVerified() || len(rows.subscriptions) > 0 || rows.LicenseID.Valid {
		return organisationRows{}, fault.New(fault.Conflict, "This registration has been confirmed")
	}
	for _, statement := range deleteUserStatements {
		if _, err := c.exec(ctx, statement, user.ID); err != nil {
			return organisationRows{}, err
		}
	}
	for _, statement := range deleteOrganisationStatements {
		if _, err := c.exec(ctx, statement, rows.ID); err != nil {
			return organisationRows{}, err
		}
	}
	return rows, nil
}
