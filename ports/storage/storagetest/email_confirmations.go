package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

var emailConfirmationScenarios = []scenario{
	{"AddEmailConfirmation stores token and email", testAddEmailConfirmation},
	{"AddEmailConfirmation stores nothing when it fails", testAddEmailConfirmationFails},
	{"SweepEmailConfirmations deletes expired tokens", testSweepEmailConfirmations},
}

func emailConfirmation(token string, expires time.Time) account.EmailConfirmation {
	return account.EmailConfirmation{
		TokenHash: token, OrganisationID: "organisation-ada", Email: "accounts@example.test", ExpiresAt: expires,
	}
}

func testAddEmailConfirmation(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	want := emailConfirmation("token", noon.Add(time.Hour))
	requireNoZeroFields(t, want)
	require.NoError(t, s.AddEmailConfirmation(t.Context(), want, message("accounts@example.test"), noon.Add(time.Minute)))

	got, err := s.EmailConfirmation(t.Context(), "token")
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = s.EmailConfirmation(t.Context(), "another")
	requireFault(t, fault.NotFound, err)
	require.Empty(t, claimEmails(t, s, noon.Add(59*time.Second), 10))
	require.Equal(t, []string{"accounts@example.test"}, recipients(claimEmails(t, s, noon.Add(time.Minute), 10)))
}

func testAddEmailConfirmationFails(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	confirmation, orphan := emailConfirmation("token", noon.Add(time.Hour)), emailConfirmation("orphan", noon.Add(time.Hour))
	orphan.OrganisationID = "unknown"
	require.NoError(t, s.AddEmailConfirmation(t.Context(), confirmation, message("first"), noon))

	requireFault(t, fault.NotFound, s.AddEmailConfirmation(t.Context(), orphan, message("second"), noon))
	requireFault(t, fault.Conflict, s.AddEmailConfirmation(t.Context(), confirmation, message("third"), noon))
	require.Equal(t, []string{"first"}, recipients(claimEmails(t, s, noon, 10)))
}

// testSweepEmailConfirmations also checks that a token that expires exactly at the given time is kept.
func testSweepEmailConfirmations(t *testing.T, h Harness) {
	s, _ := newStoreWithUser(t, h)
	end := noon.Add(time.Hour)
	require.NoError(t,
		s.AddEmailConfirmation(t.Context(), emailConfirmation("older", end.Add(-time.Microsecond)), message("a"), noon))
	require.NoError(t, s.AddEmailConfirmation(t.Context(), emailConfirmation("newer", end), message("b"), noon))

	require.NoError(t, s.SweepEmailConfirmations(t.Context(), end))
	_, err := s.EmailConfirmation(t.Context(), "older")
	requireFault(t, fault.NotFound, err)
	_, err = s.EmailConfirmation(t.Context(), "newer")
	require.NoError(t, err)
	require.NoError(t, s.SweepEmailConfirmations(t.Context(), end.Add(time.Microsecond)))
	_, err = s.EmailConfirmation(t.Context(), "newer")
	requireFault(t, fault.NotFound, err)
}
