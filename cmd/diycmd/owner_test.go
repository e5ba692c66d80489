package diycmd

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runOwner runs `diy owner` and requires the exit code.
func runOwner(t *testing.T, env map[string]string, wantCode int, args ...string) (output string) {
	t.Helper()
	var out strings.Builder
	require.Equal(t, wantCode, run(t.Context(), env, &out, append([]string{"owner"}, args...)...), out.String())
	return out.String()
}

func TestOwner_InviteSendsALinkWhileTheServerRuns(t *testing.T) {
	env := devSettings(t)
	var settings []string
	for name, value := range env {
		settings = append(settings, name+"="+value)
	}
	server := startServer(t, env["DIY_DATABASE_URL"], settings...).url
	ada := signUp(t, server)
	var user struct{ Detail struct{ OrgID string } }
	require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/vc-admin/user/detail")), &user))
	org := user.Detail.OrgID
	const email, reason = "new@example.test", "the owner has left, called back"

	runOwner(t, env, 2)
	runOwner(t, env, 2, "remove", "--org", org, "--email", email, "--reason", reason)
	runOwner(t, env, 2, "invite", "--email", email, "--reason", reason)
	runOwner(t, env, 2, "invite", "--org", org, "--reason", reason)
	runOwner(t, env, 2, "invite", "--org", org, "--email", email)
	runOwner(t, env, 1, "invite", "--org", "org_unknown", "--email", email, "--reason", reason)
	runOwner(t, env, 1, "invite", "--org", org, "--email", "no address", "--reason", reason)
	runOwner(t, env, 1, "invite", "--org", org, "--email", "ada@example.test", "--reason", reason)
	assert.NotContains(t, ada.get(server+"/dev/mailbox.json"), "/vc-admin/auth/invitation?token=")

	assert.Contains(t, runOwner(t, env, 0, "invite", "--org", " "+org+" ", "--email", email, "--reason", reason, "--by", "olga"),
		"an invitation is on its way, and the owners are notified\n")
	require.Eventually(t, func() bool {
		mailbox := ada.get(server + "/dev/mailbox.json")
		return strings.Contains(mailbox, "/vc-admin/auth/invitation?token=") && strings.Contains(mailbox, "Our support invited an owner")
	}, time.Minute, 50*time.Millisecond)
}
