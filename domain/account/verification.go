package account

import "time"

// VerificationLifetime is how long a registration waits for the verification of its e-mail address.
// Its links are valid for as long, also those that were sent later.
const VerificationLifetime = 48 * time.Hour

// Verification is one link sent to verify an e-mail address. Only the token's hash is kept, so
// that reading our storage verifies nobody.
type Verification struct {
	TokenHash string
	UserID    string
	ExpiresAt time.Time
}

// Expired reports whether the link is too old at the given time.
func (v Verification) Expired(now time.Time) bool { return !now.Before(v.ExpiresAt) }
