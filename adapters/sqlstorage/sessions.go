package sqlstorage

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// Expiry is compared with the database's clock, which all servers share.
var (
	sessionTable     = newTable[sessionRow]("sessions")
	insertSessionSQL = sessionTable.insertSQL()
	// The join makes a removal and a change of the role apply to the next request.
	sessionJoinSQL = "SELECT " + sessionTable.aliasedColumns("s") + ", m.role AS role, " +
		"s.expires_at <= CURRENT_TIMESTAMP AS is_expired FROM sessions s " +
		"JOIN memberships m ON m.user_id = s.user_id AND m.organisation_id = s.organisation_id "
	selectSessionSQL  = sessionJoinSQL + "WHERE s.token_hash = ?"
	selectSessionsSQL = sessionJoinSQL + "WHERE s.user_id = ? AND s.expires_at > CURRENT_TIMESTAMP"
)

const (
	touchSessionSQL        = "UPDATE sessions SET last_used_at = ?, expires_at = ? WHERE token_hash = ?"
	switchSessionSQL       = "UPDATE sessions SET organisation_id = ? WHERE token_hash = ?"
	returnEndedSessionSQL  = " RETURNING id, user_id, organisation_id"
	deleteSessionSQL       = "DELETE FROM sessions WHERE token_hash = ?" + returnEndedSessionSQL
	deleteUserSessionSQL   = "DELETE FROM sessions WHERE user_id = ? AND id = ?" + returnEndedSessionSQL
	deleteOtherSessionsSQL = "DELETE FROM sessions WHERE user_id = ? AND id <> ?" + returnEndedSessionSQL
	sweepSessionsSQL       = "DELETE FROM sessions WHERE expires_at <= CURRENT_TIMESTAMP"
	deleteExpiredSQL       = sweepSessionsSQL + " AND token_hash = ?"
)

type sessionRow struct {
	TokenHash       string    `db:"token_hash"`
	ID              string    `db:"id"`
	UserID          string    `db:"user_id"`
	OrganisationID  string    `db:"organisation_id"`
	Methods         string    `db:"methods"` // separated by spaces
	AuthenticatedAt timestamp `db:"authenticated_at"`
	CreatedAt       timestamp `db:"created_at"`
	LastUsedAt      timestamp `db:"last_used_at"`
	ExpiresAt       timestamp `db:"expires_at"`
	Device          string    `db:"device"`
}

// memberSessionRow is a session with the role of its user in the organisation.
type memberSessionRow struct {
	Session   sessionRow `db:"s"`
	Role      string     `db:"role"`
	IsExpired bool       `db:"is_expired"`
}

func newSessionRow(r identity.SessionRecord) sessionRow {
	var methods []string
	for _, m := range r.Methods {
		methods = append(methods, string(m))
	}
	return sessionRow{
		TokenHash: r.TokenHash, ID: r.SessionID, UserID: r.UserID, OrganisationID: r.OrganisationID,
		Methods: strings.Join(methods, " "), AuthenticatedAt: newTimestamp(r.AuthenticatedAt), CreatedAt: newTimestamp(r.CreatedAt),
		LastUsedAt: newTimestamp(r.LastUsedAt), ExpiresAt: newTimestamp(r.ExpiresAt), Device: r.Device,
	}
}

func (row memberSessionRow) record() identity.SessionRecord {
	r := row.Session
	record := identity.SessionRecord{
		TokenHash: r.TokenHash, CreatedAt: r.CreatedAt.time, LastUsedAt: r.LastUsedAt.time, ExpiresAt: r.ExpiresAt.time,
		Device: r.Device,
		Identity: identity.Identity{
			UserID: r.UserID, OrganisationID: r.OrganisationID, Role: account.Role(row.Role),
			AuthenticatedAt: r.AuthenticatedAt.time, SessionID: r.ID,
		},
	}
	for m := range strings.FieldsSeq(r.Methods) {
		record.Methods = append(record.Methods, identity.Method(m))
	}
	return record
}

// Sessions stores HTTP sessions. It implements identity.SessionStore. Every request calls Session, so Session does not wait
// for writers, except once for each expired session.
type Sessions struct{ store *Store }

// Sessions returns the session store of this database.
func (s *Store) Sessions() *Sessions { return &Sessions{s} }

// AddSession implements identity.SessionStore.
func (s *Sessions) AddSession(ctx context.Context, r identity.SessionRecord) error {
	// Without the membership, the foreign key refuses the session.
	return s.store.write(ctx, func(c conn) error { return c.save(ctx, insertSessionSQL, newSessionRow(r)) })
}

