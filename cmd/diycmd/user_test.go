package diycmd

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runUser runs `diy user` and requires the exit code.
func runUser(t *testing.T, env map[string]string, wantCode int, args ...string) (output string) {
	t.Helper()
	var out strings.Builder
	require.Equal(t, wantCode, run(t.Context(), env, &out, append([]string{"user"}, args...)...), out.String())
	return out.String()
}

func TestUser_EndSessionsSignsOutWhileTheServerRuns(t *testing.T) {
	env := devSettings(t)
	var settings []string
	for name, value := range env {
		settings = append(settings, name+"="+value)
	}
	server := startServer(t, env["DIY_DATABASE_URL"], settings...).url
	ada := signUp(t, server)
	status, _ := ada.send(http.MethodGet, server+"/vc-admin/org/customer/cards", "")
	require.Equal(t, http.StatusOK, status)

	email := "ada@example.test"
	assert.Contains(t, runUser(t, env, 0, "end-sessions", "--email", email, "--reason", "stolen laptop", "--by", "olga"),
		"the user is signed out everywhere\n")

	status, _ = ada.send(http.MethodGet, server+"/vc-admin/org/customer/cards", "")
	assert.Equal(t, http.StatusUnauthorized, status)
	assert.Contains(t, runUser(t, env, 1, "reset-two-step", "--email", email, "--reason", "lost"),
		"Two-step verification of this user is off.")
	assert.Contains(t, runUser(t, env, 1, "end-sessions", "--email", "unknown@example.com", "--reason", "x"), "There is no such user")
	runUser(t, env, 2, "end-sessions", "--email", email)
}
