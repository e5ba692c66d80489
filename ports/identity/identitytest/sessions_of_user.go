package identitytest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/identity"
)

// list returns the sessions that a request of the browser lists.
func (s Sessions) list(t *testing.T, browser string) (sessions []identity.Session) {
	t.Helper()
	s.Request(browser, func(ctx context.Context) {
		var err error
		sessions, err = s.List(ctx)
		assert.NoError(t, err)
	})
	return sessions
}

// currentID returns the id of the browser's session.
func (s Sessions) currentID(browser string) (id string) {
	s.Request(browser, func(ctx context.Context) {
		user, _ := s.Current(ctx)
		id = user.SessionID
	})
	return id
}

func testAuthentication(t *testing.T, s Sessions) {
	user := ann
	user.AuthenticatedAt = signedInAt.Add(time.Hour)
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Start(ctx, user, identity.PasswordMethod, identity.OneTimeCodeMethod))
	})
	s.assertUser(t, "laptop", user)
	sessions := s.list(t, "laptop")
	require.Len(t, sessions, 1)
	assert.Equal(t, []identity.Method{identity.PasswordMethod, identity.OneTimeCodeMethod}, sessions[0].Methods)
	assert.Equal(t, user.AuthenticatedAt, sessions[0].AuthenticatedAt)
}

func testList(t *testing.T, s Sessions) {
	assert.Empty(t, s.list(t, "kiosk"))
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.start(t, "tablet", bob)
	sessions := s.list(t, "phone")
	require.Len(t, sessions, 2)
	ids := map[string]bool{}
	for _, session := range sessions {
		ids[session.ID] = session.IsCurrent
		assert.Equal(t, ann.OrganisationID, session.OrganisationID)
		assert.False(t, session.CreatedAt.IsZero())
		assert.False(t, session.LastUsedAt.IsZero())
	}
	assert.Equal(t, map[string]bool{s.currentID("laptop"): false, s.currentID("phone"): true}, ids)
}

func testEndByID(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.start(t, "tablet", bob)
	annsPhone, bobsTablet := s.currentID("phone"), s.currentID("tablet")
	s.Request("kiosk", func(ctx context.Context) {
		requireNotFound(t, s.EndByID(ctx, annsPhone))
		requireNotFound(t, s.EndByID(ctx, ""))
	})
	s.Request("laptop", func(ctx context.Context) {
		requireNotFound(t, s.EndByID(ctx, bobsTablet))
		requireNotFound(t, s.EndByID(ctx, "unknown"))
		assert.NoError(t, s.EndByID(ctx, annsPhone))
		s.assertCurrent(ctx, t, ann)
	})
	s.assertSignedOut(t, "phone")
	s.assertUser(t, "laptop", ann)
	s.assertUser(t, "tablet", bob)
}

func testEndByIDOfCurrentSession(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	id := s.currentID("laptop")
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.EndByID(ctx, id))
		s.assertNoCurrent(ctx, t)
	})
	s.assertSignedOut(t, "laptop")
}

func testEndOthers(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.start(t, "tablet", bob)
	s.Request("kiosk", func(ctx context.Context) { assert.NoError(t, s.EndOthers(ctx)) })
	s.Request("laptop", func(ctx context.Context) { assert.NoError(t, s.EndOthers(ctx)) })
	s.assertUser(t, "laptop", ann)
	s.assertSignedOut(t, "phone")
	s.assertUser(t, "tablet", bob)
}

func testSwitch(t *testing.T, s Sessions) {
	s.start(t, "laptop", ann)
	s.start(t, "phone", ann)
	s.Copy("laptop", "tab")
	id := s.currentID("laptop")
	switched := ann
	switched.OrganisationID = bob.OrganisationID
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.Switch(ctx, bob.OrganisationID))
		s.assertCurrent(ctx, t, switched)
	})
	s.assertUser(t, "laptop", switched)
	s.assertUser(t, "tab", switched)
	s.assertUser(t, "phone", ann)
	assert.Equal(t, id, s.currentID("laptop"))
}

func testSwitchWithoutSession(t *testing.T, s Sessions) {
	s.Request("kiosk", func(ctx context.Context) {
		requireNotFound(t, s.Switch(ctx, ann.OrganisationID))
		s.assertNoCurrent(ctx, t)
	})
	s.start(t, "laptop", ann)
	s.Request("laptop", func(ctx context.Context) {
		assert.NoError(t, s.End(ctx))
		requireNotFound(t, s.Switch(ctx, ann.OrganisationID))
	})
	s.assertSignedOut(t, "laptop")
}
