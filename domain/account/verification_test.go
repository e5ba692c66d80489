package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/account"
)

func TestVerificationExpiresAtItsEndAndNotBefore(t *testing.T) {
	sent := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	link := account.Verification{ExpiresAt: sent.Add(account.VerificationLifetime)}

	assert.False(t, link.Expired(sent))
	assert.False(t, link.Expired(sent.Add(48*time.Hour-time.Microsecond)))
	assert.True(t, link.Expired(sent.Add(48*time.Hour)))
	assert.True(t, link.Expired(sent.AddDate(1, 0, 0)))
}

func TestUserIsVerifiedOnceATimeIsKnown(t *testing.T) {
	assert.False(t, account.User{}.Verified())
	assert.True(t, account.User{VerifiedAt: time.Now()}.Verified())
}

func TestUser_VerifyKeepsTheFirstTime(t *testing.T) {
	first := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	var user account.User
	user.Verify(first)
	user.Verify(first.Add(time.Hour))
	assert.Equal(t, first, user.VerifiedAt)
}

func TestUser_RegistrationExpiresAfter48HoursUnlessVerified(t *testing.T) {
	created := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	user := account.User{CreatedAt: created}

	assert.False(t, user.RegistrationExpired(created.Add(48*time.Hour-time.Microsecond)))
	assert.True(t, user.RegistrationExpired(created.Add(48*time.Hour)))
	user.Verify(created.Add(time.Hour))
	assert.False(t, user.RegistrationExpired(created.AddDate(1, 0, 0)))
}

func TestValidEmail(t *testing.T) {
	assert.True(t, account.ValidEmail(" ADA@Example.com "))
	assert.False(t, account.ValidEmail("no address"))
	assert.False(t, account.ValidEmail(""))
}

func TestChoiceOfNothingIsNone(t *testing.T) {
	assert.True(t, account.Choice{}.None())
	assert.False(t, account.Choice{Product: "standard", Interval: "monthly"}.None())
}
