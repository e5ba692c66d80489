package sqlstorage

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/ports/mail"
)

var (
	userTable            = newTable[userColumns]("users")
	insertUserSQL        = userTable.insertSQL()
	updateUserSQL        = userTable.updateSQL("created_at")
	selectUserSQL        = selectUsersSQL + "WHERE id = ?"
	selectUserByEmailSQL = selectUsersSQL +
		"WHERE email_key = ? AND replaced_at IS NULL ORDER BY verified_at IS NULL, created_at DESC LIMIT 1"

	selectUsersSQL = "SELECT " + strings.Join(userTable.columns, ", ") + ", " + lastOrganisationSQL("users.id") +
		" AS organisation_id FROM users "
	// userColumnsSQL are the columns of userRow for a SELECT with the alias u.
	userColumnsSQL = userTable.aliasedColumns("u") + ", " + lastOrganisationSQL("u.id") + ` AS "u.organisation_id"`
)

// lastOrganisationSQL returns a subquery for the organisation that the user used last.
func lastOrganisationSQL(userID string) string {
	return "COALESCE((SELECT m.organisation_id FROM memberships m WHERE m.user_id = " + userID +
		" ORDER BY m.last_used_at DESC, m.organisation_id LIMIT 1), '')"
}

// userRow is a user with the organisation that the user used last.
type userRow struct {
	userColumns
	OrganisationID string `db:"organisation_id"`
}

type userColumns struct {
	ID            string    `db:"id"`
	FirstName     string    `db:"first_name"`
	LastName      string    `db:"last_name"`
	Phone         string    `db:"phone"`
	Email         string    `db:"email"`
	EmailKey      string    `db:"email_key"`
	PasswordHash  string    `db:"password_hash"`
	VerifiedAt    timestamp `db:"verified_at"`
	FirstSignInAt timestamp `db:"first_sign_in_at"`
	CreatedAt     timestamp `db:"created_at"`
	ReplacedAt    timestamp `db:"replaced_at"`

	SecurityRevision          int64     `db:"security_revision"`
	TwoStepSince              timestamp `db:"two_step_since"`
	WrongCodes                int       `db:"wrong_codes"`
	WrongCodesOfKnownBrowsers int       `db:"wrong_codes_known"`
}

func newUserRow(u account.User) userRow {
	return userRow{OrganisationID: u.OrganisationID, userColumns: userColumns{
		ID: u.ID, FirstName: u.FirstName, LastName: u.LastName, Phone: u.Phone,
		Email: u.Email, EmailKey: account.EmailKey(u.Email), PasswordHash: u.PasswordHash,
		VerifiedAt: newTimestamp(u.VerifiedAt), FirstSignInAt: newTimestamp(u.FirstSignInAt), CreatedAt: newTimestamp(u.CreatedAt),
		ReplacedAt: newTimestamp(u.ReplacedAt), SecurityRevision: u.SecurityRevision, TwoStepSince: newTimestamp(u.TwoStepSince),
		WrongCodes: u.WrongCodes, WrongCodesOfKnownBrowsers: u.WrongCodesOfKnownBrowsers,
	}}
}

func (r userRow) user() account.User {
	return account.User{
		ID: r.ID, OrganisationID: r.OrganisationID, FirstName: r.FirstName, LastName: r.LastName, Phone: r.Phone,
		Email: r.Email, PasswordHash: r.PasswordHash,
		VerifiedAt: r.VerifiedAt.time, FirstSignInAt: r.FirstSignInAt.time, CreatedAt: r.CreatedAt.time,
		ReplacedAt: r.ReplacedAt.time, SecurityRevision: r.SecurityRevision, TwoStepSince: r.TwoStepSince.time,
		WrongCodes: r.WrongCodes, WrongCodesOfKnownBrowsers: r.WrongCodesOfKnownBrowsers,
	}
}

// User implements storage.Users.
func (s *Store) User(ctx context.Context, id string) (account.User, error) {
	return s.readUser(ctx, selectUserSQL, id)
}