// Session implements identity.SessionStore.
func (s *Sessions) Session(ctx context.Context, tokenHash string) (identity.SessionRecord, error) {
	var row memberSessionRow
	if err := s.store.reader().get(ctx, "session", &row, selectSessionSQL, tokenHash); err != nil {
		return identity.SessionRecord{}, s.store.toFault(err)
	}
	if row.IsExpired {
		// If the clock is set back, the session stays ended. If it fails, the next request and Sweep try again.
		_ = s.store.execWrite(ctx, deleteExpiredSQL, tokenHash)
		return identity.SessionRecord{}, errNoSession()
	}
	return row.record(), nil
}

// TouchSession implements identity.SessionStore.
func (s *Sessions) TouchSession(ctx context.Context, tokenHash string, lastUsedAt, expiresAt time.Time) error {
	return s.store.execWrite(ctx, touchSessionSQL, newTimestamp(lastUsedAt), newTimestamp(expiresAt), tokenHash)
}

// SwitchSession implements identity.SessionStore.
func (s *Sessions) SwitchSession(ctx context.Context, tokenHash, organisationID string) error {
	return s.store.write(ctx, func(c conn) error {
		// Without the membership, the foreign key refuses the organisation.
		count, err := c.exec(ctx, switchSessionSQL, organisationID, tokenHash)
		if err == nil && count == 0 {
			return errNoSession()
		}
		return err
	})
}

func errNoSession() error { return fault.New(fault.NotFound, "There is no such session") }

// DeleteSession implements identity.SessionStore.
func (s *Sessions) DeleteSession(ctx context.Context, tokenHash string) error {
	return s.store.write(ctx, func(c conn) error {
		_, err := c.endSessions(ctx, audit.SignedOut, deleteSessionSQL, tokenHash)
		return err
	})
}

// SessionsOfUser implements identity.SessionStore.
func (s *Sessions) SessionsOfUser(ctx context.Context, userID string) ([]identity.SessionRecord, error) {
	var rows []memberSessionRow
	if err := s.store.reader().list(ctx, &rows, selectSessionsSQL, userID); err != nil {
		return nil, s.store.toFault(err)
	}
	slices.SortFunc(rows, func(a, b memberSessionRow) int {
		return cmp.Or(b.Session.LastUsedAt.time.Compare(a.Session.LastUsedAt.time), cmp.Compare(a.Session.ID, b.Session.ID))
	})
	var records []identity.SessionRecord
	for _, row := range rows {
		records = append(records, row.record())
	}
	return records, nil
}

// DeleteSessionOfUser implements identity.SessionStore.
func (s *Sessions) DeleteSessionOfUser(ctx context.Context, userID, id string) error {
	return s.store.write(ctx, func(c conn) error {
		count, err := c.endSessions(ctx, audit.SessionEnded, deleteUserSessionSQL, userID, id)
		if err == nil && count == 0 {
			return errNoSession()
		}
		return err
	})
}

// DeleteOtherSessions implements identity.SessionStore.
func (s *Sessions) DeleteOtherSessions(ctx context.Context, userID, id string) error {
	return s.store.write(ctx, func(c conn) error {
		_, err := c.endSessions(ctx, audit.SessionEnded, deleteOtherSessionsSQL, userID, id)
		return err
	})
}

// endSessions runs a statement that deletes sessions, adds an entry of the kind about each to the audit log, and returns
// their number. Without an actor in ctx, the actor is the user of the session.
func (c conn) endSessions(ctx context.Context, kind audit.Kind, statement string, args ...any) (int, error) {
	var ended []struct {
		ID             string `db:"id"`
		UserID         string `db:"user_id"`
		OrganisationID string `db:"organisation_id"`
	}
	if err := c.list(ctx, &ended, statement, args...); err != nil {
		return 0, err
	}
	for _, s := range ended {
		entry := audit.Entry{OrganisationID: s.OrganisationID, Kind: kind, Subject: s.ID}
		if err := c.addAuditEntries(audit.WithDefaultActor(ctx, audit.User(s.UserID)), entry); err != nil {
			return 0, err
		}
	}
	return len(ended), nil
}

// Sweep deletes expired sessions.
func (s *Sessions) Sweep(ctx context.Context) error { return s.store.execWrite(ctx, sweepSessionsSQL) }

const (
	secretSize = 32 // bytes

	insertSecretSQL = "INSERT INTO secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING" //nolint:gosec // not a credential
	selectSecretSQL = "SELECT value FROM secrets WHERE name = ?"                               //nolint:gosec // not a credential
)

// Secret returns 32 random bytes, such as a key that signs cookies. The first call for a name generates and stores the
// bytes. All later calls for the name, on all servers of this database, return the same bytes.
func (s *Store) Secret(ctx context.Context, name string) ([]byte, error) {
	candidate := make([]byte, secretSize)
	_, _ = rand.Read(candidate) // never fails
	var secret []byte
	err := s.write(ctx, func(c conn) error {
		if _, err := c.exec(ctx, insertSecretSQL, name, candidate); err != nil {
			return err
		}
		return c.get(ctx, "secret", &secret, selectSecretSQL, name)
	})
	return secret, err
}
