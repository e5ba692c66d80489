package account_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
)

// TestCheckSecondFactor_LimitsWrongCodesAcrossResets enters wrong codes as a person who can read the mailbox.
func TestCheckSecondFactor_LimitsWrongCodesAcrossResets(t *testing.T) {
	for _, isKnown := range []bool{false, true} {
		c := newTwoStep(t)
		wrongCodes, reports := 0, 0
		for range 50 {
			c.User.ResetPassword("new", codeTime)
			for range 10 {
				outcome, err := c.CheckSecondFactor("wrong", codeTime, isKnown, codeAt)
				require.NoError(t, err)
				if outcome == account.WrongCode {
					wrongCodes++
					if c.User.MustReportWrongCode(isKnown) {
						reports++
					}
				}
			}
		}
		assert.LessOrEqual(t, wrongCodes, 2*account.MaxWrongCodes)
		assert.Positive(t, reports)
		outcome, err := c.CheckSecondFactor("000100", codeTime, isKnown, codeAt)
		require.NoError(t, err)
		assert.Equal(t, account.LockedByErrors, outcome)

		c.User.ChangePassword("changed in a session")
		assert.Equal(t, account.AppCode, check(t, c, "000100", codeTime))
	}
}
