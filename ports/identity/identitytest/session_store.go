package identitytest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/identity"
)

// SessionStore connects the suite RunSessionStore to an adapter under test.
type SessionStore struct {
	identity.SessionStore
	// Owner returns an owner of a new organisation, with its UserID and OrganisationID.
	Owner func(t *testing.T, name string) identity.Identity
	// Join makes the user a billing member of the organisation of another user. It is nil for a store in which every user is
	// an owner of every organisation.
	Join func(t *testing.T, user, owner identity.Identity)
}

// RunSessionStore runs the conformance suite for identity.SessionStore. open returns an empty store.
func RunSessionStore(t *testing.T, open func(t *testing.T) SessionStore) {
	tests := map[string]func(*testing.T, SessionStore){
		"a stored session is returned with all fields and the role": testSessionFields,
		"an unknown token is NotFound":                              testUnknownSession,
		"an expired session is NotFound and not listed":             testExpiredSession,
		"an expired session stays ended after a request":            testExpiredSessionStaysEnded,
		"TouchSession changes last use and expiry only":             testTouchSession,
		"SwitchSession changes organisation and role only":          testSwitchSession,
		"SwitchSession needs a session and a membership":            testSwitchSessionNotFound,
		"TouchSession does not restore a deleted session":           testTouchDeletedSession,
		"sessions of a user are listed by last use":                 testSessionsOfUser,
		"a session of another user can't be deleted":                testDeleteSessionOfUser,
		"DeleteOtherSessions keeps one session":                     testDeleteOtherSessions,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// newRecord returns a session of the user that was used minutes ago.
func newRecord(user identity.Identity, id string, minutes int) identity.SessionRecord {
	now := time.Now().UTC().Truncate(time.Microsecond)
	user.SessionID, user.Role, user.AuthenticatedAt = id, account.Owner, now.Add(-time.Hour)
	return identity.SessionRecord{
		TokenHash: "hash of " + id, Identity: user, Methods: []identity.Method{identity.PasswordMethod, identity.OneTimeCodeMethod},
		CreatedAt: now.Add(-2 * time.Hour), LastUsedAt: now.Add(-time.Duration(minutes) * time.Minute), ExpiresAt: now.Add(time.Hour),
		Device: "Chrome on Windows",
	}
}

func (s SessionStore) add(t *testing.T, records ...identity.SessionRecord) {
	t.Helper()
	for _, r := range records {
		require.NoError(t, s.AddSession(t.Context(), r))
	}
}

func (s SessionStore) requireIDs(t *testing.T, userID string, want ...string) {
	t.Helper()
	records, err := s.SessionsOfUser(t.Context(), userID)
	require.NoError(t, err)
	var ids []string
	for _, r := range records {
		ids = append(ids, r.SessionID)
	}
	require.Equal(t, want, ids)
}

func requireNotFound(t *testing.T, err error) {
	t.Helper()
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
}

func testSessionFields(t *testing.T, s SessionStore) {
	r := newRecord(s.Owner(t, "ann"), "laptop", 1)
	withoutMethods := newRecord(s.Owner(t, "ben"), "phone", 1)
	withoutMethods.Methods, withoutMethods.Device = nil, ""
	s.add(t, r, withoutMethods)

	for _, want := range []identity.SessionRecord{r, withoutMethods} {
		stored, err := s.Session(t.Context(), want.TokenHash)
		require.NoError(t, err)
		assert.Equal(t, want, stored)
		list, err := s.SessionsOfUser(t.Context(), want.UserID)
		require.NoError(t, err)
		assert.Equal(t, []identity.SessionRecord{want}, list)
	}
}

func testUnknownSession(t *testing.T, s SessionStore) {
	_, err := s.Session(t.Context(), "unknown")
	requireNotFound(t, err)
	requireNotFound(t, s.DeleteSessionOfUser(t.Context(), "unknown", "unknown"))
	require.NoError(t, s.DeleteSession(t.Context(), "unknown"))
	require.NoError(t, s.DeleteOtherSessions(t.Context(), "unknown", "unknown"))
	s.requireIDs(t, "unknown")
}

func testExpiredSession(t *testing.T, s SessionStore) {
	ann := s.Owner(t, "ann")
	r := newRecord(ann, "laptop", 1)
	r.ExpiresAt = time.Now().Add(-2 * time.Second).In(time.FixedZone("east", 10*60*60))
	s.add(t, r)
	_, err := s.Session(t.Context(), r.TokenHash)
	requireNotFound(t, err)
	s.requireIDs(t, ann.UserID)
}

// A later expiry has the same effect as a clock that is set back.
func testExpiredSessionStaysEnded(t *testing.T, s SessionStore) {
	ann := s.Owner(t, "ann")
	ended, other := newRecord(ann, "laptop", 1), newRecord(ann, "phone", 2)
	later := ended.ExpiresAt
	ended.ExpiresAt = time.Now().Add(-2 * time.Second)
	s.add(t, ended, other)
	_, err := s.Session(t.Context(), ended.TokenHash)
	requireNotFound(t, err)

	require.NoError(t, s.TouchSession(t.Context(), ended.TokenHash, ended.LastUsedAt, later))
	_, err = s.Session(t.Context(), ended.TokenHash)
	requireNotFound(t, err)
	s.requireIDs(t, ann.UserID, "phone")
}

func testTouchSession(t *testing.T, s SessionStore) {
	r := newRecord(s.Owner(t, "ann"), "laptop", 30)
	s.add(t, r)
	r.LastUsedAt, r.ExpiresAt = r.LastUsedAt.Add(30*time.Minute), r.ExpiresAt.Add(time.Hour)
	require.NoError(t, s.TouchSession(t.Context(), r.TokenHash, r.LastUsedAt, r.ExpiresAt))
	stored, err := s.Session(t.Context(), r.TokenHash)
	require.NoError(t, err)
	assert.Equal(t, r, stored)
}

func testSwitchSession(t *testing.T, s SessionStore) {
	ann, ben := s.Owner(t, "ann"), s.Owner(t, "ben")
	role := account.Owner
	if s.Join != nil {
		role = account.BillingMember
		s.Join(t, ann, ben)
	}
	r, other := newRecord(ann, "laptop", 1), newRecord(ann, "phone", 2)
	s.add(t, r, other)
	require.NoError(t, s.SwitchSession(t.Context(), r.TokenHash, ben.OrganisationID))
	r.OrganisationID, r.Role = ben.OrganisationID, role
	for _, want := range []identity.SessionRecord{r, other} {
		stored, err := s.Session(t.Context(), want.TokenHash)
		require.NoError(t, err)
		assert.Equal(t, want, stored)
	}
}

func testSwitchSessionNotFound(t *testing.T, s SessionStore) {
	ann, ben := s.Owner(t, "ann"), s.Owner(t, "ben")
	r := newRecord(ann, "laptop", 1)
	s.add(t, r)
	requireNotFound(t, s.SwitchSession(t.Context(), "unknown", ann.OrganisationID))
	if s.Join != nil {
		requireNotFound(t, s.SwitchSession(t.Context(), r.TokenHash, ben.OrganisationID))
		requireNotFound(t, s.SwitchSession(t.Context(), r.TokenHash, "unknown"))
	}
	stored, err := s.Session(t.Context(), r.TokenHash)
	require.NoError(t, err)
	assert.Equal(t, r, stored)
}

func testTouchDeletedSession(t *testing.T, s SessionStore) {
	r := newRecord(s.Owner(t, "ann"), "laptop", 1)
	s.add(t, r)
	require.NoError(t, s.DeleteSession(t.Context(), r.TokenHash))
	require.NoError(t, s.TouchSession(t.Context(), r.TokenHash, r.LastUsedAt, r.ExpiresAt))
	_, err := s.Session(t.Context(), r.TokenHash)
	requireNotFound(t, err)
}

func testSessionsOfUser(t *testing.T, s SessionStore) {
	ann, ben := s.Owner(t, "ann"), s.Owner(t, "ben")
	for minutes, id := range []string{"now", "recent", "old"} {
		s.add(t, newRecord(ann, id, minutes*10))
	}
	s.add(t, newRecord(ben, "other", 5))
	s.requireIDs(t, ann.UserID, "now", "recent", "old")
}

func testDeleteSessionOfUser(t *testing.T, s SessionStore) {
	ann, ben := s.Owner(t, "ann"), s.Owner(t, "ben")
	s.add(t, newRecord(ann, "laptop", 1), newRecord(ann, "phone", 2))
	requireNotFound(t, s.DeleteSessionOfUser(t.Context(), ben.UserID, "laptop"))
	s.requireIDs(t, ann.UserID, "laptop", "phone")

	require.NoError(t, s.DeleteSessionOfUser(t.Context(), ann.UserID, "laptop"))
	s.requireIDs(t, ann.UserID, "phone")
	requireNotFound(t, s.DeleteSessionOfUser(t.Context(), ann.UserID, "laptop"))
}

func testDeleteOtherSessions(t *testing.T, s SessionStore) {
	ann, ben := s.Owner(t, "ann"), s.Owner(t, "ben")
	for n := range 3 {
		s.add(t, newRecord(ann, fmt.Sprintf("ann %d", n), n))
	}
	s.add(t, newRecord(ben, "ben", 1))
	require.NoError(t, s.DeleteOtherSessions(t.Context(), ann.UserID, "ann 1"))
	s.requireIDs(t, ann.UserID, "ann 1")
	s.requireIDs(t, ben.UserID, "ben")
}
