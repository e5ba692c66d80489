package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/vc-admin/diy/domain/account"
	"github.com/vc-admin/diy/domain/fault"
)

func TestPasswordReset_ExpiresAfterAnHour(t *testing.T) {
	sent := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	link := account.PasswordReset{ExpiresAt: sent.Add(account.PasswordResetLifetime)}

	assert.False(t, link.Expired(sent.Add(time.Hour-time.Microsecond)))
	assert.True(t, link.Expired(sent.Add(time.Hour)))
}

func TestValidateNewPassword(t *testing.T) {
	tests := []struct {
		name, password, repeat string
		want                   []fault.Field
	}{
		{"good", "Secret123", "Secret123", nil},
		{"policy", "secret", "secret", []fault.Field{{Name: "password",
			Message: "Password policy not followed: at least 8 characters, at least 1 upper-case letter, at least 1 number"}}},
		{"not repeated", "Secret123", "", []fault.Field{{Name: "password_repeat", Message: "Confirmation of Password is required"}}},
		{"repeated otherwise", "Secret123", "Secret124", []fault.Field{{Name: "password_repeat", Message: "Passwords did not match"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			assert.Equal(t, tt.want, fault.FieldsOf(account.ValidateNewPassword(tt.password, tt.repeat)))
		})
	}
}

func TestUser_ResetPasswordVerifiesTheAddress(t *testing.T) {
	now := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	user := account.User{PasswordHash: "old"}
	user.ResetPassword("new", now)
	assert.Equal(t, account.User{PasswordHash: "new", VerifiedAt: now}, user)
}
