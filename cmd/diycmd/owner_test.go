package diycmd

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOwner_InviteSendsALinkWhileTheServerRuns(t *testing.T) {
	env := devSettings(t)
	server := startServerWith(t, env).url
	ada := signUp(t, server)
	var user struct{ Detail struct{ OrgID string } }
	require.NoError(t, json.Unmarshal([]byte(ada.get(server+"/vc-admin/user/detail")), &user))
	org := user.Detail.OrgID
	const email, reason = "new@example.test", "the owner has left, called back"

	runCommand(t, env, 2, "owner")
	runCommand(t, env, 2, "owner", "remove", "--org", org, "--email", email, "--reason", reason)
	runCommand(t, env, 2, "owner", "invite", "--email", email, "--reason", reason)
	runCommand(t, env, 2, "owner", "invite", "--org", org, "--reason", reason)
	runCommand(t, env, 2, "owner", "invite", "--org", org, "--email", email)
	runCommand(t, env, 1, "owner", "invite", "--org", "org_unknown", "--email", email, "--reason", reason)
	runCommand(t, env, 1, "owner", "invite", "--org", org, "--email", "no address", "--reason", reason)
	runCommand(t, env, 1, "owner", "invite", "--org", org, "--email", "ada@example.test", "--reason", reason)
	assert.NotContains(t, ada.get(server+"/dev/mailbox.json"), "/vc-admin/auth/invitation?token=")

	assert.Contains(t, runCommand(t, env, 0, "owner", "invite", "--org", " "+org+" ", "--email", email, "--reason", reason, "--by", "olga"),
		"an invitation is on its way, and the owners are notified\n")
	require.Eventually(t, func() bool {
		mailbox := ada.get(server + "/dev/mailbox.json")
		return strings.Contains(mailbox, "/vc-admin/auth/invitation?token=") && strings.Contains(mailbox, "Our support invited an owner")
	}, time.Minute, 50*time.Millisecond)
}
