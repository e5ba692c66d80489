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

func TestChoiceOfNothingIsNone(t *testing.T) {
	assert.True(t, account.Choice{}.None())
	assert.False(t, account.Choice{Product: "standard", Interval: "monthly"}.None())
}
