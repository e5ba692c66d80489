package httpapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// A thief has a session of an owner, and invites an owner as a way back.
func TestUndo_DeletesTheInvitationsOfTheThief(t *testing.T) {
	s, thief := newServerWithUser(t)
	res := thief.post("/vc-admin/org/members/invite", map[string]any{"email": "thief@evil.example", "role": "owner"})
	require.Equal(t, http.StatusAccepted, res.Status, "%s", res.Body)
	invitation := s.linkToken(t, "invitation", "thief@evil.example")
	require.NotEmpty(t, invitation)
	_, undo := thief.requestEmail(newEmail)
	visitor := s.newBrowser(t)
	require.Equal(t, http.StatusOK, visitor.post("/vc-admin/auth/invitation/show", tokenBody(invitation)).Status)

	require.Equal(t, http.StatusOK, visitor.undo(undo).Status)

	visitor.post("/vc-admin/auth/invitation/show", tokenBody(invitation)).requireError(http.StatusNotFound, "ERRNOTFOUND")
	visitor.post("/vc-admin/auth/invitation/accept", map[string]any{
		"token": invitation, "firstName": "Eve", "lastName": "Thief", "password": newPassword,
	}).requireError(http.StatusNotFound, "ERRNOTFOUND")
}
