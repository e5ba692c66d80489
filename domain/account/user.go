package account

import "time"

// User is a person who signs in for an organisation.
type User struct {
	ID             string
	OrganisationID string
	FirstName      string
	LastName       string
	Email          string // lower case, unique by EmailKey
	PasswordHash   string // never the password; encoded with its own parameters
	VerifiedAt     time.Time
	CreatedAt      time.Time
}

// Verified reports whether the person has shown that the e-mail address is theirs.
func (u User) Verified() bool { return !u.VerifiedAt.IsZero() }

// Verify records that the e-mail address was verified. The first time stays.
func (u *User) Verify(now time.Time) {
	if !u.Verified() {
		u.VerifiedAt = now
	}
}

// RegistrationExpires returns when a registration that was not verified ends.
func (u User) RegistrationExpires() time.Time { return u.CreatedAt.Add(VerificationLifetime) }

// RegistrationExpired reports whether the e-mail address was not verified in time. An expired
// registration counts for nothing: its e-mail address and its organisation's name are free.
func (u User) RegistrationExpired(now time.Time) bool {
	return !u.Verified() && !now.Before(u.RegistrationExpires())
}
