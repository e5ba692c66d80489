package storagetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

// verificationAdded wants the new token beside the first one, and its email in the outbox.
func verificationAdded(t *testing.T, h Harness) {
	s := h.Open(t)
	in := signedUp(t, s, "ada")
	more := account.Verification{TokenHash: "more", UserID: in.User.ID, ExpiresAt: noon.Add(50 * time.Hour)}
	require.NoError(t, s.AddVerification(t.Context(), more, message("again@example.test"), noon.Add(time.Hour)))

	for _, want := range []account.Verification{in.Verification, more} {
		got, err := s.Verification(t.Context(), want.TokenHash)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	require.Equal(t, []string{in.User.Email}, recipients(claim(t, s, noon.Add(59*time.Minute), 10)))
	again := claim(t, s, noon.Add(time.Hour), 10)
	require.Equal(t, []string{"again@example.test"}, recipients(again))
	require.Equal(t, message("again@example.test"), again[0].Message)
	_, err := s.Verification(t.Context(), "unknown")
	requireFault(t, fault.NotFound, err)
}

// verificationRefused wants no email to go out for a token that was not stored.
func verificationRefused(t *testing.T, h Harness) {
	s := h.Open(t)
	in := signedUp(t, s, "ada")
	nobodys := account.Verification{TokenHash: "more", UserID: "nobody", ExpiresAt: noon}
	requireFault(t, fault.NotFound, s.AddVerification(t.Context(), nobodys, message("x@example.test"), noon))
	requireFault(t, fault.Conflict, s.AddVerification(t.Context(), in.Verification, message("x@example.test"), noon))
	require.Equal(t, []string{in.User.Email}, recipients(claim(t, s, noon, 10)))
}

// verificationsSwept keeps a token that expires at the very instant.
func verificationsSwept(t *testing.T, h Harness) {
	s := h.Open(t)
	in := signedUp(t, s, "ada")
	end := in.Verification.ExpiresAt
	older := account.Verification{TokenHash: "older", UserID: in.User.ID, ExpiresAt: end.Add(-time.Microsecond)}
	require.NoError(t, s.AddVerification(t.Context(), older, in.Email, noon))

	require.NoError(t, s.SweepVerifications(t.Context(), end))
	_, err := s.Verification(t.Context(), older.TokenHash)
	requireFault(t, fault.NotFound, err)
	_, err = s.Verification(t.Context(), in.Verification.TokenHash)
	require.NoError(t, err)

	require.NoError(t, s.SweepVerifications(t.Context(), end.Add(time.Microsecond)))
	_, err = s.Verification(t.Context(), in.Verification.TokenHash)
	requireFault(t, fault.NotFound, err)
	requireUser(t, s, in.User)
}
