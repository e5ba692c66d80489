package sqlstorage

import (
	"context"
	"slices"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

// unverifiedSQL is the condition and limit for registrations that can still be verified. The queries don't sort, because
// the order does not matter.
const unverifiedSQL = "u.verified_at IS NULL AND u.replaced_at IS NULL LIMIT ?"

var (
	selectUnverifiedByEmailSQL            = "SELECT " + userColumnsSQL + " FROM users u WHERE u.email_key = ? AND " + unverifiedSQL
	selectUnverifiedByOrganisationNameSQL = "SELECT " + userColumnsSQL + " FROM organisations o " +
		"JOIN memberships om ON om.organisation_id = o.id JOIN users u ON u.id = om.user_id WHERE o.name_key = ? AND " + unverifiedSQL
)

const (
	replaceRegistrationSQL = "UPDATE users SET replaced_at = ? WHERE id = ? AND verified_at IS NULL"
	// selectExpiredRegistrationsSQL omits registrations whose sign-up email is still queued, because their lifetime starts
	// when it is sent. Only sign-up emails have no expires_at.
	selectExpiredRegistrationsSQL = `SELECT u.id FROM users u JOIN memberships m ON m.user_id = u.id JOIN organisations o ON o.id = m.organisation_id
		WHERE u.verified_at IS NULL AND u.created_at <= ? AND o.dev_license_id IS NULL
		AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.organisation_id = o.id)
		AND NOT EXISTS (SELECT 1 FROM emails e WHERE e.user_id = u.id AND e.expires_at IS NULL)
		ORDER BY u.created_at LIMIT ?`
)

const deleteUserEmailsSQL = "DELETE FROM emails WHERE user_id = ?"

// Foreign keys require that the rows of a registration are deleted in this order.
var (
	deleteUserStatements = []string{
		deleteUserEmailsSQL,
		"DELETE FROM verifications WHERE user_id = ?",
		"DELETE FROM users WHERE id = ?",
	}
	deleteOrganisationStatements = []string{
		"DELETE FROM operations WHERE organisation_id = ?",
		"DELETE FROM unreachable_emails WHERE organisation_id = ?",
		deleteSearchTermsSQL,
		"DELETE FROM organisations WHERE id = ?",
	}
)

// CreateSignUp implements storage.SignUps.
func (s *Store) CreateSignUp(ctx context.Context, signUp storage.SignUp) error {
	rows, user := newOrganisationRows(signUp.Organisation), newUserRow(signUp.User)
	rows.VerifiedAt = user.VerifiedAt
	err := s.write(ctx, func(c conn) error {
		duplicate, err := c.findDuplicate(ctx, rows.organisationRow, user)
		if err != nil {
			return err
		}
		if duplicate != nil {
			return callerError{duplicate}
		}
		return c.addSignUp(ctx, signUp, rows, user)
	})
	return s.uniqueViolationToDuplicate(ctx, err, rows.organisationRow, user)
}

func (c conn) addSignUp(ctx context.Context, signUp storage.SignUp, rows organisationRows, user userRow) error {
	if err := c.save(ctx, insertOrganisationSQL, rows.organisationRow); err != nil {
		return err
	}
	if err := c.saveSubscriptions(ctx, nil, rows.subscriptions); err != nil {
		return err
	}
	if err := c.save(ctx, insertUserSQL, user.userColumns); err != nil {
		return err
	}
	owner := account.Membership{
		UserID: user.ID, OrganisationID: rows.ID, Role: account.Owner,
		JoinedAt: signUp.User.CreatedAt, LastUsedAt: signUp.User.CreatedAt,
	}
	if err := c.save(ctx, insertMembershipSQL, newMembershipRow(owner)); err != nil {
		return err
	}
	if err := c.addSearchTerms(ctx, rows.ID, signUpTerms(signUp)); err != nil {
		return err
	}
	for _, id := range slices.Sorted(slices.Values(signUp.Replaces)) {
		if err := c.replaceRegistration(ctx, id, user.CreatedAt); err != nil {
			return err
		}
	}
	if err := c.addAuditEntries(ctx, account.SignUpEntry(signUp.Organisation, signUp.User)); err != nil {
		return err
	}
	return c.addVerification(ctx, signUp.Verification, signUp.Email, signUp.Organisation.CreatedAt, time.Time{})
}

// replaceRegistration marks an unverified user as replaced and deletes the user's emails.
func (c conn) replaceRegistration(ctx context.Context, userID string, at timestamp) error {
	count, err := c.exec(ctx, replaceRegistrationSQL, at, userID)
	if err != nil || count == 0 {
		return err
	}
	_, err = c.exec(ctx, deleteUserEmailsSQL, userID)
	return err
}

// UnverifiedUsers implements storage.SignUps.
func (s *Store) UnverifiedUsers(ctx context.Context, org, email string, limit int) ([]account.User, error) {
	var users []account.User
	for _, query := range []struct{ sql, key string }{
		{selectUnverifiedByEmailSQL, account.EmailKey(email)}, {selectUnverifiedByOrganisationNameSQL, account.NameKey(org)},
	} {
		var rows []struct {
			User userRow `db:"u"`
		}
		if err := s.reader().list(ctx, &rows, query.sql, query.key, limit); err != nil {
			return nil, s.toFault(err)
		}
		for _, row := range rows {
			if u := row.User.user(); !slices.Contains(users, u) {
				users = append(users, u)
			}
		}
	}
	return users, nil
}

// CheckAvailable implements storage.SignUps.
func (s *Store) CheckAvailable(ctx context.Context, org, email string) error {
	duplicate, err := s.reader().findDuplicate(ctx,
		organisationRow{NameKey: account.NameKey(org)}, userRow{userColumns: userColumns{EmailKey: account.EmailKey(email)}})
	if err != nil {
		return s.toFault(err)
	}
	if duplicate != nil {
		return duplicate
	}
	return nil
}

// DeleteRegistration implements storage.SignUps.
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

// SweepRegistrations implements storage.SignUps. It deletes each registration in a separate transaction.
func (s *Store) SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error) {
	var ids []string
	if err := s.reader().list(ctx, &ids, selectExpiredRegistrationsSQL, newTimestamp(cutoff), max(limit, 0)); err != nil {
		return nil, s.toFault(err)
	}
	var organisations []account.Organisation
	for _, id := range ids {
		org, err := s.DeleteRegistration(audit.WithActor(ctx, audit.System), id)
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

// deleteRegistration deletes an unverified user and the organisation, and returns the organisation's rows. It locks the
// user. If a verification commits first, deleteRegistration returns Conflict; a later verification finds no user.
func (c conn) deleteRegistration(ctx context.Context, userID string) (organisationRows, error) {
	var user userRow
	if err := c.get(ctx, "registration", &user, selectUserSQL+c.forUpdate, userID); err != nil {
		return organisationRows{}, err
	}
	rows, err := c.readOrganisationRows(ctx, selectOrganisationSQL+c.forUpdate, user.OrganisationID)
	if err != nil {
		return organisationRows{}, err
	}
	if err := c.requireUnverified(ctx, user, rows); err != nil {
		return organisationRows{}, err
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
	return rows, c.addAuditEntries(audit.WithDefaultActor(ctx, audit.Visitor), audit.Entry{
		OrganisationID: rows.ID, Kind: audit.RegistrationDeleted, Subject: user.ID,
	})
}

// requireUnverified returns Conflict if the user is verified, or the organisation is in use.
func (c conn) requireUnverified(ctx context.Context, user userRow, org organisationRows) error {
	members, err := c.readMembers(ctx, org.ID)
	if err != nil {
		return err
	}
	if user.user().IsVerified() || len(org.subscriptions) > 0 || org.LicenseID.Valid || len(members) > 1 {
		return fault.New(fault.Conflict, "This registration has been verified or is in use")
	}
	return nil
}
