package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPasskeyName_ContainsOnlyWhatCanBeSeen(t *testing.T) {
	for name, want := range map[string]string{
		" My \t phone ": "My phone", "\u202egnp.exe": "gnp.exe", "a\x1bb": "ab", "a\u200bb": "ab",
		"\u200b": "", "\u00a0\u2800": "",
	} {
		var c account.Credentials
		err := c.AddPasskey(account.Authenticator{Name: name})
		if want == "" {
			assert.Equal(t, fault.Invalid, fault.CodeOf(err), "%q", name)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want, c.Authenticators[0].Name, "%q", name)
	}
}
