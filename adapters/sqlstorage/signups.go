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
	selectExpiredByEmail = "SELECT id FROM users WHERE email_key = ? AND verified_at IS NULL AND created_at <= ?"
	selectExpiredByName  = `SELECT u.id FROM organisations o JOIN users u ON u.organisation_id = o.id
		WHERE o.name_key = ? AND u.verified_at IS NULL AND u.created_at <= ?`
	selectExpired = `SELECT u.id FROM users u JOIN organisations o ON o.id = u.organisation_id
		WHERE u.verified_at IS NULL AND u.created_at <= ? AND o.dev_license_id IS NULL
		AND NOT EXISTS (SELECT 1 FROM subscriptions s WHERE s.organisation_id = o.id)
		ORDER BY u.created_at LIMIT ?`
)

// deleteRegistration removes a registration's rows, each before the row it refers to.
var deleteRegistration = []struct{ statement, by string }{
	{"DELETE FROM letters WHERE user_id = ?", "user"},
	{"DELETE FROM verifications WHERE user_id = ?", "user"},
	{"DELETE FROM users WHERE id = ?", "user"},
	{"DELETE FROM operations WHERE organisation_id = ?", "organisation"},
	{"DELETE FROM organisations WHERE id = ?", "organisation"},
}

// CreateSignup implements storage.Signups. Its email is as old as its organisation. Expired
// registrations are only looked for when something is taken.
func (s *Store) CreateSignup(ctx context.Context, in storage.Signup) error {
	rows, user := organisationRowsOf(in.Organisation), userRowOf(in.User)
	add := func(c conn) error { return c.addSignup(ctx, in, rows, user) }
	err := s.write(ctx, add)
	if _, taken := errors.AsType[clash](err); taken {
		err = s.write(ctx, func(c conn) error {
			return c.deleteExpired(ctx, rows.own.NameKey, user.Key, in.ExpiryCutoff)
		})
		if err == nil {
			err = s.write(ctx, add)
		}
	}
	return s.orTaken(ctx, err, rows.own, user)
}

func (c conn) addSignup(ctx context.Context, in storage.Signup, rows organisationRows, user userRow) error {
	if err := c.addOrganisation(ctx, rows); err != nil {
		return err
	}
	if err := c.put(ctx, insertUser, user); err != nil {
		return err
	}
	return c.addVerification(ctx, in.Verification, in.Email, in.Organisation.CreatedAt)
}

func (c conn) addOrganisation(ctx context.Context, rows organisationRows) error {
	if err := c.put(ctx, insertOrganisation, rows.own); err != nil {
		return err
	}
	return c.saveSubscriptions(ctx, nil, rows.subscriptions)
}

// deleteExpired deletes the expired registrations that hold the name or the e-mail address, in the
// order of their ids, so that two sign-ups don't wait for each other.
func (c conn) deleteExpired(ctx context.Context, nameKey, emailKey string, cutoff time.Time) error {
	var byEmail, byName []string
	if err := c.list(ctx, &byEmail, selectExpiredByEmail, emailKey, at(cutoff)); err != nil {
		return err
	}
	if err := c.list(ctx, &byName, selectExpiredByName, nameKey, at(cutoff)); err != nil {
		return err
	}
	ids := append(byEmail, byName...)
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if _, err := c.deleteRegistration(ctx, id); err != nil && !keepsRegistration(err) {
			return err
		}
	}
	return nil
}

// DeleteRegistration implements storage.Signups.
func (s *Store) DeleteRegistration(ctx context.Context, userID string) (account.Organisation, error) {
	var deleted organisationRows
	err := s.write(ctx, func(c conn) (err error) {
		deleted, err = c.deleteRegistration(ctx, userID)
		return err
	})
	if err != nil {
		return account.Organisation{}, err
	}
	return deleted.organisation(), nil
}

// SweepRegistrations implements storage.Signups, each registration in a transaction of its own.
func (s *Store) SweepRegistrations(ctx context.Context, cutoff time.Time, limit int) ([]account.Organisation, error) {
	var ids []string
	if err := s.reader().list(ctx, &ids, selectExpired, at(cutoff), max(limit, 0)); err != nil {
		return nil, s.fault(err)
	}
	var deleted []account.Organisation
	for _, id := range ids {
		org, err := s.DeleteRegistration(ctx, id)
		if keepsRegistration(err) {
			continue
		}
		if err != nil {
			return deleted, err
		}
		deleted = append(deleted, org)
	}
	return deleted, nil
}

// keepsRegistration reports whether a registration was deleted or verified by someone else meanwhile.
func keepsRegistration(err error) bool {
	return fault.Is(err, fault.NotFound) || fault.Is(err, fault.Conflict)
}

// deleteRegistration locks the user, so that a verification either comes first and is kept, or
// finds no user any more.
func (c conn) deleteRegistration(ctx context.Context, userID string) (organisationRows, error) {
	var user userRow
	if err := c.get(ctx, "registration", &user, selectUser+c.lock, userID); err != nil {
		return organisationRows{}, err
	}
	org, err := c.organisation(ctx, selectOrganisation+c.lock, user.OrganisationID)
	if err != nil {
		return organisationRows{}, err
	}
	if user.user().Verified() || len(org.subscriptions) > 0 || org.own.LicenseID.Valid {
		return organisationRows{}, fault.New(fault.Conflict, "This registration has been confirmed")
	}
	for _, table := range deleteRegistration {
		id := user.ID
		if table.by == "organisation" {
			id = user.OrganisationID
		}
		if _, err := c.exec(ctx, table.statement, id); err != nil {
			return organisationRows{}, err
		}
	}
	return org, nil
}
