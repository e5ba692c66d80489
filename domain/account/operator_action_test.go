package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestOperatorAction_NeedsAnOperatorAndAReason(t *testing.T) {
	action, err := account.OperatorAction{ID: "act_1", Operator: " olga\n", Reason: "\tlost phone "}.Normalise()
	require.NoError(t, err)
	assert.Equal(t, account.OperatorAction{ID: "act_1", Operator: "olga", Reason: "lost phone"}, action)

	for _, action := range []account.OperatorAction{{Operator: " ", Reason: "lost phone"}, {Operator: "olga", Reason: "\n"}} {
		_, err := action.Normalise()
		assert.Equal(t, fault.Invalid, fault.CodeOf(err))
	}
}
