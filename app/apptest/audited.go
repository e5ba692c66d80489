package apptest

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/audit"
)

// OnlyReads is the reason of actions that change nothing and show no account to an operator.
const OnlyReads = "none, because it only reads"

// AssertAudited fails unless the table gives each action a kind of the audit log, or the reason why the log has no entry of it:
// a text that begins with "none, because". It also fails for actions of the table that do not exist.
func AssertAudited(t TB, actions []string, table map[string]string) {
	t.Helper()
	for _, action := range actions {
		text := table[action]
		reason, hasNone := strings.CutPrefix(text, "none, because ")
		assert.True(t, hasNone && reason != "" || slices.Contains(audit.Kinds(), audit.Kind(text)),
			"%s needs an entry of the audit log, or the reason why it has none", action)
	}
	for action := range table {
		assert.Contains(t, actions, action, "the action does not exist any more")
	}
}