// UserByEmail implements storage.Users.
func (s *Store) UserByEmail(ctx context.Context, email string) (account.User, error) {
	return s.readUser(ctx, selectUserByEmailSQL, account.EmailKey(email))
}

func (s *Store) readUser(ctx context.Context, query, arg string) (account.User, error) {
	var row userRow
	if err := s.reader().get(ctx, "user", &row, query, arg); err != nil {
		return account.User{}, s.toFault(err)
	}
	return row.user(), nil
}

// UpdateUser implements storage.Users.
func (s *Store) UpdateUser(ctx context.Context, id string, change func(*account.User) error) (account.User, error) {
	var newRow userRow
	err := s.write(ctx, func(c conn) (err error) {
		newRow, err = c.updateUser(ctx, id, change)
		return err
	})
	if err != nil {
		return account.User{}, s.verificationToDuplicate(ctx, err, newRow)
	}
	return newRow.user(), nil
}

// RecordSignIn implements storage.Users.
func (s *Store) RecordSignIn(
	ctx context.Context, id string, entry audit.Entry, at time.Time, change func(*account.User) (*mail.Message, error),
) error {
	return s.write(ctx, func(c conn) error {
		var email *mail.Message
		_, err := c.updateUser(ctx, id, func(u *account.User) (err error) {
			email, err = change(u)
			return err
		})
		if err == nil {
			err = c.addAuditEntries(ctx, entry)
		}
		if err != nil || email == nil {
			return err
		}
		return c.addEmail(ctx, *email, id, at, time.Time{})
	})
}

// reserveNameSQL makes an organisation's name unique.
const reserveNameSQL = "UPDATE organisations SET verified_at = ? WHERE id = ? AND verified_at IS NULL"

// updateUser locks the user's row before it calls change. It returns the result of saveUser.
func (c conn) updateUser(ctx context.Context, id string, change func(*account.User) error) (userRow, error) {
	var oldRow userRow
	if err := c.get(ctx, "user", &oldRow, selectUserSQL+c.forUpdate, id); err != nil {
		return userRow{}, err
	}
	changed := oldRow.user()
	if err := change(&changed); err != nil {
		return userRow{}, callerError{err}
	}
	changed.Email = oldRow.Email
	return c.saveUser(ctx, oldRow.user(), changed)
}

// saveUser stores the differences of the user, whose row is locked. It returns the new row even if the database refuses
// it. If the user is newly verified, it also reserves the organisation's name. The error is a unique violation if another
// verified registration has the name or the email address.
func (c conn) saveUser(ctx context.Context, old, changed account.User) (userRow, error) {
	oldRow, newRow := newUserRow(old), newUserRow(changed)
	newRow.ID, newRow.OrganisationID, newRow.CreatedAt = oldRow.ID, oldRow.OrganisationID, oldRow.CreatedAt
	if newRow == oldRow {
		return newRow, nil
	}
	if err := c.save(ctx, updateUserSQL, newRow.userColumns); err != nil {
		return newRow, err
	}
	if newRow.FirstName != oldRow.FirstName || newRow.LastName != oldRow.LastName || newRow.Email != oldRow.Email {
		if err := c.syncMemberTermsOfUser(ctx, old.ID); err != nil {
			return newRow, err
		}
	}
	entries := account.UserEntries(old, newRow.user())
	if err := c.addAuditEntries(audit.WithDefaultActor(ctx, audit.User(old.ID)), entries...); err != nil {
		return newRow, err
	}
	if !changed.IsVerified() || old.IsVerified() {
		return newRow, nil
	}
	_, err := c.exec(ctx, reserveNameSQL, newRow.VerifiedAt, newRow.OrganisationID)
	return newRow, err
}

// verificationToDuplicate converts a unique violation of saveUser to a Duplicate.
func (s *Store) verificationToDuplicate(ctx context.Context, err error, row userRow) error {
	if _, ok := errors.AsType[uniqueViolationError](err); !ok {
		return err
	}
	org, readErr := s.Organisation(ctx, row.OrganisationID)
	if readErr != nil {
		return readErr
	}
	return s.uniqueViolationToDuplicate(ctx, err, newOrganisationRows(org).organisationRow, row)
}
