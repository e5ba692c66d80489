package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

var callTime = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// newCallerCheck returns a check whose code has the hash "right".
func newCallerCheck(t *testing.T) *account.CallerCheck {
	t.Helper()
	check := &account.CallerCheck{OrganisationID: "org"}
	require.NoError(t, check.Send("ann", "key", "right", callTime))
	return check
}

func TestCallerCheck_RightCodeWorksOnce(t *testing.T) {
	check := newCallerCheck(t)
	isRight, err := check.Enter("wrong", callTime)
	require.NoError(t, err)
	assert.False(t, isRight)
	isRight, err = check.Enter("right", callTime.Add(account.CallerCodeLifetime-1))
	require.NoError(t, err)
	assert.True(t, isRight)
	_, err = check.Enter("right", callTime)
	assert.True(t, fault.Is(err, fault.Conflict), "used before")
}

func TestCallerCheck_EndsAfterThreeWrongCodesAndTenMinutes(t *testing.T) {
	check := newCallerCheck(t)
	for remaining := account.MaxCallerTries; remaining > 0; remaining-- {
		tries, err := check.RemainingTries(callTime)
		require.NoError(t, err)
		assert.Equal(t, remaining, tries)
		isRight, err := check.Enter("wrong", callTime)
		require.NoError(t, err)
		assert.False(t, isRight)
	}
	_, err := check.Enter("right", callTime)
	assert.True(t, fault.Is(err, fault.Conflict), "three wrong codes")
	_, err = newCallerCheck(t).Enter("right", callTime.Add(account.CallerCodeLifetime))
	assert.True(t, fault.Is(err, fault.Conflict), "expired")
	_, err = (&account.CallerCheck{}).Enter("", callTime)
	assert.True(t, fault.Is(err, fault.Conflict), "no code was sent")
}

func TestCallerCheck_LimitsTheCodesOfAnHour(t *testing.T) {
	check := newCallerCheck(t)
	for i := 1; i < account.MaxCallerCodes; i++ {
		require.NoError(t, check.Send("bob", "key", "new", callTime.Add(time.Minute)))
	}
	err := check.Send("bob", "other key", "late", callTime.Add(time.Minute))
	require.True(t, fault.Is(err, fault.RateLimited))
	isRight, err := check.Enter("new", callTime.Add(time.Minute))
	require.NoError(t, err)
	assert.True(t, isRight, "the refused request keeps the code")
	assert.NoError(t, check.Send("bob", "key", "late", callTime.Add(account.CallerCodesPeriod)))
}
