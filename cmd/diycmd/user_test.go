package diycmd

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUser_EndSessionsSignsOutWhileTheServerRuns(t *testing.T) {
	env := devSettings(t)
	server := startServerWith(t, env).url
	ada := signUp(t, server)
	status, _ := ada.send(http.MethodGet, server+"/vc-admin/org/customer/cards", "")
	require.Equal(t, http.StatusOK, status)

	email := "ada@example.test"
	assert.Contains(t, runCommand(t, env, 0, "user", "end-sessions", "--email", email, "--reason", "stolen laptop", "--by", "olga"),
		"the user is signed out everywhere\n")

	status, _ = ada.send(http.MethodGet, server+"/vc-admin/org/customer/cards", "")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Contains(t, runCommand(t, env, 1, "user", "reset-two-step", "--email", email, "--reason", "lost"),
		"Two-step verification of this user is off.")
	assert.Contains(t, runCommand(t, env, 1, "user", "end-sessions", "--email", "unknown@example.com", "--reason", "x"), "There is no such user")
	runCommand(t, env, 2, "user", "end-sessions", "--email", email)
}
