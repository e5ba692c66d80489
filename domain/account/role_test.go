package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestRole_AllowsItsPermissionsOnly(t *testing.T) {
	permissions := []account.Permission{account.Read, account.ManageBilling, account.ManageMembers}
	for role, allowed := range map[account.Role][]bool{
		account.Owner:         {true, true, true},
		account.BillingMember: {true, true, false},
		account.ReadingMember: {true, false, false},
		"":                    {false, false, false},
		"admin":               {false, false, false},
	} {
		for i, p := range permissions {
			assert.Equal(t, allowed[i], role.Allows(p), "%q %d", role, p)
			assert.Equal(t, allowed[i], role.Require(p) == nil, "%q %d", role, p)
		}
		assert.Equal(t, allowed[0], role.IsValid(), "%q", role)
		assert.Equal(t, allowed[1], role.ReceivesBillingEmails(), "%q", role)
		assert.False(t, role.Allows(0), "the zero permission allows nothing")
	}
	assert.True(t, fault.Is(account.Role("").Require(account.Read), fault.Forbidden))
}

func TestRequireFresh_AcceptsFifteenMinutes(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for age, isFresh := range map[time.Duration]bool{
		0: true, account.FreshFor - time.Second: true, account.FreshFor: false, 24 * time.Hour: false,
		-time.Minute: true, -2 * time.Minute: false, // the clock was set back
	} {
		err := account.RequireFresh(now.Add(-age), now)
		assert.Equal(t, isFresh, err == nil, age)
		assert.Equal(t, !isFresh, fault.Is(err, fault.Reauthenticate), age)
	}
	assert.Error(t, account.RequireFresh(time.Time{}, now))
}
