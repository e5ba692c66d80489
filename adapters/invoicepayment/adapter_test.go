package invoicepayment

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/ports/payment/plugin"
)

func TestAdapter_CheckReportsInvalidSettings(t *testing.T) {
	for _, tt := range []struct {
		production  bool
		values      map[string]string
		wantProblem string // "" for none
	}{
		{false, nil, ""},
		{true, map[string]string{"SELLER": "Vision; 1 Road"}, "ACCOUNT must be set"},
		{true, map[string]string{"ACCOUNT": "BSB: 062-000; Account number: 1234 5678"}, "SELLER must be set"},
		{true, map[string]string{"ACCOUNT": "BSB: 062-000; Account number: 1234 5678", "SELLER": "Vision; 1 Road"}, ""},
		{false, map[string]string{"SELLER": "Vision"}, "SELLER must be a name and"},
		{false, map[string]string{"ACCOUNT": "062-000 1234"}, "ACCOUNT must be lines"},
		{false, map[string]string{"DUE_DAYS": "0"}, "DUE_DAYS must be"},
		{false, map[string]string{"GRACE_DAYS": "soon"}, "GRACE_DAYS must be"},
		{false, map[string]string{"DUE_DAYS": "21", "GRACE_DAYS": "7"}, "at most 27 together"},
		{false, map[string]string{"NUMBER_PREFIX": "a b"}, "NUMBER_PREFIX must"},
		{false, map[string]string{"APPROVAL": "maybe"}, "APPROVAL must"},
	} {
		problems := Adapter{}.Check(plugin.Settings{Values: tt.values, Production: tt.production})
		if tt.wantProblem == "" {
			assert.Empty(t, problems)
			continue
		}
		require.Len(t, problems, 1, tt.wantProblem)
		assert.Contains(t, problems[0], tt.wantProblem)
	}
}
