package account

import (
	"time"

	"github.com/vc-admin/diy/domain/fault"
)

// PasswordResetLifetime is how long a link that resets a password is valid.
const PasswordResetLifetime = time.Hour

// PasswordReset is one link sent to reset a password. Only the token's hash is kept.
type PasswordReset struct {
	TokenHash string
	UserID    string
	ExpiresAt time.Time
}

// Expired reports whether the link is too old at the given time.
func (r PasswordReset) Expired(now time.Time) bool { return !now.Before(r.ExpiresAt) }

// ValidateNewPassword returns nil for a password that follows the policy and was repeated, else an
// Invalid fault with a message for "password", "password_repeat" or both.
func ValidateNewPassword(password, repeat string) error {
	var f fault.Fields
	judgePassword(&f, password)
	switch {
	case repeat == "":
		f.Add("password_repeat", "Confirmation of Password is required")
	case repeat != password:
		f.Add("password_repeat", "Passwords did not match")
	}
	return f.Err()
}

// ResetPassword replaces the password. Who could read the link has shown that the e-mail address is
// theirs, so it is verified as well.
func (u *User) ResetPassword(passwordHash string, now time.Time) {
	u.PasswordHash = passwordHash
	u.Verify(now)
}
