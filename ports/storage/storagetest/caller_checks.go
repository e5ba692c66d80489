package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/audit"
	"github.com/vc-admin/diy/domain/fault"
	"github.com/vc-admin/diy/ports/storage"
)

var callerCheckScenarios = []scenario{
	{"UpdateCallerCheck stores the check with its email and entry", testUpdateCallerCheck},
	{"concurrent UpdateCallerCheck calls change the check one after the other", testConcurrentCallerChecks},
}

// newCallerEntry returns the entry of an action with the key.
func newCallerEntry(key string) audit.Entry {
	e := newAuditEntry("organisation-ada", noon)
	e.Kind, e.Data, e.Cause = audit.OperatorSentCode, nil, key
	return e
}

func testUpdateCallerCheck(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	_, err := s.CallerCheck(t.Context(), "organisation-ada")
	requireFault(t, fault.NotFound, err)
	want := account.CallerCheck{
		OrganisationID: "organisation-ada", UserID: userID, RequestKey: "key", CodeHash: "hash",
		ExpiresAt: noon.Add(account.CallerCodeLifetime), SentCount: 1, SentSince: noon,
	}
	email := newMessage("ada")
	require.NoError(t, s.UpdateCallerCheck(t.Context(), "organisation-ada", noon,
		func(c *account.CallerCheck) (storage.CallerCheckEffects, error) {
			assert.Equal(t, account.CallerCheck{OrganisationID: "organisation-ada"}, *c)
			*c = want
			return storage.CallerCheckEffects{Email: &email, Entry: newCallerEntry("key")}, nil
		}))
	refuse := func(*account.CallerCheck) (storage.CallerCheckEffects, error) {
		return storage.CallerCheckEffects{}, assert.AnError
	}
	require.Equal(t, assert.AnError, s.UpdateCallerCheck(t.Context(), "organisation-ada", noon, refuse))
	requireFault(t, fault.NotFound, s.UpdateCallerCheck(t.Context(), "unknown", noon, refuse))

	stored, err := s.CallerCheck(t.Context(), "organisation-ada")
	require.NoError(t, err)
	assert.Equal(t, want, stored)
	sent := claimEmails(t, s, noon, 10)
	require.Len(t, sent, 1)
	assert.Equal(t, "ada", sent[0].Message.To)
	assert.Equal(t, want.ExpiresAt, sent[0].ExpiresAt)
	assert.Equal(t, []string{userID, "organisation-ada"}, []string{sent[0].UserID, sent[0].OrganisationID})
	assert.Contains(t, kindsOf(t, s, "organisation-ada"), audit.OperatorSentCode)

	require.NoError(t, s.SweepCallerChecks(t.Context(), want.ExpiresAt))
	_, err = s.CallerCheck(t.Context(), "organisation-ada")
	require.NoError(t, err)
	require.NoError(t, s.SweepCallerChecks(t.Context(), want.ExpiresAt.Add(time.Microsecond)))
	_, err = s.CallerCheck(t.Context(), "organisation-ada")
	requireFault(t, fault.NotFound, err)
}

func testConcurrentCallerChecks(t *testing.T, h Harness) {
	s, userID := newStoreWithUser(t, h)
	h.runConcurrently(t, s, func(_ int, store storage.Store) {
		assert.NoError(t, store.UpdateCallerCheck(t.Context(), "organisation-ada", noon,
			func(c *account.CallerCheck) (storage.CallerCheckEffects, error) {
				c.UserID, c.ExpiresAt, c.SentSince = userID, noon, noon
				c.SentCount++
				return storage.CallerCheckEffects{Entry: newCallerEntry("")}, nil
			}))
	})
	check, err := s.CallerCheck(t.Context(), "organisation-ada")
	require.NoError(t, err)
	assert.Equal(t, workers, check.SentCount)
}
